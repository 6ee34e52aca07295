import SusiBase

/// Microsoft Entra ID: `https://login.microsoftonline.com/TENANT`; TENANT can be `common`, `organizations` or
/// `consumers`.
struct EntraRules: AuthorityRules {
    /// The tenant of personal Microsoft accounts.
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"
    private static let template = "{tenantid}"

    var traits: AuthorityTraits {
        AuthorityTraits(
            hasPolicies: false, authorityIsIssuer: false, allowsCustomDomains: false, endpointsNameTenantID: true,
            msalType: "AAD",
            hasObjectIDs: true, hasTenantIDs: true, authTimeIsOptional: true, sendsClientInfo: true,
            admitsGuests: true,
            // Microsoft answers for personal accounts from that origin.
            offersAccountChoice: true, listsAccounts: true, ignoresRedirectPort: true,
            tenantKeepingBrowser: Self.consumers,
            otherResponseOrigins: ["https://login.live.com"],
            passwordGrantNeedsResponseType: false, nativeAuthenticationPath: nil,
            scopesNameAPIs: true, impliesGraph: true, clientIDIsScope: false,
            refreshServesEveryAPI: true, refreshServesEveryTenant: true, keepsAuthTime: true, mayRevokeTokens: false,
            clientIDIsGUID: true, policyPrefixes: [])
    }

    func tenant(of base: WebAddress) -> String? { base.segments.first }

    func discovery(of authority: Authority) -> Endpoint { authority.platformConfiguration }

    func origin(of base: WebAddress) -> String { EntraCloud.of(base)?.origin ?? base.origin }

    func isMultiTenant(_ base: WebAddress) -> Bool {
        ["common", "organizations"].contains(tenant(of: base)?.lowercased())
    }

    // `https://HOST/GUID/v2.0`, with `{tenantid}` instead of the GUID if the authority has several tenants. The host is
    // the authority's own or the one that its cloud prefers.
    func tenant(
        ofIssuer issuer: String, from authority: Authority, known: KnownAuthorities
    ) throws(InvalidInput) -> IssuingTenant {
        let isTemplate = issuer.contains(Self.template)
        // An address cannot contain braces, so a GUID replaces the template before parsing.
        let text = issuer.replacing(Self.template, with: Self.consumers, maxReplacements: 1)
        guard !text.hasSuffix("/"), let address = try? WebAddress(text), address.segments.count == 2,
            address.segments[1] == "v2.0"
        else { throw InvalidInput("it is not https://HOST/GUID/v2.0") }
        guard [authority.base.origin, authority.origin].contains(address.origin) else {
            throw InvalidInput("it is not at \(authority.origin)")
        }
        let origin = self.origin(of: address)
        let named = authority.tenant?.lowercased()
        if isTemplate {
            guard address.segments[0] == Self.consumers else { throw InvalidInput("its template is not {tenantid}") }
            guard authority.isMultiTenant || named == "consumers" else {
                throw InvalidInput("it is a template for several tenants, and \(authority.address) is one tenant")
            }
            return IssuingTenant(origin: origin, id: nil)
        }
        guard !authority.isMultiTenant else {
            throw InvalidInput("it belongs to one tenant, and \(authority.address) is for several")
        }
        let found = address.segments[0].lowercased()
        try (named == "consumers" ? Self.consumers : named).checkIsNamed(by: found)
        return IssuingTenant(origin: origin, id: found)
    }

    func serves(tenantID: String, at base: WebAddress) -> Bool {
        switch tenant(of: base)?.lowercased() {
        case "common": true
        case "organizations": tenantID != Self.consumers
        case "consumers": tenantID == Self.consumers
        default: false
        }
    }

    // The home tenant's, on the same host: `common` refuses the refresh tokens of personal accounts (AADSTS70000). MSAL does
    // the same.
    func tokenEndpoint(_ endpoint: Endpoint, ofTenant id: String, at base: WebAddress) -> Endpoint {
        let path = endpoint.address.segments
        guard id.isGUID, serves(tenantID: id, at: base), path.first?.lowercased() == tenant(of: base)?.lowercased(),
            origin(of: endpoint.address) == origin(of: base)
        else { return endpoint }
        let name = id == Self.consumers ? "consumers" : id
        return endpoint.replacing(segments: [name] + path.dropFirst())
    }

    func mayPlace(
        _ name: EndpointName, at address: WebAddress, of authority: Authority, _ tenant: IssuingTenant
    ) -> Bool {
        guard let cloud = EntraCloud.of(authority.base) else { return false }
        return EntraCloud.of(address) == cloud || name == .userinfo && cloud.hasGraph(address)
    }

    func address(ofTenant name: String) -> WebAddress? {
        let country = AuthorityKind.tenantLabel(name).map { String($0.suffix.suffix(3)) } ?? ".com"
        let cloud = country == ".com" ? .world : EntraCloud.all.first { $0.hosts[0].hasSuffix(country) } ?? .world
        return WebAddress(scheme: "https", host: cloud.hosts[0], port: nil, segments: [name])
    }

    func isServiceHost(_ address: WebAddress) -> Bool { EntraCloud.of(address) != nil }

    func isUnknownHost(_ base: WebAddress) -> Bool { EntraCloud.of(base) == nil && !base.isLoopback }

    func complaint(about base: WebAddress) -> String? {
        if B2CRules().isServiceHost(base) { return "\(base.host) is an authority of the kind “b2c”" }
        if ExternalRules().isServiceHost(base) { return "\(base.host) is an authority of the kind “external”" }
        switch base.segments.count {
        case 0: return "no tenant: write a tenant, common, organizations or consumers after the host"
        case 1: return nil
        default: return "more than a tenant in the path: leave out what follows “\(base.segments[0])”"
        }
    }
}

extension Authority {
    /// The address of the OpenID configuration in the Microsoft identity platform: below `v2.0`.
    var platformConfiguration: Endpoint {
        Endpoint(address.address.appending("v2.0", ".well-known", "openid-configuration"))
    }
}
