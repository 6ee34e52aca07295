/// The scopes of OpenID Connect itself (OpenID Connect Core 5.4 and 11). They belong to no API.
package enum OpenIDScopes {
    /// The scopes that every sign-in requests beside those of an API.
    package static let requested = ["openid", "profile", "offline_access"]
    /// Every scope that names no API.
    package static let all = requested + ["email"]
}
