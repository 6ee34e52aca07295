/// A message of a server that breaks a rule. No part of it was used.
package struct ProtocolViolation: Error, Hashable, Sendable {
    package let subject: Subject
    /// The description of the violation. It contains no secret.
    package let reason: String
    /// The rule, for example `OpenID Connect Core 3.1.3.7 (9)`.
    package let source: String
    /// What to check first; `nil` if another try may help.
    package let suspect: Suspect?

    /// The maximum length of a reason, which may quote the server.
    private static let longestReason = 500

    /// What is probably wrong, so that the same sign-in would fail again.
    package enum Suspect: Sendable {
        case clock
        /// The claims that the policy or the provider puts into id tokens.
        case personClaims
        /// For which application the id token was issued.
        case audience
        /// The optional claim `auth_time` of the registration.
        case authTime
    }

    package enum Subject: String, Sendable {
        case metadata = "OpenID configuration"
        case keys = "signing keys"
        case redirect = "redirect"
        case tokenResponse = "token response"
        /// Not a token response: a page, a redirect, a status without an error.
        case noTokenResponse = "response of the token endpoint"
        /// A refusal without the error that RFC 6749 section 5.2 requires: some servers send only the status.
        case tokenRefusal = "refusal of the token endpoint"
        /// A response of native authentication before the tokens.
        case nativeResponse = "native authentication"
        case idToken = "id token"
        /// The id token is valid, but its sign-in does not meet the demand (`acr`, `max_age`).
        case demand = "sign-in"
        /// The id token is valid, but it names another person than required.
        case person = "person"
        case clientInfo = "client_info"
        case claimsChallenge = "claims challenge of the API"
        case stepUpChallenge = "step-up challenge of the API"
    }

    package init(_ subject: Subject, _ reason: String, source: String, suspect: Suspect? = nil) {
        self.subject = subject
        self.reason = reason.shortened(to: Self.longestReason)
        self.source = source
        self.suspect = suspect
    }

    /// Returns the violation with a reason that contains none of the secrets.
    package func hiding(_ secrets: SentSecrets) -> ProtocolViolation {
        ProtocolViolation(subject, secrets.hidden(in: reason), source: source, suspect: suspect)
    }
}
