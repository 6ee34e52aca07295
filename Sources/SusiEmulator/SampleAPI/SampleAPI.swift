import HTTPTypes
import SusiBase
import SusiPolicies

/// A web API, which verifies tokens like a real one, with only the tenant's published keys.
struct SampleAPI: Sendable {
    let tenant: Tenant
    let api: RegisteredAPI
    let origin: String
    /// The path below the API.
    let rest: String

    /// The API of a path; if several tenants have it, that of the tenant with the token's key.
    static func find(_ site: Site, _ context: RequestContext, origin: String) throws -> SampleAPI? {
        var found: [SampleAPI] = []
        for tenant in site.tenants {
            for api in tenant.configuration.servedAPIs {
                guard let rest = api.rest(of: context.path) else { continue }
                found.append(SampleAPI(tenant: tenant, api: api, origin: origin, rest: rest))
            }
        }
        let nearest = found.map(\.rest.utf8.count).min()
        found.removeAll { $0.rest.utf8.count != nearest }
        guard found.count > 1, let token = context.bearerToken else { return found.first }
        return try found.first { try $0.tenant.verifier(now: context.now).knowsKey(of: token) } ?? found.first
    }

    func respond(to context: RequestContext) throws -> Response {
        if api.isGraph { return try GraphAPI(api: self).respond(to: context) }
        return try HelloAPI(api: self).respond(to: context)
    }

    /// The claims of the request's token. Throws unless the token is for this API and has one of its scopes and roles.
    func claims(_ context: RequestContext) throws(APIRefusal) -> JSON {
        guard let token = context.bearerToken else { throw APIRefusal(.unauthorized) }
        let claims: JSON
        do {
            claims = try tenant.claims(ofAccessToken: token, now: context.now)
            try checkIssuerAndAudience(claims)
        } catch let refused as TokenVerifier.Refused {
            throw APIRefusal(.unauthorized, error: "invalid_token", reason: refused.reason)
        } catch { throw APIRefusal(.unauthorized, error: "invalid_token", reason: "The token cannot be verified") }
        if let missing = missingScope(claims) {
            throw APIRefusal(
                .forbidden, error: "insufficient_scope", reason: "The token does not have the scope \(missing)",
                scope: api.resource.isEmpty ? missing : "\(api.resource)/\(missing)")
        }
        guard api.roles.isEmpty || !Self.roles(claims).isDisjoint(with: api.roles) else {
            throw APIRefusal(
                .forbidden, error: "insufficient_scope",
                reason: "The token does not have the role \(api.roles.joined(separator: " or "))")
        }
        return claims
    }

    // Custom policies send one role as a text.
    private static func roles(_ claims: JSON) -> Set<String> {
        guard case .array(let roles)? = claims["roles"] else { return Set(claims["roles"]?.string.map { [$0] } ?? []) }
        return Set(roles.compactMap(\.string))
    }

    private func checkIssuerAndAudience(_ claims: JSON) throws(TokenVerifier.Refused) {
        let dialect = tenant.configuration.kind.dialect
        guard let issuer = dialect.issuer(ofToken: claims, in: tenant, origin: origin) else {
            throw TokenVerifier.Refused("The token has an unknown policy")
        }
        guard claims["iss"]?.string == issuer else { throw TokenVerifier.Refused("The token has a different issuer") }
        let audiences: [JSON] = if case .array(let all)? = claims["aud"] { all } else { [claims["aud"] ?? .null] }
        guard audiences.contains(.string(api.id)) else {
            throw TokenVerifier.Refused("The token has a different audience; this API is \(api.id)")
        }
    }

    // One scope of the API is enough.
    private func missingScope(_ claims: JSON) -> String? {
        let scopes = (claims["scp"] ?? claims["scope"])?.string
        // The permissions of an application itself are roles.
        let granted = scopes.map { Set($0.split(separator: " ").map(String.init)) } ?? Self.roles(claims)
        let parts = api.isGraph ? tenant.configuration.servedAPIs.filter(\.isGraph) : [api]
        let isThere = parts.contains { part in
            zip(part.scopes, part.fullScopes).contains { granted.contains($0) || granted.contains($1) }
        }
        return isThere ? nil : api.scopes.first ?? "user_impersonation"
    }
}

/// Why an API refuses a request (RFC 6750 section 3).
struct APIRefusal: Error {
    let status: HTTPResponse.Status
    let error: String?
    let reason: String?
    let scope: String?

    init(_ status: HTTPResponse.Status, error: String? = nil, reason: String? = nil, scope: String? = nil) {
        self.status = status
        self.error = error
        self.reason = reason
        self.scope = scope
    }

    /// The response with the refusal as a challenge.
    func response(realm: String, more: [(String, String?)] = []) -> Response {
        let fields = [("realm", realm), ("error", error), ("error_description", reason), ("scope", scope)] + more
        let text = fields.compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }.joined(separator: ", ")
        var response = Response(status: status, note: error.map { "\($0) \(reason ?? "")" })
        response.headers[.wwwAuthenticate] = "Bearer \(text)"
        response.facts.code = error
        response.facts.reason = reason ?? "The request has no access token"
        return response
    }
}

extension RegisteredAPI {
    /// The rest of a path below this API's address; nil if the path is not below it.
    func rest(of path: String) -> String? {
        for base in [samplePath, self.path] {
            if path == base { return "" }
            if path.hasPrefix(base + "/") { return String(path.dropFirst(base.count + 1)) }
        }
        return nil
    }
}
