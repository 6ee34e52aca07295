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
    /// The other mistakes of the same file, in the order of their lines; this error is the first.
    public private(set) var others: [PolicyFileError] = []

    /// The most mistakes that are counted exactly: a file of nothing else must not cost minutes.
    public static let most = 500

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

    /// All mistakes of a file as one error, in the order of their lines; nil when there is none.
    package init?(_ mistakes: [PolicyFileError]) {
        // Sorting keeps no order among equals: the place in the list decides then.
        let sorted = mistakes.flatMap(\.all).enumerated()
            .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
        guard let first = sorted.first else { return nil }
        self = first
        others = Array(sorted.dropFirst())
    }

    /// This mistake and the others, each alone.
    public var all: [PolicyFileError] {
        var first = self
        first.others = []
        return [first] + others
    }

    /// The same mistakes, seen from one level above.
    package func under(_ name: String) -> PolicyFileError {
        var error = PolicyFileError(
            file: file, line: line, key: key.isEmpty ? [name] : [name, key], problem: problem, expected: expected,
            nearMatch: nearMatch)
        error.others = others.map { $0.under(name) }
        return error
    }

    /// The first mistake in one or two sentences.
    public var description: String {
        "\(line.map { "\(file), line \($0)" } ?? file): \(reason)"
    }

    /// The first mistake without its place.
    public var reason: String {
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

    /// No mistake yet.
    package init() {}

    /// Whether no more are collected: a loop over what a file holds ends then.
    package var isFull: Bool { count >= PolicyFileError.most }

    /// Whether the next mistake may say what was probably meant, which takes time to find.
    package var suggests: Bool { count < Self.mostSuggestions }

    private static let mostSuggestions = 3

    /// Adds a mistake.
    package mutating func add(_ mistake: PolicyFileError) {
        guard !isFull else { return }
        found.append(mistake)
        count += 1 + mistake.others.count
    }

    /// The value of `body`; nil when it throws, after its mistakes were added.
    package mutating func trying<T>(_ body: () throws(PolicyFileError) -> T) -> T? {
        do { return try body() } catch {
            add(error)
            return nil
        }
    }

    /// Adds the mistakes of `later` whose place has none yet, so that each mistake is reported once.
    package mutating func add(_ later: MistakeList) {
        let places = Set(found.flatMap(\.all).map(\.key))
        for mistake in later.found.flatMap(\.all) where !places.contains(mistake.key) { add(mistake) }
    }

    /// Throws all of them as one error, when there is one.
    package func finish() throws(PolicyFileError) {
        if let error = PolicyFileError(found) { throw error }
    }
}
