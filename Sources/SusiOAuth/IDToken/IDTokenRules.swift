package import SusiBase
package import SusiPolicies

/// The rules for a valid id token (OpenID Connect Core 3.1.3.7).
package struct IDTokenRules: Sendable {
    package let authority: Authority
    package let metadata: ProviderMetadata
    package let clientID: String
    /// The audiences that are accepted beside the client ID.
    package let trustedAudiences: [String]
    /// The nonce of the request; `nil` for a refresh, whose response may lack it (OpenID Connect Core 12.2).
    package let nonce: String?
    /// Seconds since 1970.
    package let now: Int64
    /// The server's time, from the `Date` of its response; it distinguishes a wrong clock from an old token.
    package let serverTime: Int64?
    /// The `max_age` of the request in seconds; `nil` if none was requested.
    package let maximumAge: Int64?
    /// The accepted values of `acr`; empty accepts any, `nil` requires none.
    package let acr: [String]?
    /// The code that was exchanged for the token; `nil` for a refresh.
    package let code: String?
    /// The claims of the account's previous id token; `nil` for a sign-in.
    package let previous: JSONNode?

    /// The accepted difference between two clocks, in seconds.
    package static let skew: Int64 = 300

    package init(
        authority: Authority, metadata: ProviderMetadata, clientID: String,
        trustedAudiences: [String] = [], nonce: String?, now: Int64,
        serverTime: Int64? = nil, maximumAge: Int64? = nil, acr: [String]? = nil, code: String? = nil,
        previous: JSONNode? = nil
    ) {
        self.authority = authority
        self.metadata = metadata
        self.clientID = clientID
        self.trustedAudiences = trustedAudiences
        self.nonce = nonce
        self.now = now
        self.serverTime = serverTime
        self.maximumAge = maximumAge
        self.acr = acr
        self.code = code
        self.previous = previous
    }

    /// Checks all rules except the signature, which ``KeySet/verify(_:)`` verified before, and returns the person.
    package func check(_ token: SignedToken, accessToken: String?) throws(ProtocolViolation) -> Person {
        let claims = token.claims
        // An access token of the same issuer has a valid signature too.
        if let type = token.type, SignedToken.isOtherKind(type) {
            throw violation("typ is “\(type)”: this is another kind of token", "RFC 8725 3.11")
        }
        // The metadata may list the signature algorithms.
        guard metadata.signingAlgorithms.isEmpty || metadata.signingAlgorithms.contains(token.algorithm) else {
            throw violation("the algorithm \(token.algorithm) is not in the server's metadata", "(7)")
        }
        let issuer = try Self.issuer(of: claims, authority, metadata)
        guard claims["iss"]?.string == issuer else {
            throw violation("the issuer is “\(claims["iss"]?.string ?? "")”, not “\(issuer)”", "(2)")
        }
        try checkAudience(claims)
        try checkTimes(claims)
        if let nonce, claims["nonce"]?.string != nonce {
            throw violation("the nonce does not match the request", "(11)")
        }
        if authority.kind.traits.hasPolicies { try checkPolicy(claims) }
        try checkHash("at_hash", in: claims, of: accessToken, "the access token", source: "3.1.3.8")
        try checkHash("c_hash", in: claims, of: code, "the code", source: "3.3.2.10")
        if let maximumAge { try checkAge(claims, maximumAge) }
        if let acr { try checkACR(claims, acr) }
        if let previous { try checkRefresh(claims, after: previous) }
        return try person(claims)
    }

    /// Returns the issuer that a token with these claims must have.
    ///
    /// In a template, `{tenantid}` becomes the tenant of the token if the authority serves that tenant. Otherwise `tid`
    /// must repeat the tenant of the issuer, if the kind has such a claim.
    package static func issuer(
        of claims: JSONNode, _ authority: Authority, _ metadata: ProviderMetadata
    ) throws(ProtocolViolation) -> String {
        let named = claims["tid"]?.string
        guard let tenantID = metadata.tenantID else {
            guard let issuer = authority.issuer(template: metadata.issuer, tenantID: named ?? "") else {
                throw ProtocolViolation(
                    .idToken, "the tenant “\(named ?? "")” does not belong to \(authority.address)",
                    source: "Microsoft Entra ID, claim tid")
            }
            return issuer
        }
        if authority.kind.traits.hasTenantIDs, let named, named != tenantID {
            throw ProtocolViolation(
                .idToken, "tid is “\(named)”, not “\(tenantID)”", source: "Microsoft Entra ID, claim tid")
        }
        return metadata.issuer
    }

    private func checkPolicy(_ claims: JSONNode) throws(ProtocolViolation) {
        // A custom policy can leave out both (`AuthenticationContextReferenceClaimPattern` is `None`). The token came from the
        // policy's own endpoint, which redeems only codes and refresh tokens of the policy.
        guard let claim = claims["tfp"] ?? claims["acr"] else { return }
        let found = claim.string ?? ""
        guard PolicyName(found) == authority.policy else {
            throw ProtocolViolation(
                .idToken, "the policy is “\(found)”, not \(authority.policy)",
                source: "Azure AD B2C, claims tfp and acr")
        }
    }

    private func checkAudience(_ claims: JSONNode) throws(ProtocolViolation) {
        let audiences = claims["aud"]?.strings ?? []
        let isClient = { authority.kind.isSameClient($0, clientID) }
        guard audiences.contains(where: isClient) else {
            throw violation(
                "the audience is “\(audiences.joined(separator: " "))”, not “\(clientID)”", "(3)", .audience)
        }
        // Another audience could replay the token here as a sign-in.
        let others = audiences.filter { !isClient($0) }
        if let other = others.first(where: { !trustedAudiences.contains($0) }) {
            throw violation("the audience contains “\(other)”, which is not trusted", "(3)", .audience)
        }
        guard others.isEmpty || claims["azp"] != nil else {
            throw violation("no azp, although there are several audiences", "(4)", .audience)
        }
        if let party = claims["azp"].map({ $0.string ?? "" }), !isClient(party) {
            throw violation("azp is “\(party)”, not “\(clientID)”", "(5)")
        }
    }

    // Only signed claims identify a person. The issuer is checked already, and with it the tenant that a template takes
    // from the token.
    private func person(_ claims: JSONNode) throws(ProtocolViolation) -> Person {
        let tenant = Tenant(
            origin: metadata.tenant.origin, id: metadata.tenantID ?? claims["tid"]?.string ?? metadata.issuer)
        if authority.kind.traits.hasObjectIDs, let objectID = claims["oid"]?.string, !objectID.isEmpty {
            return Person(tenant: tenant, subject: Person.canonical(objectID))
        }
        guard let subject = claims["sub"]?.string, Person.isSubject(subject) else {
            throw ProtocolViolation(
                .idToken, "no person: neither oid nor a real sub", source: "OpenID Connect Core 2",
                suspect: .personClaims)
        }
        return Person(tenant: tenant, subject: subject)
    }

    func violation(
        _ reason: String, _ clause: String, _ suspect: ProtocolViolation.Suspect? = nil
    ) -> ProtocolViolation {
        let source = clause.hasPrefix("(") ? "OpenID Connect Core 3.1.3.7 \(clause)" : clause
        return ProtocolViolation(.idToken, reason, source: source, suspect: suspect)
    }
}
