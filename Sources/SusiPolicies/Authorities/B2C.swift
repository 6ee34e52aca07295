import SusiBase

/// Azure AD B2C: `https://HOST/TENANT/POLICY`, `https://HOST/tfp/TENANT/POLICY`, or `https://HOST/TENANT?p=POLICY`.
struct B2CRules: AuthorityRules {
    var traits: AuthorityTraits {
        AuthorityTraits(
            hasPolicies: true, authorityIsIssuer: false, allowsCustomDomains: true, endpointsNameTenantID: false,
            msalType: "B2C",
            hasObjectIDs: true, hasTenantIDs: false, authTimeIsOptional: false,
            sendsClientInfo: true, admitsGuests: false,
            offersAccountChoice: true, listsAccounts: false, ignoresRedirectPort: false, tenantKeepingBrowser: nil,
            otherResponseOrigins: [],
            passwordGrantNeedsResponseType: true, nativeAuthenticationPath: nil,
            scopesNameAPIs: true, impliesGraph: false, clientIDIsScope: true, refreshServesEveryAPI: true,
            refreshServesEveryTenant: false, keepsAuthTime: false, mayRevokeTokens: false, clientIDIsGUID: true,
            // User flows have the first one, custom policies the second one.
            policyPrefixes: ["B2C_1_", "B2C_1A_"])
    }

    func address(of authority: Authority) -> Endpoint { endpoint(authority) }

    func discovery(of authority: Authority) -> Endpoint {
        endpoint(authority, "v2.0", ".well-known", "openid-configuration")
    }

    private func endpoint(_ authority: Authority, _ more: String...) -> Endpoint {
        switch authority.policyPlace {
        case .path: Endpoint(authority.base.appending([authority.policy.spelling] + more))
        case .query: Endpoint(authority.base.appending(more), query: "p=\(authority.policy)")
        }
    }

    // The usual issuer contains no policy and is not a prefix of the authority. A tenant can be switched to the form
    // that OpenID Connect Discovery 1.0 section 4.3 requires, which contains both. No other form is valid.
    func tenant(
        ofIssuer issuer: String, from authority: Authority, known: KnownAuthorities
    ) throws(InvalidInput) -> IssuingTenant {
        guard issuer.hasSuffix("/"), let address = try? WebAddress(issuer), address.origin == authority.base.origin
        else { throw InvalidInput("it does not end with a slash, or is not at \(authority.base.origin)") }
        let segments = address.segments
        let plain = segments.count == 2 && segments[1] == "v2.0"
        let withPolicy =
            segments.count == 4 && segments[0] == "tfp" && segments[3] == "v2.0"
            && PolicyName(segments[2]) == authority.policy
        guard plain || withPolicy else {
            throw InvalidInput("it is neither …/GUID/v2.0/ nor …/tfp/GUID/\(authority.policy)/v2.0/")
        }
        let found = segments[withPolicy ? 1 : 0].lowercased()
        try tenant(of: authority.base).checkIsNamed(by: found)
        return IssuingTenant(origin: address.origin, id: found)
    }

    func tenant(of base: WebAddress) -> String? {
        base.segments.first == "tfp" ? base.segments.dropFirst().first : base.segments.first
    }

    // Every part of the entry must match. `/tfp/` is only another way to write the same authority.
    func isCovered(_ authority: Authority, by path: [String]) -> Bool {
        let asked = [authority.tenant, authority.policy.spelling].map { $0?.lowercased() }
        let allowed = path.dropFirst(path.first == "tfp" ? 1 : 0).map { $0.lowercased() }
        return allowed.count <= asked.count && zip(allowed, asked).allSatisfy { $0 == $1 }
    }

    func complaint(about base: WebAddress) -> String? {
        if EntraCloud.of(base) != nil {
            return "\(base.host) is the workforce service: a B2C tenant is at NAME.b2clogin.com or its own domain"
        }
        if ExternalRules().isServiceHost(base) { return "\(base.host) is an authority of the kind “external”" }
        let path = base.segments.first == "tfp" ? Array(base.segments.dropFirst()) : base.segments
        switch path.count {
        case 0: return "no tenant: write it after the host, as in \(base.origin)/contoso.onmicrosoft.com"
        case 1: return nil
        default: return "more than a tenant in the path: leave out the policy; susi adds it"
        }
    }

    // Every tenant has a host with the first label of its name.
    func address(ofTenant name: String) -> WebAddress? {
        guard let (label, suffix) = AuthorityKind.tenantLabel(name) else { return nil }
        let domain = suffix.hasSuffix(".cn") ? "b2clogin.cn" : suffix.hasSuffix(".us") ? "b2clogin.us" : "b2clogin.com"
        return WebAddress(scheme: "https", host: "\(label).\(domain)", port: nil, segments: [name.lowercased()])
    }

    // Until 2021 the workforce service answered for B2C.
    func replacement(for base: WebAddress) -> WebAddress? {
        guard EntraCloud.of(base) != nil else { return nil }
        return tenant(of: base).flatMap(address(ofTenant:))
    }

    func isServiceHost(_ address: WebAddress) -> Bool {
        Self.serviceNames.contains { address.host.hasSuffix("." + $0) }
    }

    /// The domains of the service; the tenants' hosts are below them.
    static let serviceNames = ["b2clogin.com", "b2clogin.cn", "b2clogin.us", "b2clogin.de"]
}
