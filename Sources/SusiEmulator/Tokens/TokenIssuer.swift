import SusiBase
import SusiPolicies

/// Creates the tokens of a grant with the claims of the protocol; the dialect adds those of the tenant's kind.
struct TokenIssuer {
    let endpoint: PolicyEndpoint
    let grant: GrantRecord
    let user: User
    let scopes: RequestedScopes
    let now: Int64
    /// The grant type of the request; nil at the authorization endpoint.
    let type: GrantType?
    var issued: Int64 { endpoint.timeOfIssue(now) }
    /// Whether the request asked for `client_info`.
    let wantsClientInfo: Bool
    var audience: JSON? { scopes.audience(at: endpoint) }

    var isRefresh: Bool { type == .refreshToken }

    var nonce: String? { isRefresh && !endpoint.dialect.keepsNonce ? nil : grant.nonce }

    var givesIDToken: Bool {
        scopes.wants("openid") && (!isRefresh || endpoint.tenant.configuration.refreshGivesIDToken)
    }

    var tenantID: String { user.homeTenant ?? endpoint.tenant.configuration.id }

    /// The user's subject for this application only (OpenID Connect Core section 8.1).
    var pairwiseSubject: String { Base64URL.encode(sha256("\(user.objectID)|\(grant.clientID.lowercased())")) }

    /// The response of the token endpoint (RFC 6749 section 5.1).
    func response(refreshToken: (text: String, expires: Int64)?) throws -> JSON {
        let (configuration, lifetimes) = (endpoint.tenant.configuration, endpoint.lifetimes)
        var members = try endpoint.dialect.tokenMembers(self, refreshExpires: refreshToken?.expires)
        let access = try accessToken()
        members["access_token"] = access.map(JSON.string)
        members["expires_in"] = access.map { _ in .integer(lifetimes.accessToken) }
        members["refresh_in"] = access.flatMap { _ in lifetimes.refreshIn.map(JSON.integer) }
        members["scope"] = endpoint.dialect.scope(self).map(JSON.string)
        if givesIDToken {
            members["id_token"] = .string(try idToken(accessToken: access))
        }
        if wantsClientInfo {
            members["client_info"] = try endpoint.dialect.clientInfo(of: user, at: endpoint).map(JSON.string)
        }
        members["refresh_token"] = (refreshToken?.text).map(JSON.string)
        guard
            configuration.numbersAsStrings || endpoint.settings.numbersAsStrings
                || endpoint.dialect.writesNumbersAsStrings(for: type)
        else {
            return .object(members)
        }
        return .object(members.mapValues { value in value.integer.map { .string("\($0)") } ?? value })
    }

    /// The fields of the redirect (OpenID Connect Core sections 3.2.2.5 and 3.3.2.5).
    func redirectFields(_ types: ResponseTypes, code: String?) throws -> [(String, String?)] {
        let access = types.contains(.token) ? try accessToken() : nil
        let lifetime = access.map { _ in "\(endpoint.lifetimes.accessToken)" }
        return [
            ("code", code), ("access_token", access), ("token_type", access.map { _ in "Bearer" }),
            ("expires_in", lifetime), ("scope", access.map { _ in scopes.text }),
            ("id_token", types.contains(.idToken) ? try idToken(accessToken: access, code: code) : nil),
            ("client_info", wantsClientInfo ? try endpoint.dialect.clientInfo(of: user, at: endpoint) : nil),
        ]
    }

    private func accessToken() throws -> String? {
        try accessTokenClaims().map {
            try endpoint.keys.sign(.object($0), type: endpoint.dialect.traits.accessTokenType)
        }
    }

    func accessTokenClaims() -> [String: JSON]? {
        guard let audience else { return nil }
        var claims = chosen(endpoint.dialect.accessClaims(self))
        claims.merge(requested("access_token")) { $1 }
        claims["iss"] = .string(issuer)
        claims["exp"] = .integer(now + endpoint.lifetimes.accessToken)
        claims["iat"] = .integer(issued)
        claims["aud"] = audience
        return claims
    }

    private func idToken(accessToken: String?, code: String? = nil) throws -> String {
        try endpoint.keys.sign(.object(idTokenClaims(accessToken: accessToken, code: code)))
    }

    func idTokenClaims(accessToken: String?, code: String? = nil) -> [String: JSON] {
        var claims = chosen(endpoint.dialect.idClaims(self))
        claims.merge(requested("id_token")) { $1 }
        for (name, value) in grant.details.parameters ?? [:] { claims[name] = .string(value) }
        claims["iss"] = .string(issuer)
        claims["exp"] = .integer(now + endpoint.lifetimes.idToken)
        claims["iat"] = .integer(issued)
        claims["aud"] = .string(grant.clientID)
        claims["nonce"] = nonce.map(JSON.string)
        if endpoint.dialect.hashesAccessToken(for: type) { claims["at_hash"] = accessToken.map(Self.halfHash) }
        claims["c_hash"] = code.map(Self.halfHash)
        return claims
    }

    /// The claims that each token has for the protocol, whatever the policy chooses.
    static let protocolClaims = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "azpacr", "c_hash", "client_id", "exp", "iat", "iss", "jti",
        "nbf", "nonce", "oid", "scope", "scp", "sid", "sub", "tfp", "tid", "uti", "ver",
    ]

    /// The claims without those that the policy does not choose. “groups” also keeps the claims that replace too many groups.
    func chosen(_ claims: [String: JSON]) -> [String: JSON] {
        guard let names = endpoint.settings.claims else { return claims }
        let kept = Set(Self.protocolClaims + names + (names.contains("groups") ? GroupClaims.overage : []))
        return claims.filter { kept.contains($0.key) }
    }

    // The left half of a text's hash; every algorithm here hashes with SHA-256.
    private static func halfHash(_ text: String) -> JSON { .string(Base64URL.encode(sha256(text).prefix(16))) }

    // At a shared address the issuer is the user's own tenant.
    private var issuer: String {
        let claims: JSON = ["tid": .string(tenantID), "tfp": .string(endpoint.policy.name.spelling)]
        return endpoint.dialect.issuer(ofToken: claims, in: endpoint.tenant, origin: endpoint.origin) ?? endpoint.issuer
    }

    private func requested(_ token: String) -> [String: JSON] {
        var claims = ClaimsRequest(grant.details.claims)?.granted(in: token) ?? [:]
        if claims["auth_time"] != nil { claims["auth_time"] = .integer(grant.authTime) }
        return claims
    }
}
