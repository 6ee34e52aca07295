import SusiBase
import SusiJourneys
import SusiPolicies

/// Azure AD B2C: `/TENANT/POLICY/…`, `/tfp/TENANT/POLICY/…` and `/TENANT/…?p=POLICY`.
struct B2CDialect: TenantDialect {
    let traits = TenantTraits(
        title: "Local tenant that works like Azure AD B2C",
        responseTypes: [
            "code", "code id_token", "code token", "code id_token token", "id_token", "id_token token", "token",
            "token id_token",
        ],
        scopes: ScopeRules(
            openID: ["openid", "profile", "email", "offline_access"], demandsResource: true, takesDefault: true,
            takesClientID: true),
        landing: .anywhereWithoutHint, redirectsToRegistered: true, redirectTypes: .secret,
        olderMetadataPath: ".well-known/openid-configuration", failsAsInvalidGrant: true, listsAccounts: false,
        attributeNames: .plain,
        claims: [
            "emails", "family_name", "given_name", "idp", "name", "newUser", "signInNames.emailAddress",
            "signInNames.userName",
        ], tellsLock: false,
        // A captured AADB2C90081 has status 400.
        challengesClients: false, asksConsent: false,
        administratorConsentText:
            "This application does not have sufficient permissions against this web resource to perform the operation.",
        offersSignUp: true, linksToPasswordReset: true, issuerForms: [.tenant, .policy], servesCustomPolicies: true,
        replacesErrors: true,
        limitsLifetimes: true)

    func path(of endpoint: Endpoint) -> String? {
        endpoint == .userInfo ? "openid/v2.0/userinfo" : endpoint.microsoftPath
    }

    // Addresses always have the policy in lower case, because MSAL for JavaScript uses lower case when it replaces
    // policies in them.
    func endpoint(
        _ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String
    ) -> (PolicyEndpoint, rest: [String])? {
        var rest = segments[...]
        let prefix = rest.first?.lowercased() == "tfp" ? "/tfp" : ""
        if !prefix.isEmpty { rest.removeFirst() }
        guard let spelling = rest.popFirst().flatMap(tenant.spelling) else { return nil }
        if let policy = rest.first.flatMap({ self.policy($0, of: tenant) }) {
            rest.removeFirst()
            let path = "/\(spelling)/\(policy.name.lowercased)"
            let endpoint = PolicyEndpoint(
                tenant: tenant, origin: origin, base: prefix + path, pages: path, policy: policy)
            return (endpoint, Array(rest))
        }
        guard let policy = query["p"].flatMap({ self.policy($0, of: tenant) }) else { return nil }
        let endpoint = PolicyEndpoint(
            tenant: tenant, origin: origin, base: "\(prefix)/\(spelling)",
            query: "?p=\(PercentEncoding.encode(policy.name.lowercased))",
            pages: "/\(spelling)/\(policy.name.lowercased)",
            policy: policy)
        return (endpoint, Array(rest))
    }

    private func policy(_ name: String, of tenant: Tenant) -> Policy? {
        tenant.configuration.policies.first { $0.name == PolicyName(name) }
    }

    func endpoint(of policy: Policy, in tenant: Tenant, origin: String) -> PolicyEndpoint {
        let base = "/\(tenant.configuration.name)/\(policy.name.lowercased)"
        return PolicyEndpoint(tenant: tenant, origin: origin, base: base, pages: base, policy: policy)
    }

    func issuer(_ endpoint: PolicyEndpoint) -> String {
        let id = endpoint.tenant.configuration.id
        return switch endpoint.settings.issuerForm ?? endpoint.tenant.configuration.issuerForm {
        case .tenant, .trailingSlash, .tenantHost: "\(endpoint.origin)/\(id)/v2.0/"
        case .policy: "\(endpoint.origin)/tfp/\(id)/\(endpoint.policy.name)/v2.0/"
        }
    }

    func issuer(ofToken claims: JSON, in tenant: Tenant, origin: String) -> String? {
        let policy = tenant.configuration.policies.first { policy in
            if let name = claims["tfp"]?.string { return name == policy.name.spelling }
            return claims["acr"]?.string == policy.name.lowercased
        }
        if let policy { return issuer(endpoint(of: policy, in: tenant, origin: origin)) }
        // Some tokens name no policy.
        guard claims["tfp"] == nil, claims["acr"] == nil else { return nil }
        let issuers = tenant.configuration.policies.map { issuer(endpoint(of: $0, in: tenant, origin: origin)) }
        return issuers.first { $0 == claims["iss"]?.string }
    }

    func metadata(_ endpoint: PolicyEndpoint) -> [String: JSON] {
        [
            "response_modes_supported": ["query", "fragment", "form_post"],
            "scopes_supported": ["openid"],
            "subject_types_supported": ["pairwise"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "claims_supported": .list(
                (endpoint.custom?.policy.tokenClaims ?? Self.flowClaims) + Self.protocolClaims
                    + policyClaim(endpoint).keys + (endpoint.settings.attributes ?? []).map(\.name)),
        ]
    }

    private static let flowClaims = ["oid", "sub", "newUser", "name", "given_name", "family_name", "emails", "idp"]
    private static let protocolClaims = ["iss", "iat", "nbf", "exp", "aud", "nonce", "auth_time", "at_hash", "c_hash"]

    func grants(at endpoint: PolicyEndpoint) -> [GrantType] {
        traits.grants + (endpoint.policy.kind == .resourceOwner ? [.password] : [])
    }

    // Only custom policies have a user-info endpoint.
    func serves(_ endpoint: Endpoint, at policy: PolicyEndpoint) -> Bool {
        endpoint != .userInfo || policy.custom?.servesUserInfo ?? isCustom(policy.policy)
    }

    private func isCustom(_ policy: Policy) -> Bool { policy.name.lowercased.hasPrefix("b2c_1a_") }

    func elements(at endpoint: PolicyEndpoint) -> ElementNames {
        isCustom(endpoint.policy) ? .customPolicy : .userFlow(endpoint.settings.identifier)
    }

    // Only sign-ups and sign-ins have connectors.
    func callouts(of policy: Policy) -> Callout.Group? {
        guard policy.kind == .signUpOrSignIn else { return nil }
        return isCustom(policy) ? .restTechnicalProfiles : .apiConnectors
    }

    // Custom policies sign with the keys of the tenant's policy keys, user flows with those of the service.
    func keyGroup(of policy: Policy) -> String { isCustom(policy) ? "/custom" : "" }

    func idClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        var claims = userClaims(issuer)
        claims["auth_time"] = .integer(issuer.grant.authTime)
        return claims.merging(policyClaim(issuer.endpoint)) { $1 }
    }

    // A journey decides which claims there are (spec §9), oid and newUser too.
    private func journeyClaims(_ journey: JourneyClaims, _ issuer: TokenIssuer) -> [String: JSON] {
        var claims = journey.claims.members ?? [:]
        claims["ver"] = "1.0"
        claims["nbf"] = .integer(issuer.now)
        claims["sub"] = .string(journey.subject ?? Self.noSubject)
        return claims
    }

    private static let noSubject = "Not supported currently. Use oid claim."

    private func userClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        if let journey = issuer.grant.details.journey { return journeyClaims(journey, issuer) }
        let (user, repeated) = (issuer.user, issuer.grant.details.userClaims)
        var claims =
            repeated.flatMap { try? JSON(parsing: $0.utf8).members } ?? self.claims(of: user, at: issuer.endpoint)
        claims["ver"] = "1.0"
        claims["nbf"] = .integer(issuer.now)
        claims["oid"] = .string(user.objectID)
        claims["sub"] = subject(user, issuer.endpoint)
        if issuer.grant.isNewUser, !issuer.isRefresh { claims["newUser"] = .bool(true) }
        // A local account has none after a sign-in on a page.
        if issuer.endpoint.policy.kind == .resourceOwner, claims["idp"] == nil { claims["idp"] = "LocalAccount" }
        return claims
    }

    func claimsToRepeat(of user: User, at endpoint: PolicyEndpoint) -> [String: JSON]? {
        guard endpoint.custom == nil else { return nil }
        return endpoint.settings.refreshReadsUser ? nil : claims(of: user, at: endpoint)
    }

    // Only policies that choose their claims send sign-in names, under the names of custom policies. A user flow has no groups
    // and roles to choose from.
    private func claims(of user: User, at endpoint: PolicyEndpoint) -> [String: JSON] {
        var claims = user.b2cClaims
        guard endpoint.settings.claims != nil else {
            return isCustom(endpoint.policy) ? claims : claims.filter { !AttributeType.lists.contains($0.key) }
        }
        claims["signInNames.emailAddress"] = user.email.map(JSON.string)
        claims["signInNames.userName"] = user.userName.map(JSON.string)
        return claims
    }

    // A custom policy without a refresh journey never looks for the user again.
    func refreshNeedsUser(at endpoint: PolicyEndpoint) -> Bool {
        guard endpoint.custom == nil else { return false }
        return endpoint.settings.refreshReadsUser || !isCustom(endpoint.policy)
    }

    var keepsNonce: Bool { true }

    // Every claim that the application gets, as in captured tokens; but never `acr`.
    func accessClaims(_ issuer: TokenIssuer) -> [String: JSON] {
        var claims = userClaims(issuer)
        claims["azp"] = .string(issuer.grant.clientID)
        claims["tfp"] = policyClaim(issuer.endpoint)["tfp"]
        if case .api = issuer.scopes.resource { claims["scp"] = .string(issuer.scopes.shortNames) }
        claims["nonce"] = issuer.nonce.map(JSON.string)
        return claims
    }

    private func subject(_ user: User, _ endpoint: PolicyEndpoint) -> JSON {
        switch endpoint.settings.subject {
        case .objectID: .string(user.objectID)
        case .notSupported: .string(Self.noSubject)
        }
    }

    // The claim with the policy of a token.
    private func policyClaim(_ endpoint: PolicyEndpoint) -> [String: JSON] {
        switch endpoint.settings.policyClaim {
        case .tfp: ["tfp": .string(endpoint.policy.name.spelling)]
        case .acr: ["acr": .string(endpoint.policy.name.lowercased)]
        case .absent: [:]
        }
    }

    func tokenMembers(_ issuer: TokenIssuer, refreshExpires: Int64?) throws -> [String: JSON] {
        var members: [String: JSON] = ["token_type": "Bearer"]
        if issuer.type == .password { return members }
        let lifetimes = issuer.endpoint.lifetimes
        members["not_before"] = .integer(issuer.now)
        if let audience = issuer.audience {
            members["expires_on"] = .integer(issuer.now + lifetimes.accessToken)
            members["resource"] = audience
        }
        members["refresh_token_expires_in"] = refreshExpires.map { .integer($0 - issuer.now) }
        // `client_info` replaces both.
        if !issuer.wantsClientInfo {
            members["profile_info"] = .string(try profileInfo(issuer))
            if issuer.givesIDToken { members["id_token_expires_in"] = .integer(lifetimes.idToken) }
        }
        return members
    }

    // Without `client_info` the scopes of OpenID Connect are named too.
    func scope(_ issuer: TokenIssuer) -> String? {
        let (scopes, api) = (issuer.scopes, issuer.scopes.granted.joined(separator: " "))
        if issuer.type == .password { return nil }
        if issuer.wantsClientInfo { return api }
        let named = api.isEmpty ? ["offline_access", "openid"] : ["openid", "offline_access"]
        let openID = named.filter(scopes.wants)
        return openID.isEmpty ? nil : (scopes.granted + openID).joined(separator: " ")
    }

    func writesNumbersAsStrings(for grant: GrantType?) -> Bool { grant == .password }

    // Tokens for an API are accepted too.
    func userInfo(_ user: User, token: JSON) -> [String: JSON] {
        var claims = user.b2cClaims
        claims["objectId"] = .string(user.objectID)
        return claims
    }

    // Captured tokens differ in the subject; according to the documentation it is the service principal.
    func applicationClaims(_ token: ApplicationToken) -> [String: JSON] {
        let subject =
            switch token.endpoint.settings.applicationSubject {
            case .clientID: token.clientID
            case .objectID: token.objectID
            }
        var claims: [String: JSON] = [
            "ver": "2.0", "nbf": .integer(token.now), "sub": .string(subject), "oid": .string(token.objectID),
            "azp": .string(token.clientID), "azpacr": "1", "tid": .string(token.endpoint.tenant.configuration.id),
            "scp": .string(token.scopes.shortNames), "correlationId": .string(randomGUID()),
        ]
        claims["tfp"] = policyClaim(token.endpoint)["tfp"]
        return claims
    }

    func applicationMembers(_ token: ApplicationToken) -> [String: JSON] {
        [
            "token_type": "Bearer", "not_before": .integer(token.now),
            "expires_on": .integer(token.now + token.lifetime), "resource": token.audience,
        ]
    }

    // The user as base64url JSON.
    private func profileInfo(_ issuer: TokenIssuer) throws -> String {
        let claims = issuer.chosen(userClaims(issuer))
        let info: JSON = [
            "ver": "1.0", "tid": .string(issuer.endpoint.tenant.configuration.id), "sub": .null,
            "name": claims["name"] ?? .null, "preferred_username": .null, "idp": claims["idp"] ?? .null,
        ]
        return Base64URL.encode(info.encoded)
    }

    func clientInfo(of user: User, at endpoint: PolicyEndpoint) throws -> String? {
        let info: JSON = [
            "uid": .string("\(user.objectID)-\(endpoint.policy.name.lowercased)"),
            "utid": .string(endpoint.tenant.configuration.id),
        ]
        return Base64URL.encode(info.encoded)
    }

    func message(of refusal: Refusal, now: Int64) -> RefusalMessage {
        let code = refusal.policyCode ?? "AADB2C\(refusal.code.b2c.number)"
        let correlation = randomGUID()
        let text = "\(code): \(refusal.text)\r\nCorrelation ID: \(correlation)\r\nTimestamp: \(timestamp(now))\r\n"
        return RefusalMessage(
            error: refusal.code.b2c.error, text: text, note: "\(code) \(refusal.text)", code: code,
            correlationID: correlation)
    }

    func tenantName(in segments: [String]) -> String? { segments.first { $0.lowercased() != "tfp" } }
}

extension User {
    /// The attributes that a policy collected, and the identity provider if it is not the tenant itself.
    var b2cAttributes: [String: JSON] {
        var claims = attributeClaims(.plain)
        claims["idp"] = identityProvider.map(JSON.string)
        return claims
    }

    /// The claims of an id token and of the user-info endpoint, without unknown ones, as in the service.
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
