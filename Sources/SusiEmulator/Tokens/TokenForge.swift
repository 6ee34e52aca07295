import Crypto
import FoundationEssentials
import SusiBase
import SusiPolicies

struct TokenForge {
    let tenant: Tenant
    let endpoint: PolicyEndpoint
    let order: TokenOrder
    let now: Int64

    struct Forged: Sendable {
        let text: String
        let header: JSON
        let claims: JSON
    }

    init(_ order: TokenOrder, _ site: Site, origin: String, now: Int64) throws(TokenOrderError) {
        guard let tenant = site.tenant(order.tenant) else {
            throw TokenOrderError(field: "tenant", reason: "no tenant “\(order.tenant ?? "")”")
        }
        let policies = tenant.configuration.policies
        let policy = order.policy.map { name in policies.first { $0.name == PolicyName(name) } } ?? tenant.signInPolicy
        guard let policy else {
            let known = policies.map(\.name.spelling).joined(separator: ", ")
            throw TokenOrderError(
                field: "policy", reason: "no policy “\(order.policy ?? "")”; policies: \(known)")
        }
        self.tenant = tenant
        self.order = order
        self.now = now
        // Under the names of the cloud a token has the issuer that a sign-in there would give it.
        let original = tenant.configuration.copyOf?.authority
        let cloud = original.flatMap { site.reach.cloudHosts.contains($0.authority) ? $0.origin : nil }
        endpoint = tenant.configuration.kind.dialect.endpoint(of: policy, in: tenant, origin: cloud ?? origin)
    }

    func forge() throws -> Forged {
        var claims = try issued()
        for flaw in order.flaws { apply(flaw, to: &claims) }
        for (name, claim) in order.claims { claims[name] = claim == .null ? nil : claim }
        return try signed(.object(claims))
    }

    /// The claims that a sign-in of that user would produce.
    private func issued() throws -> [String: JSON] {
        guard let user = try tenant.database.user(named: order.user) else {
            throw TokenOrderError(field: "user", reason: "no user “\(order.user)”")
        }
        let configuration = tenant.configuration
        let client = order.clientID ?? configuration.applications.first?.clientID ?? ""
        guard let application = tenant.application(client) else {
            throw TokenOrderError(field: "client", reason: tenant.unknownClient(client))
        }
        let usual = (["openid"] + (configuration.apis.first?.fullScopes ?? [])).joined(separator: " ")
        let grant = GrantRecord(
            clientID: application.clientID, policy: endpoint.policy.name.spelling, objectID: user.objectID,
            scope: order.scope ?? usual, nonce: order.nonce, authTime: now, isNewUser: false, expires: now)
        let scopes: RequestedScopes
        do { scopes = try RequestedScopes(grant.scope, clientID: grant.clientID, configuration) } catch {
            throw TokenOrderError(field: "scope", reason: error.detail ?? error.text)
        }
        let issuer = TokenIssuer(
            endpoint: endpoint, grant: grant, user: user, scopes: scopes, now: now, type: .authorizationCode,
            wantsClientInfo: false)
        guard order.kind == .access else { return issuer.idTokenClaims(accessToken: nil) }
        guard let claims = issuer.accessTokenClaims() else {
            throw TokenOrderError(
                field: "scope", reason: "“\(grant.scope)” does not give an access token; use a scope of an API")
        }
        return claims
    }

    private func apply(_ flaw: TokenOrder.Flaw, to claims: inout [String: JSON]) {
        switch flaw {
        case .expired: shift(&claims, by: now - 3_600 - (claims["exp"]?.integer ?? now))
        case .notYetValid:
            shift(&claims, by: 3_600)
            claims["nbf"] = .integer(now + 3_600)
        case .otherAudience: claims["aud"] = .string(derivedGUID("another audience"))
        case .otherIssuer:
            // An issuer can have a host of its own.
            let own = claims["iss"]?.string.flatMap { try? WebAddress($0).origin }
            replace(own ?? endpoint.origin, by: "https://login.example", in: &claims)
        case .otherTenant:
            let other = derivedGUID("another tenant")
            replace(tenant.configuration.id, by: other, in: &claims)
            // The issuer of a plain OpenID provider does not name a tenant; then its address differs.
            if claims["tid"] == nil, claims["iss"]?.string == endpoint.issuer {
                claims["iss"] = .string("\(endpoint.issuer)/\(other)")
            }
            if claims["tid"] != nil { claims["tid"] = .string(other) }
        case .noNonce: claims["nonce"] = nil
        case .otherNonce: claims["nonce"] = .string(RandomBytes.text())
        case .unsigned, .hmacWithPublicKey, .unknownKey, .wrongSignature, .withdrawnKey: break
        }
    }

    private func shift(_ claims: inout [String: JSON], by seconds: Int64) {
        for name in ["iat", "nbf", "exp", "auth_time"] {
            if let time = claims[name]?.integer { claims[name] = .integer(time + seconds) }
        }
    }

    private func replace(_ part: String, by other: String, in claims: inout [String: JSON]) {
        if let issuer = claims["iss"]?.string { claims["iss"] = .string(issuer.replacing(part, with: other)) }
    }

    private func signed(_ claims: JSON) throws -> Forged {
        let flaws = order.flaws
        let keys = try endpoint.keys
        let current = try keys.current()
        var key = current
        if flaws.contains(.unknownKey) { key = try SigningKey.make(current.algorithm, now: now) }
        if flaws.contains(.withdrawnKey) {
            guard let withdrawn = try keys.withdrawn().first else {
                throw TokenOrderError(
                    field: "flaws", reason: "no key has been withdrawn; rotate the keys and withdraw one first")
            }
            key = withdrawn
        }
        var header = key.header(type: type)
        if flaws.contains(.unsigned) {
            header["alg"] = "none"
            header["kid"] = nil
            return try Forged(text: Self.text(header, claims) + ".", header: .object(header), claims: claims)
        }
        if flaws.contains(.hmacWithPublicKey) {
            header["alg"] = "HS256"
            let text = try Self.text(header, claims)
            let secret = SymmetricKey(data: Data(key.publicPEM.utf8))
            let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: secret)
            return Forged(text: "\(text).\(Base64URL.encode(code))", header: .object(header), claims: claims)
        }
        let text = try Self.text(header, claims)
        var signature = Array(try key.signature(Data(text.utf8)))
        if flaws.contains(.wrongSignature) { signature[signature.count / 2] ^= 1 }
        return Forged(text: "\(text).\(Base64URL.encode(signature))", header: .object(header), claims: claims)
    }

    private var type: String {
        order.kind == .access ? endpoint.dialect.traits.accessTokenType : SigningKey.usualType
    }

    private static func text(_ header: [String: JSON], _ claims: JSON) throws -> String {
        Base64URL.encode(JSON.object(header).encoded) + "." + Base64URL.encode(claims.encoded)
    }
}

extension Site {
    func forge(_ order: TokenOrder, origin: String) throws -> TokenForge.Forged {
        try TokenForge(order, self, origin: origin, now: clock.now()).forge()
    }
}
