import Crypto
public import SusiPolicies

/// The rules that an id token must keep before anything in it is believed (OpenID Connect Core 3.1.3.7).
public struct IDTokenRules: Sendable {
    /// Who signs.
    public let authority: Authority
    /// The issuer of the authority's metadata.
    public let metadata: ProviderMetadata
    /// The application's (client) id.
    public let clientID: String
    /// The nonce of the request; nil for a refresh, whose answer may lack it (OpenID Connect Core 12.2).
    public let nonce: String?
    /// Seconds since 1970.
    public let now: Int64

    /// Seconds by which two clocks may differ.
    public static let skew: Int64 = 300

    /// Gathers what the rules need.
    public init(authority: Authority, metadata: ProviderMetadata, clientID: String, nonce: String?, now: Int64) {
        self.authority = authority
        self.metadata = metadata
        self.clientID = clientID
        self.nonce = nonce
        self.now = now
    }

    /// Checks everything but the signature, which ``KeySet/verify(_:)`` checked first, and names the person.
    public func check(_ token: SignedToken, accessToken: String?) throws(ProtocolViolation) -> Person {
        let claims = token.claims
        let issuer = try issuer(claims)
        guard claims["iss"]?.string == issuer else {
            throw violation("its issuer is “\(claims["iss"]?.string ?? "")”, not “\(issuer)”", "(2)")
        }
        try checkAudience(claims)
        try checkTimes(claims)
        if let nonce, claims["nonce"]?.string != nonce {
            throw violation("its nonce is not the one that was sent", "(11)")
        }
        if authority.kind.hasPolicies { try checkPolicy(claims) }
        if let hash = claims["at_hash"], let accessToken {
            try checkHash(hash.string ?? "", of: accessToken)
        }
        return try person(claims)
    }

    // A template stands for the tenant that the token names, if that is one of the authority's. Else the claim tid only
    // repeats what the issuer says; in B2C it may be anything that a policy puts there.
    private func issuer(_ claims: JSONNode) throws(ProtocolViolation) -> String {
        let named = claims["tid"]?.string
        guard let tenantID = metadata.tenantID else {
            guard let issuer = authority.issuer(template: metadata.issuer, tenantID: named ?? "") else {
                throw ProtocolViolation(
                    .idToken, "its tenant “\(named ?? "")” is none of \(authority.address)",
                    source: "Microsoft Entra ID, claim tid")
            }
            return issuer
        }
        if authority.kind == .entra || authority.kind == .external, let named, named != tenantID {
            throw ProtocolViolation(
                .idToken, "its tid is “\(named)”, not “\(tenantID)”", source: "Microsoft Entra ID, claim tid")
        }
        return metadata.issuer
    }

    private func checkPolicy(_ claims: JSONNode) throws(ProtocolViolation) {
        let found = (claims["tfp"] ?? claims["acr"])?.string
        guard let found, PolicyName(found) == authority.policy else {
            throw ProtocolViolation(
                .idToken, "its policy is \(found ?? "none"), not \(authority.policy)",
                source: "Azure AD B2C, claims tfp and acr")
        }
    }

    private func checkAudience(_ claims: JSONNode) throws(ProtocolViolation) {
        let audiences = claims["aud"]?.strings ?? []
        guard audiences.contains(clientID) else {
            throw violation("its audience is “\(audiences.joined(separator: " "))”, not “\(clientID)”", "(3)")
        }
        let party = claims["azp"].map { $0.string ?? "" }
        if audiences.count > 1, party == nil { throw violation("it has several audiences and no azp", "(4)") }
        if let party, party != clientID { throw violation("its azp is “\(party)”, not “\(clientID)”", "(5)") }
    }

    private func checkTimes(_ claims: JSONNode) throws(ProtocolViolation) {
        guard let expires = claims["exp"]?.lenientInteger, let issued = claims["iat"]?.lenientInteger else {
            throw violation("it has no exp or no iat", "(9), (10)")
        }
        let (soonest, latest) = (now.addingReportingOverflow(-Self.skew), now.addingReportingOverflow(Self.skew))
        let clock = "; compare this machine's clock with the server's"
        guard expires > soonest.partialValue else {
            throw violation("it ended \(now - max(expires, 0)) s ago\(clock)", "(9)")
        }
        guard issued <= latest.partialValue else {
            throw violation("it was issued in the future, at \(issued)\(clock)", "(10)")
        }
        if let start = claims["nbf"]?.lenientInteger, start > latest.partialValue {
            throw violation("it is valid only from \(start) on\(clock)", "RFC 7519 4.1.5")
        }
    }

    // OpenID Connect Core 3.1.3.6: the left half of the hash of the access token's ASCII bytes.
    private func checkHash(_ hash: String, of accessToken: String) throws(ProtocolViolation) {
        let expected = Base64URL.encode(SHA256.hash(data: Array(accessToken.utf8)).prefix(16))
        guard hash == expected else {
            throw ProtocolViolation(
                .idToken, "its at_hash is not that of the access token", source: "OpenID Connect Core 3.1.3.8")
        }
    }

    // Only signed claims say who it is. B2C writes a constant text into sub where it has nothing to say. The issuer was
    // checked before, and with it the tenant that a template leaves to the token.
    private func person(_ claims: JSONNode) throws(ProtocolViolation) -> Person {
        let tenant = Tenant(
            origin: metadata.tenant.origin, id: metadata.tenantID ?? claims["tid"]?.string ?? metadata.issuer)
        if authority.kind.hasObjectIDs, let objectID = claims["oid"]?.string, !objectID.isEmpty {
            return Person(tenant: tenant, subject: objectID.lowercased())
        }
        guard let subject = claims["sub"]?.string, !subject.isEmpty,
            !subject.lowercased().hasPrefix("not supported currently")
        else {
            throw ProtocolViolation(
                .idToken, "it names nobody: it has no oid and no real sub", source: "OpenID Connect Core 2")
        }
        return Person(tenant: tenant, subject: subject)
    }

    private func violation(_ reason: String, _ clause: String) -> ProtocolViolation {
        ProtocolViolation(
            .idToken, reason, source: clause.hasPrefix("(") ? "OpenID Connect Core 3.1.3.7 \(clause)" : clause)
    }
}
