import SusiPolicies

/// Azure AD B2C: `/TENANT/POLICY/…`, `/tfp/TENANT/POLICY/…` and `/TENANT/…?p=POLICY`.
struct B2CShape: TenantShape {
    func path(of endpoint: Endpoint) -> String? {
        switch endpoint {
        case .metadata: "v2.0/.well-known/openid-configuration"
        case .keys: "discovery/v2.0/keys"
        case .authorize: "oauth2/v2.0/authorize"
        case .token: "oauth2/v2.0/token"
        case .logout: "oauth2/v2.0/logout"
        case .userInfo: "openid/v2.0/userinfo"
        case .revocation, .deviceAuthorization, .deviceVerification: nil
        }
    }

    // Addresses have the policy in lower case, whatever was asked: MSAL for JavaScript swaps policies in them so.
    func place(
        _ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String
    ) -> (Place, rest: [String])? {
        var rest = segments[...]
        let prefix = rest.first?.lowercased() == "tfp" ? "/tfp" : ""
        if !prefix.isEmpty { rest.removeFirst() }
        guard let spelling = rest.popFirst().flatMap(tenant.spelling) else { return nil }
        if let policy = rest.first.flatMap({ self.policy($0, of: tenant) }) {
            rest.removeFirst()
            let path = "/\(spelling)/\(policy.name.lowercased)"
            let place = Place(
                tenant: tenant, origin: origin, base: prefix + path, pages: path, policy: policy)
            return (place, Array(rest))
        }
        guard let policy = query["p"].flatMap({ self.policy($0, of: tenant) }) else { return nil }
        let place = Place(
            tenant: tenant, origin: origin, base: "\(prefix)/\(spelling)",
            query: "?p=\(percentEncoded(policy.name.lowercased))", pages: "/\(spelling)/\(policy.name.lowercased)",
            policy: policy)
        return (place, Array(rest))
    }

    private func policy(_ name: String, of tenant: Tenant) -> Policy? {
        tenant.configuration.policies.first { $0.name == PolicyName(name) }
    }

    func place(of policy: Policy, in tenant: Tenant, origin: String) -> Place {
        let base = "/\(tenant.configuration.name)/\(policy.name.lowercased)"
        return Place(tenant: tenant, origin: origin, base: base, pages: base, policy: policy)
    }

    func issuer(_ place: Place) -> String {
        let id = place.tenant.configuration.id
        return switch place.tenant.configuration.issuerForm {
        case .tenant, .trailingSlash: "\(place.origin)/\(id)/v2.0/"
        case .policy: "\(place.origin)/tfp/\(id)/\(place.policy.name)/v2.0/"
        }
    }

    func issuer(ofToken claims: JSON, in tenant: Tenant, origin: String) -> String? {
        let policy = tenant.configuration.policies.first { policy in
            if let name = claims["tfp"]?.string { return name == policy.name.spelling }
            return claims["acr"]?.string == policy.name.lowercased
        }
        return policy.map { issuer(place(of: $0, in: tenant, origin: origin)) }
    }

    func metadata(_ place: Place) -> [String: JSON] {
        [
            "response_modes_supported": ["query", "fragment", "form_post"],
            "scopes_supported": ["openid"],
            "subject_types_supported": ["pairwise"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "claims_supported": .array(
                [
                    "oid", "sub", "newUser", "name", "given_name", "family_name", "emails", "idp",
                    place.settings.policyClaim.rawValue, "iss", "iat", "nbf", "exp", "aud", "nonce", "auth_time",
                    "at_hash", "c_hash",
                ].map(JSON.string) + (place.settings.attributes ?? []).map { .string($0.name) }),
        ]
    }

    var responseTypes: [String] {
        [
            "code", "code id_token", "code token", "code id_token token", "id_token", "id_token token", "token",
            "token id_token",
        ]
    }

    var challengeMethods: [Challenge.Method] { [.s256, .plain] }

    func takes(_ grant: GrantType, at place: Place) -> Bool {
        switch grant {
        case .authorizationCode, .refreshToken, .clientCredentials: true
        case .password: place.policy.kind == .resourceOwner
        case .deviceCode, .oneTimeCode, .factorCode, .continuation: false
        }
    }

    var scopes: ScopeRules {
        ScopeRules(
            openID: ["openid", "profile", "offline_access"], demandsResource: true, takesDefault: true,
            takesClientID: true)
    }

    func refusal(of user: User, at place: Place) -> Refusal? { nil }

    func idClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        let user = issuer.user
        var claims = user.b2cClaims
        claims["ver"] = "1.0"
        claims["nbf"] = .integer(issuer.now)
        claims["auth_time"] = .integer(issuer.grant.authTime)
        claims["oid"] = .string(user.objectID)
        claims["sub"] = subject(user, issuer.place)
        name(issuer.place, in: &claims)
        if issuer.grant.isNewUser, !issuer.isRefresh { claims["newUser"] = .bool(true) }
        return claims
    }

    func accessClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        var claims = issuer.user.b2cAttributes
        claims["ver"] = "1.0"
        claims["nbf"] = .integer(issuer.now)
        claims["sub"] = subject(issuer.user, issuer.place)
        claims["oid"] = .string(issuer.user.objectID)
        claims["name"] = .string(issuer.user.displayName)
        claims["azp"] = .string(issuer.grant.clientID)
        name(issuer.place, in: &claims)
        if case .api = issuer.scopes.resource { claims["scp"] = .string(issuer.scopes.shortNames) }
        claims["nonce"] = issuer.nonce.map(JSON.string)
        return claims
    }

    private func subject(_ user: User, _ place: Place) -> JSON {
        switch place.settings.subject {
        case .objectID: .string(user.objectID)
        case .notSupported: "Not supported currently. Use oid claim."
        }
    }

    // Which policy a token comes from.
    private func name(_ place: Place, in claims: inout [String: JSON]) {
        switch place.settings.policyClaim {
        case .tfp: claims["tfp"] = .string(place.policy.name.spelling)
        case .acr: claims["acr"] = .string(place.policy.name.lowercased)
        }
    }

    func answer(_ issuer: TokenIssuer) throws -> [String: JSON] {
        let lifetimes = issuer.place.lifetimes
        var answer: [String: JSON] = ["token_type": "Bearer", "not_before": .integer(issuer.now)]
        if let audience = issuer.audience {
            answer["expires_on"] = .integer(issuer.now + lifetimes.accessToken)
            answer["resource"] = audience
        }
        if issuer.audience == nil || issuer.isPassword { answer["id_token_expires_in"] = .integer(lifetimes.idToken) }
        if issuer.isPassword { answer["profile_info"] = .string(try profileInfo(issuer)) }
        return answer
    }

    // As a captured token has them; the documentation says that the subject is the service principal.
    func applicationClaims(_ token: ApplicationToken) -> [String: JSON] {
        var claims: [String: JSON] = [
            "ver": "2.0", "nbf": .integer(token.now), "sub": .string(token.clientID), "oid": .string(token.objectID),
            "azp": .string(token.clientID), "azpacr": "1", "tid": .string(token.place.tenant.configuration.id),
            "scp": .string(token.scopes.shortNames), "correlationId": .string(randomGUID()),
        ]
        name(token.place, in: &claims)
        return claims
    }

    func applicationAnswer(_ token: ApplicationToken) -> [String: JSON] {
        [
            "token_type": "Bearer", "not_before": .integer(token.now),
            "expires_on": .integer(token.now + token.lifetime), "resource": token.audience,
        ]
    }

    // A captured AADB2C90081 has status 400.
    var challengesClients: Bool { false }

    // What older answers and those of ROPC add: who signed in, as base64url JSON.
    private func profileInfo(_ issuer: TokenIssuer) throws -> String {
        let info: JSON = [
            "ver": "1.0", "tid": .string(issuer.place.tenant.configuration.id), "sub": .null,
            "name": .string(issuer.user.displayName), "preferred_username": .null, "idp": .null,
        ]
        return base64URL(try info.encoded())
    }

    func clientInfo(of user: User, at place: Place) throws -> String? {
        let info: JSON = [
            "uid": .string("\(user.objectID)-\(place.policy.name.lowercased)"),
            "utid": .string(place.tenant.configuration.id),
        ]
        return base64URL(try info.encoded())
    }

    func message(of refusal: Refusal, now: Int64) -> RefusalMessage {
        let code = "AADB2C\(refusal.code.b2c.number)"
        let correlation = randomGUID()
        let text = "\(code): \(refusal.text)\r\nCorrelation ID: \(correlation)\r\nTimestamp: \(timestamp(now))\r\n"
        return RefusalMessage(
            error: refusal.code.b2c.error, text: text, note: "\(code) \(refusal.text)", code: code,
            correlationID: correlation)
    }

    var landing: LandingRule { .anywhereWithoutHint }

    var asksConsent: Bool { false }
}

extension User {
    /// The attributes that a policy collected, and who vouches for the person where that is not the tenant itself.
    var b2cAttributes: [String: JSON] {
        var claims = attributes.mapValues(JSON.string)
        claims["idp"] = identityProvider.map(JSON.string)
        return claims
    }

    /// What an id token and the user-info endpoint say of a person. What is not known is left out, as the service does.
    var b2cClaims: [String: JSON] {
        var claims = b2cAttributes
        claims["sub"] = .string(objectID)
        claims["name"] = .string(displayName)
        claims["given_name"] = givenName.isEmpty ? nil : .string(givenName)
        claims["family_name"] = surname.isEmpty ? nil : .string(surname)
        claims["emails"] = email.map { .array([.string($0)]) }
        return claims
    }
}
