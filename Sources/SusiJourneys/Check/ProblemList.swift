/// A mistake, or what else a reader of a policy should know, without its place.
struct Problem: Hashable, Sendable {
    let kind: String
    let severity: Severity
    /// What an upload answers, or what happens later.
    let text: String
    /// Why, or what to do about it.
    let hint: String

    static func error(_ kind: String, _ text: String, _ hint: String = "") -> Problem {
        Problem(kind: kind, severity: .error, text: text, hint: hint)
    }

    static func warning(_ kind: String, _ text: String, _ hint: String = "") -> Problem {
        Problem(kind: kind, severity: .warning, text: text, hint: hint)
    }

    static func note(_ kind: String, _ text: String, _ hint: String = "") -> Problem {
        Problem(kind: kind, severity: .note, text: text, hint: hint)
    }
}

/// How bad a finding is.
package enum Severity: String, Sendable {
    /// An upload fails.
    case error
    /// It fails later, or does not do what it says.
    case warning
    /// It matters only here.
    case note
}

/// Problems with their places, each one once.
struct ProblemList: Sendable {
    private(set) var found: Set<Placed> = []

    struct Placed: Hashable, Sendable {
        let problem: Problem
        let place: Element.Place
    }

    mutating func add(_ problem: Problem, at element: Element, _ attribute: String = "") {
        add(problem, at: element.place(of: attribute))
    }

    // More are of no help, and each takes time and memory.
    private static let most = 5_000

    /// Whether a loop over a file may end.
    var isFull: Bool { found.count >= Self.most }

    mutating func add(_ problem: Problem, at place: Element.Place) {
        guard !isFull else { return }
        found.insert(Placed(problem: problem, place: place))
    }

    mutating func add(_ others: ProblemList) { found.formUnion(others.found) }

    func with(_ others: ProblemList) -> ProblemList { ProblemList(found: found.union(others.found)) }

    func without(_ others: ProblemList) -> ProblemList { ProblemList(found: found.subtracting(others.found)) }
}
