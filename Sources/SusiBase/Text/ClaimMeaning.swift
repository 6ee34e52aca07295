/// The meaning of a claim or header field of a token (RFC 7519 4.1, OpenID Connect
/// Core 2 and 5.1, Azure AD B2C and Entra ID).
package struct ClaimMeaning: Hashable, Sendable {
    package let name: String
    package let meaning: String
    /// Whether the value is a time in seconds since 1970.
    package let isTime: Bool

    package static func row(_ name: String) -> ClaimMeaning? { table.first { $0.name == name } }

    package static let table: [ClaimMeaning] = [
        row("acr", "authentication context; in B2C the policy"),
        row("alg", "signature algorithm"),
        row("amr", "authentication methods"),
        row("appid", "client that requested the token"),
        row("at_hash", "hash of the access token"),
        row("aud", "audience"),
        row("auth_time", "time of the sign-in", isTime: true),
        row("azp", "client that requested the token"),
        row("c_hash", "hash of the authorization code"),
        row("email", "email address"),
        row("email_verified", "whether the provider verified the email address"),
        row("emails", "email addresses"),
        row("enc", "encryption algorithm"),
        row("exp", "expiry time", isTime: true),
        row("family_name", "last name"),
        row("given_name", "first name"),
        row("groups", "groups of the user"),
        row("iat", "time of issue", isTime: true),
        row("idp", "identity provider"),
        row("isForgotPassword", "whether the user asked for a password reset"),
        row("iss", "issuer"),
        row("jti", "token id"),
        row("kid", "id of the signing key"),
        row("name", "display name"),
        row("nbf", "not valid before this time", isTime: true),
        row("newUser", "whether this sign-in created the user"),
        row("nonce", "ties the token to its request"),
        row("oid", "object ID of the user in the tenant"),
        row("preferred_username", "user name, which can change"),
        row("roles", "application roles"),
        row("scope", "granted scopes"),
        row("scp", "granted scopes"),
        row("sid", "session at the provider"),
        row("sub", "subject: the user or client, as the issuer identifies it"),
        row("tfp", "B2C policy"),
        row("tid", "tenant id"),
        row("typ", "token type"),
        row("updated_at", "time of the last profile change", isTime: true),
        row("upn", "user principal name"),
        row("ver", "version of the token format"),
        row("wids", "administrator roles"),
        row("x5t", "thumbprint of the signing certificate"),
    ]

    private static func row(_ name: String, _ meaning: String, isTime: Bool = false) -> ClaimMeaning {
        ClaimMeaning(name: name, meaning: meaning, isTime: isTime)
    }
}
