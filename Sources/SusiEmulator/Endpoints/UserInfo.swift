import HTTPTypes
import SusiBase
import SusiJourneys
import SusiPolicies

/// The user-info endpoint (OpenID Connect Core section 5.3).
enum UserInfo {
    static func respond(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        let trace = JourneyTrace()
        var response: Response
        do { response = .json(.object(try claims(endpoint, context, trace))) } catch let refusal as APIRefusal {
            response = refusal.response(realm: endpoint.tenant.label)
        } catch let refusal as Refusal {
            response = try endpoint.json(refusal, context)
        }
        response.facts.journey = trace.lines
        return response
    }

    private static func claims(
        _ endpoint: PolicyEndpoint, _ context: RequestContext, _ trace: JourneyTrace
    ) throws -> [String: JSON] {
        // RFC 6750 section 3: the response to a request without a token names no error.
        guard let text = context.bearerToken else { throw APIRefusal(.unauthorized) }
        let token: JSON
        do {
            token = try endpoint.tenant.claims(ofAccessToken: text, now: context.now)
        } catch let refused as TokenVerifier.Refused {
            throw APIRefusal(.unauthorized, error: "invalid_token", reason: refused.reason)
        }
        let issuer = endpoint.dialect.issuer(ofToken: token, in: endpoint.tenant, origin: endpoint.origin)
        if endpoint.custom != nil {
            guard token["iss"]?.string == issuer else { throw APIRefusal.wrongEndpoint }
            let facts = RequestFacts(endpoint, context, context.query.all, id: randomGUID())
            let journey = JourneyGrant(
                endpoint: endpoint, clientID: token["aud"]?.string ?? "", now: context.now, facts: facts, trace: trace)
            return try journey.userInfo(token)
        }
        guard token["iss"]?.string == issuer, let user = try endpoint.tenant.user(ofToken: token) else {
            throw APIRefusal.wrongEndpoint
        }
        return try endpoint.dialect.userInfo(user, token: token)
    }

    /// The scopes of a token; nil for an id token, which is signed with the same key. Microsoft's tokens have them in `scp`.
    static func scopes(_ token: JSON) -> [String]? {
        (token["scope"]?.string ?? token["scp"]?.string)?.split(separator: " ").map(String.init)
    }

    /// The claims of the scopes `profile` and `email` (OpenID Connect Core section 5.4).
    static func claims(of user: User, _ scopes: [String]) -> [String: JSON] {
        var claims: [String: JSON] = ["sub": .string(user.objectID)]
        if scopes.contains("profile") {
            claims["name"] = .string(user.displayName)
            claims["given_name"] = user.givenName.isEmpty ? nil : .string(user.givenName)
            claims["family_name"] = user.surname.isEmpty ? nil : .string(user.surname)
            claims["preferred_username"] = .string(user.signInName)
        }
        if scopes.contains("email"), let email = user.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(true)
        }
        return claims
    }
}

extension APIRefusal {
    static var wrongEndpoint: APIRefusal {
        APIRefusal(.unauthorized, error: "invalid_token", reason: "The token is not valid for this endpoint")
    }
}

extension Tenant {
    /// The user of a token, by object id, or by a subject that is one.
    func user(ofToken claims: JSON) throws -> User? {
        guard let id = claims["oid"]?.string ?? claims["sub"]?.string else { return nil }
        return try database.user(objectID: id)
    }
}
