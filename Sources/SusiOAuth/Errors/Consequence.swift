/// The way a program continues after a refusal.
package enum Consequence: String, CaseIterable, Sendable {
    /// Run the password-reset policy, then the sign-in again.
    case resetPassword
    case cancelled
    /// The refresh token will never be accepted again: sign in.
    case signIn
    /// A page is needed this time; the refresh token may be used again afterwards.
    case interact
    /// The person or an administrator has not consented yet; the consent page asks.
    case consent
    /// Only an administrator can consent.
    case adminConsent
    /// The person has not decided yet: poll again (RFC 8628 3.5).
    case pending
    /// The registration or the configuration is wrong.
    case misconfigured
    /// Wait and try again.
    case retryLater
    /// A mistake of this program or of the server.
    case failed
}
