import Susi
import Testing

/// One way in which a server can be wrong, or strange and right.
struct Case: Sendable, CustomTestStringConvertible {
    /// What happens.
    let name: String
    /// The clause or the code that decides: OpenID Connect, an RFC, AADB2C, AADSTS.
    let source: String
    /// How it has to end.
    let expected: Outcome
    let provider: Provider
    let change: @Sendable (inout Script) throws -> Void

    /// How a sign-in or a refresh ends.
    enum Outcome: Sendable {
        /// It is taken.
        case accepted
        /// It is refused with this code and with these words in what is said; nothing is stored.
        case refused(SusiError.Code, String)
    }

    init(
        _ name: String, _ source: String, _ expected: Outcome, at provider: Provider = .b2c,
        _ change: @escaping @Sendable (inout Script) throws -> Void
    ) {
        self.name = name
        self.source = source
        self.expected = expected
        self.provider = provider
        self.change = change
    }

    var testDescription: String { "\(name) (\(source))" }
}

/// The same for a refresh: what becomes of the refresh token is part of it.
struct RefreshCase: Sendable, CustomTestStringConvertible {
    let row: Case
    /// The refresh token that is stored afterwards; nil when it was dropped.
    let kept: String?

    /// `kept` is the first one unless a case says otherwise.
    init(
        _ name: String, _ source: String, _ expected: Case.Outcome, at provider: Provider = .b2c,
        kept: String? = "rt-1", _ change: @escaping @Sendable (inout Script) throws -> Void
    ) {
        row = Case(name, source, expected, at: provider, change)
        self.kept = kept
    }

    var testDescription: String { row.testDescription }
}
