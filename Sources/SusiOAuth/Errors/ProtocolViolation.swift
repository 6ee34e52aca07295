/// Something that a server sent breaks a rule, and nothing of it was used.
public struct ProtocolViolation: Error, Hashable, Sendable {
    /// What was being read.
    public let subject: Subject
    /// Which rule is broken, with what was found, for a person. It holds no secret.
    public let reason: String
    /// Where the rule stands, for instance `OpenID Connect Core 3.1.3.7 (9)`.
    public let source: String
    /// What a person can do about it; nil for trying the sign-in again.
    public let next: String?

    /// A longer reason quotes too much of what the server sent.
    private static let longestReason = 500

    /// The messages of a sign-in.
    public enum Subject: String, Sendable {
        case metadata = "OpenID configuration"
        case keys = "signing keys"
        case redirect = "redirect"
        case tokenAnswer = "token response"
        /// No answer at all: a page, the way elsewhere, a status without a word.
        case noTokenAnswer = "response of the token endpoint"
        /// A refusal that leaves out the error which RFC 6749 section 5.2 wants: some servers say no more than the status.
        case tokenRefusal = "refusal of the token endpoint"
        case idToken = "id token"
        /// The id token is right, and the sign-in that it tells of is not the one that was demanded (`acr`, `max_age`).
        case demand = "sign-in"
        /// Everything else of an id token is right, and it names somebody else than it must.
        case person = "person"
        case clientInfo = "client_info"
        case claimsChallenge = "claims challenge of the API"
        case stepUpChallenge = "step-up challenge of the API"
    }

    /// Makes a violation.
    public init(_ subject: Subject, _ reason: String, source: String, next: String? = nil) {
        self.subject = subject
        self.reason = reason.shortened(to: Self.longestReason)
        self.source = source
        self.next = next
    }
}
