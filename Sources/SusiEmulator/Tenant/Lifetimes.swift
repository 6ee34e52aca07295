/// Lifetimes in seconds. The defaults are those of Azure AD B2C.
package struct Lifetimes: Hashable, Sendable {
    /// An authorization code.
    package var code: Int64
    package var accessToken: Int64
    package var idToken: Int64
    /// A refresh token, counted from its own issue.
    package var refreshToken: Int64
    /// All refresh tokens of one sign-in, counted from that sign-in.
    package var slidingWindow: Int64
    /// When a client should refresh a valid access token (`refresh_in`); nil omits it.
    package var refreshIn: Int64?
    /// How long clients may cache metadata and keys (`Cache-Control`); 0 forbids it, so that a rotation takes effect at once.
    package var metadata: Int64 = 0
    /// The minimum time between two requests of a waiting device (RFC 8628 section 3.2).
    package var devicePause: Int64 = 5
    package var deviceCode: Int64 = 900

    /// How long a single-page application can refresh the tokens of a sign-in; Azure AD B2C and Entra ID have no setting for it.
    static let singlePageWindow: Int64 = 86_400

    package init(
        code: Int64 = 600, accessToken: Int64 = 3_600, idToken: Int64 = 3_600, refreshToken: Int64 = 14 * 86_400,
        slidingWindow: Int64 = 90 * 86_400
    ) {
        self.code = code
        self.accessToken = accessToken
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.slidingWindow = slidingWindow
    }
}
