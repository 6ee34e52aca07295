/// What the claims and header fields mean that a person may meet in a token: one row each (RFC 7519 4.1, OpenID Connect
/// Core 2 and 5.1, Azure AD B2C and Entra ID).
public struct ClaimMeaning: Hashable, Sendable {
    /// The claim's name.
    public let name: String
    /// What it says.
    public let meaning: String
    /// Whether its number is a time in seconds since 1970.
    public let isTime: Bool

    /// The row of a name.
    public static func row(_ name: String) -> ClaimMeaning? { table.first { $0.name == name } }

    /// All rows, by name.
    public static let table: [ClaimMeaning] = [
        row("acr", "how the person was authenticated; in B2C the policy"),
        row("alg", "the algorithm of the signature"),
        row("amr", "the methods of the sign-in"),
        row("appid", "the application that asked for it"),
        row("at_hash", "ties it to an access token"),
        row("aud", "whom it is for"),
        row("auth_time", "when the person signed in", isTime: true),
        row("azp", "the application that asked for it"),
        row("c_hash", "ties it to a code"),
        row("email", "the person’s address"),
        row("email_verified", "whether the provider checked the address"),
        row("emails", "the person’s addresses"),
        row("enc", "the algorithm of the encryption"),
        row("exp", "when it ends", isTime: true),
        row("family_name", "the person’s last name"),
        row("given_name", "the person’s first name"),
        row("groups", "the groups of the person"),
        row("iat", "when it was issued", isTime: true),
        row("idp", "where the person signed in"),
        row("isForgotPassword", "whether the password was being reset"),
        row("iss", "who issued it"),
        row("jti", "its own id"),
        row("kid", "the key of the signature"),
        row("name", "the person’s name"),
        row("nbf", "from when on it is valid", isTime: true),
        row("newUser", "whether the sign-in created the person"),
        row("nonce", "ties it to the sign-in that asked for it"),
        row("oid", "the person’s object id in the tenant"),
        row("preferred_username", "the person’s user name, which may change"),
        row("roles", "the roles in the application"),
        row("scope", "the scopes that were granted"),
        row("scp", "the scopes that were granted"),
        row("sid", "the session at the provider"),
        row("sub", "the person or application, as the issuer names it"),
        row("tfp", "the policy of B2C"),
        row("tid", "the tenant"),
        row("typ", "what it is"),
        row("updated_at", "when the profile changed", isTime: true),
        row("upn", "the person’s user name"),
        row("ver", "the version of its form"),
        row("wids", "the administrator’s roles"),
        row("x5t", "the certificate of the key"),
    ]

    private static func row(_ name: String, _ meaning: String, isTime: Bool = false) -> ClaimMeaning {
        ClaimMeaning(name: name, meaning: meaning, isTime: isTime)
    }
}
