/// Why a `policies.json`, or a file written like it, cannot be used. Nothing was changed.
public struct PolicyFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    public let file: String
    /// The line of the mistake, from 1; nil when the file could not be read at all.
    public let line: Int?
    /// The way to the place, with dots: `applications.local.policies`. Empty at the top.
    public let key: String
    /// What is wrong.
    public let problem: String
    /// What was expected instead.
    public let expected: String?
    /// What was probably meant.
    public let nearMatch: String?
    /// Whether the file is not there or cannot be read: nothing in it is wrong.
    public let isUnreadable: Bool

    /// Describes a mistake; `key` is the way to it.
    package init(
        file: String, line: Int? = nil, key: [String] = [], problem: String, expected: String? = nil,
        nearMatch: String? = nil, isUnreadable: Bool = false
    ) {
        self.isUnreadable = isUnreadable
        self.file = file
        self.line = line
        self.key = key.joined(separator: ".")
        self.problem = problem
        self.expected = expected
        self.nearMatch = nearMatch
    }

    /// The same error, seen from one level above.
    package func under(_ name: String) -> PolicyFileError {
        PolicyFileError(
            file: file, line: line, key: key.isEmpty ? [name] : [name, key], problem: problem, expected: expected,
            nearMatch: nearMatch)
    }

    /// All of it in one or two sentences.
    public var description: String {
        "\(line.map { "\(file), line \($0)" } ?? file): \(reason)"
    }

    /// The same without the place.
    package var reason: String {
        let subject = key.isEmpty ? "" : "“\(key)”: "
        let wanted = expected.map { "; expected \($0)" } ?? ""
        let meant = nearMatch.map { ". Did you mean “\($0)”?" } ?? ""
        return "\(subject)\(problem)\(wanted)\(meant)"
    }
}
