import SusiBase
import SusiPolicies

/// The common rules of External ID and Entra ID: version 2.0 of Microsoft's identity platform.
protocol MicrosoftDialect: TenantDialect {}

extension MicrosoftDialect {
    func path(of endpoint: Endpoint) -> String? {
        switch endpoint {
        case .userInfo: "openid/userinfo"
        case .deviceAuthorization: "oauth2/v2.0/devicecode"
        case .deviceVerification: "oauth2/deviceauth"
        default: endpoint.microsoftPath
        }
    }

    func elements(at endpoint: PolicyEndpoint) -> ElementNames { .microsoft }

    func endpoint(of policy: Policy, in tenant: Tenant, origin: String) -> PolicyEndpoint {
        let base = "/\(tenant.configuration.name)"
        return PolicyEndpoint(tenant: tenant, origin: origin, base: base, pages: base, policy: policy)
    }

    func issuer(of tenantID: String, origin: String) -> String { "\(origin)/\(tenantID)/v2.0" }

    func issuer(ofToken claims: JSON, in tenant: Tenant, origin: String) -> String? {
        claims["tid"]?.string.map { issuer(of: $0, origin: origin) }
    }

    func metadata(_ endpoint: PolicyEndpoint) -> [String: JSON] {
        [
            "response_modes_supported": ["query", "fragment", "form_post"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "subject_types_supported": ["pairwise"],
            "token_endpoint_auth_methods_supported": [
                "client_secret_post", "private_key_jwt", "client_secret_basic",
            ],
            "request_uri_parameter_supported": .bool(false), "http_logout_supported": .bool(true),
            "frontchannel_logout_supported": .bool(true),
            // A host without a scheme.
            "msgraph_host": .string(String(endpoint.origin.drop { $0 != "/" }.dropFirst(2))),
            "claims_supported": [
                "sub", "iss", "cloud_instance_name", "cloud_instance_host_name", "cloud_graph_host_name",
                "msgraph_host", "aud", "exp", "iat", "auth_time", "acr", "nonce", "preferred_username", "name", "tid",
                "ver", "at_hash", "c_hash", "email",
            ],
        ]
    }

    // Each key has its issuer and a certificate, and no time.
    func members(of key: SigningKey, at endpoint: PolicyEndpoint) -> [String: JSON] {
        var members = key.publicMembers.merging(key.certificateMembers) { $1 }
        members["nbf"] = nil
        members["issuer"] = .string(endpoint.issuer)
        return members
    }

    // Libraries still send the short name, which is older than RFC 8628.
    func grantType(_ name: String) -> GrantType? {
        name == "device_code" ? .deviceCode : GrantType(rawValue: name)
    }

    func idClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        var claims = userClaims(issuer)
        claims["preferred_username"] = .string(issuer.user.signInName)
        if issuer.scopes.wants("email") { claims["email"] = issuer.user.email.map(JSON.string) }
        // A person without a password proves the address with a code each time.
        if issuer.user.identityProvider == User.mailProvider { claims["idp"] = .string(User.mailProvider) }
        // An optional claim, sent on request.
        if issuer.grant.details.isTimed ?? false { claims["auth_time"] = .integer(issuer.grant.authTime) }
        return claims
    }

    func accessClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        var claims = userClaims(issuer)
        claims["azp"] = .string(issuer.grant.clientID)
        let client = issuer.endpoint.registered(issuer.grant.clientID)
        claims["azpacr"] = client?.isConfidential(at: issuer.grant.details.redirectType) ?? false ? "1" : "0"
        claims["scp"] = .string(issuer.scopes.shortNames)
        if traits.namesSession { claims["preferred_username"] = .string(issuer.user.signInName) }
        return claims
    }

    private func userClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        var claims: [String: JSON] = [
            "ver": "2.0", "nbf": .integer(issuer.issued), "tid": .string(issuer.tenantID),
            "oid": .string(issuer.user.objectID), "sub": .string(issuer.pairwiseSubject),
            "name": .string(issuer.user.displayName), "uti": .string(RandomBytes.text(16)),
        ]
        claims["idp"] = issuer.user.guestOf.map { .string("https://sts.windows.net/\($0)/") }
        if traits.namesSession { claims["sid"] = .string(derivedGUID("session \(issuer.grant.id)")) }
        // An attribute never replaces a claim of the protocol.
        for (name, value) in issuer.user.attributeClaims(traits.attributeNames) where claims[name] == nil {
            claims[name] = value
        }
        guard let groups = claims.removeValue(forKey: "groups") else { return claims }
        let configuration = issuer.endpoint.tenant.configuration
        let graph = configuration.servedAPIs.first(where: \.isGraph) ?? .graph
        let sent = GroupClaims.claims(
            groups, limit: configuration.groupLimit, isInAddress: issuer.type == nil,
            source: "\(issuer.endpoint.origin)\(graph.path)/users/\(issuer.user.objectID)/getMemberObjects")
        return claims.merging(sent) { $1 }
    }

    func tokenMembers(_ issuer: TokenIssuer, refreshExpires: Int64?) -> [String: JSON] {
        [
            "token_type": "Bearer",
            "ext_expires_in": .integer(issuer.endpoint.lifetimes.accessToken),
        ]
    }

    func applicationClaims(_ token: ApplicationToken) -> [String: JSON] {
        let roles = token.scopes.shortNames.split(separator: " ").map { JSON.string(String($0)) }
        return [
            "ver": "2.0", "nbf": .integer(token.issued), "tid": .string(token.endpoint.tenant.configuration.id),
            "oid": .string(token.objectID), "sub": .string(token.objectID), "azp": .string(token.clientID),
            "azpacr": "1", "roles": .array(roles), "uti": .string(RandomBytes.text(16)),
        ]
    }

    func applicationMembers(_ token: ApplicationToken) -> [String: JSON] {
        ["token_type": "Bearer", "ext_expires_in": .integer(token.lifetime)]
    }

    func clientInfo(of user: User, at endpoint: PolicyEndpoint) throws -> String? {
        // A guest's names the account at home, unless that was deleted.
        let home = try endpoint.tenant.database.home(of: user)
        let info: JSON = [
            "uid": .string((home ?? user).objectID),
            "utid": .string(
                home.flatMap { _ in user.guestOf } ?? user.homeTenant ?? endpoint.tenant.configuration.id),
        ]
        return Base64URL.encode(info.encoded)
    }

    func message(of refusal: Refusal, now: Int64) -> RefusalMessage {
        let code = refusal.code.entra
        var message = RefusalMessage(
            platform: code.number, error: code.error, text: Self.text(refusal), now: now)
        message.addAddress()
        message.more["suberror"] = refusal.code.suberror.map(JSON.string)
        message.more["claims"] = refusal.claims.map(JSON.string)
        return message
    }

    /// The platform's own words, as captured, for refusals whose text is that of Azure AD B2C.
    private static func text(_ refusal: Refusal) -> String {
        switch refusal.code {
        case .secretMissing:
            "The request body must contain the following parameter: 'client_assertion' or 'client_secret'."
        case .secretWrong: "Invalid client secret is provided."
        case .secretOfPublicClient:
            "Client is public so neither 'client_assertion' nor 'client_secret' should be presented."
        case .verifierMismatch, .verifierInvalid:
            "The Code_Verifier does not match the code_challenge supplied in the authorization request."
        case .codeRedeemed:
            """
            OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh \
            token.
            """
        case .wrongPassword where refusal.text == PasswordGrant.wrong:
            "Error validating credentials due to invalid username or password."
        case .calloutFailed, .calloutUnreadable: "Non-retryable error has occurred."
        case .deviceExpired:
            "The provided value for the input parameter 'device_code' is not valid. This device code has expired."
        case .defaultScopeMissing:
            refusal.text.replacing(#/^Scope parameter \((.*)\) must .*$/#) {
                """
                The provided value for scope \($0.1) is not valid. Client credential flows must have a scope value with \
                /.default suffixed to the resource identifier (application ID URI).
                """
            }
        case .badParameter:
            refusal.text.replacing(#/^The request is missing required parameter: (.+)\.$/#) {
                "The request body must contain the following parameter: '\($0.1)'."
            }
        default: refusal.text
        }
    }

    func hashesAccessToken(for grant: GrantType?) -> Bool { grant == nil }

    // A token for Microsoft Graph names the scopes of an API alone.
    func userInfo(_ user: User, token: JSON) throws(APIRefusal) -> [String: JSON] {
        guard let scopes = UserInfo.scopes(token) else { throw .wrongEndpoint }
        var claims = UserInfo.claims(of: user, scopes)
        claims["email_verified"] = nil
        claims["sub"] = token["sub"]
        return claims
    }

    func deviceMembers(userCode: String, address: String) -> [String: JSON] {
        [
            "message": .string(
                "To sign in, use a web browser to open the page \(address) and enter the code \(userCode) to authenticate."
            )
        ]
    }

    func tenantName(in segments: [String]) -> String? { segments.first { !EntraDialect.isShared($0) } }
}

extension RefusalMessage {
    /// Adds the address of a page about the number. Native authentication has none, and two errors were seen without.
    mutating func addAddress() {
        guard let number = code?.trimmingPrefix("AADSTS"), !["501481", "700025"].contains(number) else { return }
        more["error_uri"] = .string("https://login.microsoftonline.com/error?code=\(number)")
    }

    /// An error in the format of Microsoft's identity platform.
    init(platform number: Int, error: String, text: String, now: Int64) {
        let (trace, correlation) = (randomGUID(), randomGUID())
        let time = timestamp(now)
        self.init(
            error: error,
            text: """
                AADSTS\(number): \(text) Trace ID: \(trace) Correlation ID: \(correlation) Timestamp: \(time)
                """,
            note: "AADSTS\(number) \(text)", code: "AADSTS\(number)", correlationID: correlation,
            more: [
                "error_codes": .array([.integer(Int64(number))]), "timestamp": .string(time),
                "trace_id": .string(trace), "correlation_id": .string(correlation),
            ])
    }
}

extension TenantTraits {
    static func microsoft(_ title: String) -> TenantTraits {
        TenantTraits(
            title: title, responseTypes: ["code", "id_token", "code id_token", "id_token token"],
            scopes: ScopeRules(
                openID: ["openid", "profile", "email", "offline_access"], takesDefault: true, impliesGraph: true),
            landing: .registered, backdating: 300, hintChoosesSession: true)
    }
}
