import HTTPTypes
import SusiBase
import SusiPolicies

/// A plain OpenID provider: everything below its own address, which is its issuer.
struct OpenIDDialect: TenantDialect {
    let traits: TenantTraits = {
        var traits = TenantTraits(
            title: "Local OpenID provider",
            responseTypes: [
                "code", "id_token", "id_token token", "code id_token", "code token", "code id_token token",
            ],
            scopes: ScopeRules(
                openID: ["openid", "profile", "email", "offline_access"], mixesResources: true, impliesUserInfo: true,
                namesOpenID: true, widensOnRefresh: false),
            landing: .registeredForNamedClient)
        traits.grants.append(.deviceCode)
        // The metadata lists only what some application may use.
        traits.announcesImplicitFlow = false
        // RFC 9700 section 2.1.1: only S256 does not reveal the verifier in the request.
        traits.challengeMethods = [.s256]
        traits.announcesChallengeMethods = true
        // RFC 9068 section 2.1.
        traits.accessTokenType = "at+jwt"
        traits.redirectTypes = .unsupported
        traits.claims = ["email", "email_verified", "family_name", "given_name", "name", "preferred_username"]
        traits.defaults = TenantDefaults(refreshRotation: .strict, issuerParameter: .announced, algorithm: .es256)
        traits.issuerForms = [.tenant, .trailingSlash]
        return traits
    }()

    func path(of endpoint: Endpoint) -> String? {
        switch endpoint {
        case .metadata: ".well-known/openid-configuration"
        case .keys: "jwks"
        case .authorize: "authorize"
        case .token: "token"
        case .logout: "logout"
        case .userInfo: "userinfo"
        case .revocation: "revoke"
        case .deviceAuthorization: "device/code"
        case .deviceVerification: "device"
        }
    }

    func endpoint(
        _ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String
    ) -> (PolicyEndpoint, rest: [String])? {
        let name = tenant.configuration.name.split(separator: "/").map(String.init)
        guard segments.starts(with: name) else { return nil }
        return (endpoint(of: tenant.signInPolicy, in: tenant, origin: origin), Array(segments.dropFirst(name.count)))
    }

    func endpoint(of policy: Policy, in tenant: Tenant, origin: String) -> PolicyEndpoint {
        let base = tenant.configuration.name.isEmpty ? "" : "/\(tenant.configuration.name)"
        return PolicyEndpoint(tenant: tenant, origin: origin, base: base, pages: base, policy: policy)
    }

    func issuer(_ endpoint: PolicyEndpoint) -> String {
        endpoint.origin + endpoint.base + (endpoint.tenant.configuration.issuerForm == .trailingSlash ? "/" : "")
    }

    func issuer(ofToken claims: JSON, in tenant: Tenant, origin: String) -> String? {
        issuer(endpoint(of: tenant.signInPolicy, in: tenant, origin: origin))
    }

    func metadata(_ endpoint: PolicyEndpoint) -> [String: JSON] {
        [
            "response_modes_supported": ["query", "fragment", "form_post"],
            "grant_types_supported": .array(grants(at: endpoint).map { .string($0.rawValue) }),
            "scopes_supported": .array(traits.scopes.openID.map(JSON.string)),
            "subject_types_supported": ["public"],
            "token_endpoint_auth_methods_supported": .array(authenticationMethods(endpoint.tenant.configuration)),
            "prompt_values_supported": .array(traits.prompts.map(JSON.string)),
            "claims_parameter_supported": .bool(true), "request_uri_parameter_supported": .bool(false),
            "claims_supported": [
                "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "name", "given_name",
                "family_name", "preferred_username", "email", "email_verified", "acrs",
            ],
        ]
    }

    func idClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        var claims = UserInfo.claims(of: issuer.user, issuer.scopes.openID)
        claims["auth_time"] = .integer(issuer.grant.authTime)
        return claims
    }

    // RFC 9068 section 2.2.
    func accessClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        [
            "sub": .string(issuer.user.objectID), "client_id": .string(issuer.grant.clientID),
            "jti": .string(RandomBytes.text()), "scope": .string(issuer.scopes.text),
            "auth_time": .integer(issuer.grant.authTime), "name": .string(issuer.user.displayName),
        ]
    }

    func tokenMembers(_ issuer: TokenIssuer, refreshExpires: Int64?) -> [String: JSON] { ["token_type": "bearer"] }

    // Only for tokens of OpenID Connect (OpenID Connect Core section 5.3).
    func userInfo(_ user: User, token: JSON) throws(APIRefusal) -> [String: JSON] {
        guard let scopes = UserInfo.scopes(token) else { throw .wrongEndpoint }
        guard scopes.contains("openid") else {
            throw APIRefusal(
                .forbidden, error: "insufficient_scope", reason: "The token does not have the scope openid",
                scope: "openid")
        }
        var claims = UserInfo.claims(of: user, scopes)
        claims["sub"] = token["sub"]
        return claims
    }

    func deviceMembers(userCode: String, address: String) -> [String: JSON] {
        ["verification_uri_complete": .string("\(address)?user_code=\(userCode)")]
    }

    // RFC 9068 section 2.2: an application is its own subject.
    func applicationClaims(_ token: ApplicationToken) -> [String: JSON] {
        [
            "sub": .string(token.clientID), "client_id": .string(token.clientID), "jti": .string(RandomBytes.text()),
            "scope": .string(token.scopes.text),
        ]
    }

    func applicationMembers(_ token: ApplicationToken) -> [String: JSON] {
        ["token_type": "bearer", "scope": .string(token.scopes.text)]
    }

    private func authenticationMethods(_ configuration: TenantConfiguration) -> [JSON] {
        configuration.applications.contains(where: \.isConfidential)
            ? ["none", "client_secret_post", "client_secret_basic"] : ["none"]
    }

    func clientInfo(of user: User, at endpoint: PolicyEndpoint) throws -> String? { nil }

    func message(of refusal: Refusal, now: Int64) -> RefusalMessage {
        let error = refusal.code.standardError
        // RFC 6749 section 5.2 does not allow other characters.
        let isAllowed = { (character: Unicode.Scalar) in
            (0x20...0x7e).contains(character.value) && character != "\"" && character != "\\"
        }
        // Providers give no reason if the person cancels.
        let reason = [.cancelled, .socialCancelled].contains(refusal.code) ? "" : refusal.text
        let text = String(String.UnicodeScalarView(reason.unicodeScalars.map { isAllowed($0) ? $0 : "?" }))
        return RefusalMessage(error: error, text: text, note: "\(error) \(refusal.text)", code: error)
    }

    func tenantName(in segments: [String]) -> String? { segments.joined(separator: "/") }

    // The name is the path of the provider's address.
    func isTenantName(_ name: String) -> Bool { true }
}
