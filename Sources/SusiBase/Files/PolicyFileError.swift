/// A mistake in `policies.json` or in the tenant file.
public struct PolicyFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file as given.
    package let file: String
    /// The line of the mistake, from 1; `nil` if the file cannot be read.
    public let line: Int?
    /// The path to the value, with dots: `applications.local.policies`. Empty for the root.
    package let key: String
    package let problem: String
    package let expected: String?
    /// The probable intention.
    package let nearMatch: String?
    /// Whether the file is missing or cannot be read.
    package let isUnreadable: Bool
    /// Why the file is not read at all: another user could have written it.
    package private(set) var flaw: OwnedFile.Flaw?
    /// The other mistakes of the file, sorted by line; this error is the first.
    package private(set) var others: [PolicyFileError] = []

    /// The maximum number of reported mistakes, which limits the time for a hostile file.
    package static let most = 500

    /// Describes a mistake at the path `key`.
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

    /// Describes a file that another user could have written.
    package init(file: String, _ flaw: OwnedFile.Flaw) {
        self.init(file: file, problem: "refused to use \(flaw.path): \(flaw.why)")
        self.flaw = flaw
    }

    /// Combines all mistakes of a file into one error, sorted by line; `nil` if there are none.
    package init?(_ mistakes: [PolicyFileError]) {
        // The sort is not stable, so the index decides between equal lines.
        let sorted = mistakes.flatMap(\.all).enumerated()
            .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
        guard let first = sorted.first else { return nil }
        self = first
        others = Array(sorted.dropFirst())
    }

    package var all: [PolicyFileError] {
        var first = self
        first.others = []
        return [first] + others
    }

    /// Returns the error with `name` before the path.
    package func under(_ name: String) -> PolicyFileError {
        var error = PolicyFileError(
            file: file, line: line, key: key.isEmpty ? [name] : [name, key], problem: problem, expected: expected,
            nearMatch: nearMatch)
        error.others = others.map { $0.under(name) }
        return error
    }

    /// The first mistake with its file and line.
    public var description: String {
        "\(line.map { "\(file), line \($0)" } ?? file): \(reason)"
    }

    /// The first mistake without file and line.
    package var reason: String {
        let subject = key.isEmpty ? "" : "“\(key)”: "
        let wanted = expected.map { "; expected \($0)" } ?? ""
        let meant = nearMatch.map { "; did you mean “\($0)”?" } ?? ""
        return "\(subject)\(problem)\(wanted)\(meant)"
    }
}

/// Collects the mistakes of a file, so that all of them are reported at once.
package struct MistakeList {
    private var found: [PolicyFileError] = []
    private var count = 0

    package init() {}

    /// Whether the list is full, so that loops over the file can end.
    package var isFull: Bool { count >= PolicyFileError.most }

    /// Whether the next mistake may contain a near match, which takes time to find.
    package var suggests: Bool { count < Self.mostSuggestions }

    private static let mostSuggestions = 3

    package mutating func add(_ mistake: PolicyFileError) {
        guard !isFull else { return }
        found.append(mistake)
        count += 1 + mistake.others.count
    }

    /// Runs `body`; adds its mistakes and returns `nil` if it throws.
    package mutating func trying<T>(_ body: () throws(PolicyFileError) -> T) -> T? {
        do { return try body() } catch {
            add(error)
            return nil
        }
    }

    /// Returns a value that is read; adds the mistakes and returns `nil` if that throws.
    package mutating func reading<T>(_ value: @autoclosure () throws(PolicyFileError) -> T) -> T? { trying(value) }

    /// Adds the mistakes of `later` at paths without a mistake, so that each one is reported once.
    package mutating func add(_ later: MistakeList) {
        let places = Set(found.flatMap(\.all).map(\.key))
        for mistake in later.found.flatMap(\.all) where !places.contains(mistake.key) { add(mistake) }
    }

    /// Throws all mistakes as one error, if there are any.
    package func finish() throws(PolicyFileError) {
        if let error = PolicyFileError(found) { throw error }
    }
}
