import Susi
import Testing

/// A server's response that is invalid, or unusual but valid.
struct Case: Sendable, CustomTestStringConvertible {
    /// A short description.
    let name: String
    /// The clause or error code that decides: OpenID Connect, an RFC, AADB2C, AADSTS.
    let source: String
    let expected: Outcome
    let provider: Provider
    let change: @Sendable (inout Script) throws -> Void

    /// The outcome of a sign-in or a refresh.
    enum Outcome: Sendable {
        case accepted
        /// Refused with this code, and with this text in the error; nothing is stored.
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

/// A case of a refresh, with the refresh token that is stored afterwards.
struct RefreshCase: Sendable, CustomTestStringConvertible {
    let row: Case
    /// The refresh token that is stored afterwards; nil if it was removed.
    let kept: String?

    /// Makes a case; `kept` is the first refresh token unless a case names another value.
    init(
        _ name: String, _ source: String, _ expected: Case.Outcome, at provider: Provider = .b2c,
        kept: String? = "rt-1", _ change: @escaping @Sendable (inout Script) throws -> Void
    ) {
        row = Case(name, source, expected, at: provider, change)
        self.kept = kept
    }

    var testDescription: String { row.testDescription }
}
