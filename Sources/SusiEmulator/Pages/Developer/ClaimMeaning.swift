/// The meaning of claims and of header members.
enum ClaimMeaning {
    static let texts: [String: String] = [
        "acr": "Policy, in lower case", "alg": "Signature algorithm", "at_hash": "Hash of the access token",
        "aud": "Audience", "auth_time": "Time of the sign-in", "azp": "Application that got the token",
        "emails": "Email addresses of the user", "exp": "Expiry", "family_name": "Surname", "given_name": "Given name",
        "iat": "Time of issue", "idp": "Identity provider", "iss": "Issuer", "kid": "ID of the signing key",
        "name": "Display name", "nbf": "Not valid before", "newUser": "The user has just signed up",
        "nonce": "Value from the authorization request", "oid": "Object ID of the user, the same for all applications",
        "preferred_username": "Sign-in name", "scp": "Granted scopes", "sub": "Subject: the user, for this application",
        "tfp": "Policy", "tid": "Tenant ID", "typ": "Type", "ver": "Version of the token format",
    ]

    /// The claims that hold a time, in the order of the page.
    static let times = ["exp", "nbf", "iat", "auth_time"]
}
