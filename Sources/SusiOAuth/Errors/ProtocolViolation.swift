/// Something that a server sent breaks a rule, and nothing of it was used.
public struct ProtocolViolation: Error, Hashable, Sendable {
    /// What was being read.
    public let subject: Subject
    /// Which rule is broken, with what was found, for a person. It holds no secret.
    public let reason: String
    /// Where the rule stands, for instance `OpenID Connect Core 3.1.3.7 (9)`.
    public let source: String

    /// The messages of a sign-in.
    public enum Subject: String, Sendable {
        case metadata = "the OpenID configuration"
        case keys = "the signing keys"
        case redirect = "the redirect"
        case tokenAnswer = "the token endpoint's answer"
        case idToken = "the id token"
        case clientInfo = "client_info"
        case claimsChallenge = "the API's demand for claims"
    }

    /// Makes a violation.
    public init(_ subject: Subject, _ reason: String, source: String) {
        self.subject = subject
        self.reason = reason
        self.source = source
    }
}
