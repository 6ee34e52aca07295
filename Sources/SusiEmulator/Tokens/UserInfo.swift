import HTTPTypes
import SusiPolicies

/// The user-info endpoint (OpenID Connect Core section 5.3).
enum UserInfo {
    static func answer(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        guard let token = context.bearerToken else { return challenge(endpoint) }
        let claims: JSON
        do {
            claims = try endpoint.tenant.claims(ofAccessToken: token, now: context.now)
        } catch let refused as TokenVerifier.Refused {
            return challenge(endpoint, refused.reason)
        }
        // An id token is signed with the same key, but carries no scope; that of Microsoft is in `scp`.
        let scopes = claims["scope"]?.string ?? claims["scp"]?.string
        let isOwn =
            claims["iss"]?.string
            == endpoint.dialect.issuer(ofToken: claims, in: endpoint.tenant, origin: endpoint.origin)
        guard isOwn, scopes != nil || endpoint.tenant.configuration.kind == .b2c,
            let user = try endpoint.tenant.user(ofToken: claims)
        else { return challenge(endpoint, "The token is not valid for this endpoint") }
        guard endpoint.tenant.configuration.kind != .b2c else { return try .json(b2c(user)) }
        let words = (scopes ?? "").split(separator: " ").map(String.init)
        // It is for tokens of OpenID Connect (section 5.3). Microsoft's name the scopes of an API alone.
        guard words.contains("openid") || endpoint.tenant.configuration.kind != .openid else {
            return APIRefusal(
                .forbidden, error: "insufficient_scope", reason: "The token does not have the scope openid",
                scope: "openid"
            ).answer(realm: endpoint.tenant.label)
        }
        var answer = self.claims(of: user, words)
        if endpoint.tenant.configuration.kind != .openid { answer["email_verified"] = nil }
        // The same subject as in the id token (OpenID Connect Core section 5.3.2).
        answer["sub"] = claims["sub"]
        return try .json(.object(answer))
    }

    /// What the scopes `profile` and `email` give (OpenID Connect Core section 5.4).
    static func claims(of user: User, _ scopes: [String]) -> [String: JSON] {
        var claims: [String: JSON] = ["sub": .string(user.objectID)]
        if scopes.contains("profile") {
            claims["name"] = .string(user.displayName)
            claims["given_name"] = .string(user.givenName)
            claims["family_name"] = .string(user.surname)
            claims["preferred_username"] = .string(user.signInName)
        }
        if scopes.contains("email"), let email = user.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(true)
        }
        return claims
    }

    private static func b2c(_ user: User) -> JSON {
        var claims = user.b2cClaims
        claims["objectId"] = .string(user.objectID)
        return .object(claims)
    }

    // RFC 6750 section 3: a request without a token learns no error.
    private static func challenge(_ endpoint: PolicyEndpoint, _ reason: String? = nil) -> Response {
        APIRefusal(.unauthorized, error: reason.map { _ in "invalid_token" }, reason: reason)
            .answer(realm: endpoint.tenant.label)
    }
}

extension Tenant {
    /// The person whom a token names: by object id, or by a subject that is one.
    func user(ofToken claims: JSON) throws -> User? {
        guard let id = claims["oid"]?.string ?? claims["sub"]?.string else { return nil }
        return try database.user(objectID: id)
    }
}
