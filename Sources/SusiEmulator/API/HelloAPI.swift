import HTTPTypes
import SusiPolicies

/// The sample web API. It checks a token as a real one would: it knows the tenant's published keys and nothing else.
struct HelloAPI: Sendable {
    let tenant: Tenant
    let api: RegisteredAPI
    let origin: String

    func answer(_ visit: Visit) throws -> Answer {
        guard visit.method == .get || visit.method == .post else {
            return Answer(status: .methodNotAllowed).setting("Allow", "GET, POST")
        }
        guard let token = bearerToken(visit) else { return challenge(.unauthorized) }
        let claims: JSON
        do {
            claims = try TokenVerifier(keys: tenant.keySet, now: visit.now).claims(of: token)
            try checkIssuerAndAudience(claims)
        } catch let refused as TokenVerifier.Refused {
            return challenge(.unauthorized, error: "invalid_token", reason: refused.reason)
        }
        guard let missing = missingScope(claims) else { return try greeting(claims, visit) }
        return challenge(
            .forbidden, error: "insufficient_scope", reason: "The token lacks the scope \(missing)",
            scope: "\(api.resource)/\(missing)")
    }

    // RFC 6750 section 2.1; the scheme's name compares without case.
    private func bearerToken(_ visit: Visit) -> String? {
        guard let value = visit.headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    private func checkIssuerAndAudience(_ claims: JSON) throws(TokenVerifier.Refused) {
        guard let policy = claims["tfp"]?.string,
            let registered = tenant.configuration.policies.first(where: { $0.name.spelling == policy })
        else { throw TokenVerifier.Refused("The token's policy is unknown") }
        let place = Place(
            tenant: tenant, origin: origin, form: .path, tenantSpelling: tenant.configuration.name, policy: registered)
        guard claims["iss"]?.string == place.issuer else {
            throw TokenVerifier.Refused("The token's issuer is another")
        }
        guard claims["aud"]?.string == api.id else {
            throw TokenVerifier.Refused("The token's audience is another: this API is \(api.id)")
        }
    }

    // Every scope of the sample is read-only in spirit: one of them is enough for GET and POST.
    private func missingScope(_ claims: JSON) -> String? {
        let granted = (claims["scp"]?.string ?? "").split(separator: " ").map(String.init)
        return api.scopes.contains { granted.contains($0) } ? nil : api.scopes.first ?? "user_impersonation"
    }

    private func greeting(_ claims: JSON, _ visit: Visit) throws -> Answer {
        var body: JSON?
        if visit.method == .post, !visit.body.isEmpty {
            do { body = try JSON(parsing: visit.body) } catch {
                return try .json(
                    ["error": "invalid_request", "error_description": "The body is no JSON"], status: .badRequest)
            }
        }
        return try .json([
            "message": .string("Hello, \(claims["name"]?.string ?? "whoever you are")"),
            "policy": claims["tfp"], "oid": claims["oid"], "method": .string(visit.method.rawValue), "body": body,
        ])
    }

    // RFC 6750 section 3: a request without a token learns no error.
    private func challenge(
        _ status: HTTPResponse.Status, error: String? = nil, reason: String? = nil, scope: String? = nil
    ) -> Answer {
        let fields = [("realm", api.name), ("error", error), ("error_description", reason), ("scope", scope)]
        let text = fields.compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }.joined(separator: ", ")
        var answer = Answer(status: status, note: error.map { "\($0) \(reason ?? "")" })
        answer.headers[.wwwAuthenticate] = "Bearer \(text)"
        return answer
    }
}
