import SusiBase

/// Microsoft Entra External ID (CIAM): `https://NAME.ciamlogin.com/TENANT`, or a domain of the tenant's own.
struct ExternalRules: AuthorityRules {
    /// The domain of the service; the tenants' hosts are below it.
    static let serviceName = "ciamlogin.com"
    private static let suffix = ".ciamlogin.com"

    var traits: AuthorityTraits {
        AuthorityTraits(
            hasPolicies: false, authorityIsIssuer: false, allowsCustomDomains: true, endpointsNameTenantID: true,
            msalType: "CIAM",
            hasObjectIDs: true, hasTenantIDs: true, authTimeIsOptional: true, sendsClientInfo: true,
            admitsGuests: true,
            offersAccountChoice: true, listsAccounts: true, ignoresRedirectPort: true, tenantKeepingBrowser: nil,
            otherResponseOrigins: [],
            passwordGrantNeedsResponseType: false, nativeAuthenticationPath: ["oauth2", "v2.0"],
            scopesNameAPIs: true, impliesGraph: true, clientIDIsScope: false,
            refreshServesEveryAPI: true, refreshServesEveryTenant: false, keepsAuthTime: true, mayRevokeTokens: false,
            clientIDIsGUID: true, policyPrefixes: [])
    }

    // The service's hosts name the tenant.
    func tenant(of base: WebAddress) -> String? {
        if let named = base.segments.first { return named }
        guard isServiceHost(base) else { return nil }
        let name = String(base.host.dropLast(Self.suffix.count))
        return name.isGUID ? name : "\(name).onmicrosoft.com"
    }

    func address(of authority: Authority) -> Endpoint {
        let base = authority.base
        guard base.segments.isEmpty, let tenant = authority.tenant else { return Endpoint(base) }
        return Endpoint(base.appending([tenant]))
    }

    func discovery(of authority: Authority) -> Endpoint { authority.platformConfiguration }

    func entry(for authority: Authority) -> String { address(of: authority).description }

    // `https://GUID.ciamlogin.com/GUID/v2.0`, or the same path on the authority's own host. Any server can name that issuer
    // and repeat the GUID, so a host that is not the service's own is itself the origin of its tenant.
    func tenant(
        ofIssuer issuer: String, from authority: Authority, known: KnownAuthorities
    ) throws(InvalidInput) -> IssuingTenant {
        guard !issuer.hasSuffix("/"), let address = try? WebAddress(issuer), address.segments.count == 2,
            address.segments[1] == "v2.0"
        else { throw InvalidInput("it is not https://HOST/GUID/v2.0") }
        let found = address.segments[0].lowercased()
        try authority.tenant.checkIsNamed(by: found)
        let (own, service) = (authority.base.origin, "https://\(found)\(Self.suffix)")
        if address.origin != own, !isHost(of: found, address, authority.base) {
            guard address.origin == service, !authority.base.isLoopback else {
                throw InvalidInput("it is neither at \(own) nor at the tenant's own host")
            }
            // At a custom domain the file names the tenant: by its GUID in the authority, or in `knownAuthorities`.
            guard authority.tenant?.lowercased() == found || known.names(address) else {
                let entry = known.addition(of: "\(service)/\(found)", to: "the application")
                throw InvalidInput(
                    "it does not show that \(own) belongs to that tenant; if it does, write \(own)/\(found), or add \(entry)"
                )
            }
        }
        return IssuingTenant(origin: isServiceHost(authority.base) ? address.origin : own, id: found)
    }

    func mayPlace(
        _ name: EndpointName, at address: WebAddress, of authority: Authority, _ tenant: IssuingTenant
    ) -> Bool {
        if let id = tenant.id, isHost(of: id, address, authority.base) { return true }
        // The service sends userinfo to Microsoft Graph, from a custom domain too.
        return name == .userinfo && !authority.base.isLoopback && EntraCloud.world.hasGraph(address)
    }

    // Names below `localhost` are this machine (RFC 6761 section 6.3).
    private func isHost(of tenantID: String, _ address: WebAddress, _ base: WebAddress) -> Bool {
        guard base.isLoopback else {
            return isServiceHost(base) && address.origin == "https://\(tenantID)\(Self.suffix)"
        }
        return (address.scheme, address.port) == (base.scheme, base.port) && address.host == "\(tenantID).localhost"
    }

    // The server names the page of work accounts, which refuses those of the tenant.
    func devicePageOfLocalAccounts(at base: WebAddress) -> WebAddress? {
        isServiceHost(base) ? base.replacing(segments: ["common", "oauth2", "deviceauth"]) : nil
    }

    func complaint(about base: WebAddress) -> String? {
        if EntraCloud.of(base) != nil { return "\(base.host) is an authority of the kind “entra”" }
        if B2CRules().isServiceHost(base) { return "\(base.host) is an authority of the kind “b2c”" }
        switch base.segments.count {
        case 0 where tenant(of: base) == nil:
            return "no tenant: write its GUID after the host, as in \(base.origin)/GUID"
        case 0, 1: return nil
        default: return "more than a tenant in the path: leave out what follows “\(base.segments[0])”"
        }
    }

    func address(ofTenant name: String) -> WebAddress? {
        guard let label = AuthorityKind.tenantLabel(name)?.label else { return nil }
        return WebAddress(scheme: "https", host: label + Self.suffix, port: nil, segments: [name.lowercased()])
    }

    /// Whether the host is one of the service's own names: one label before its domain.
    func isServiceHost(_ address: WebAddress) -> Bool {
        guard address.scheme == "https", address.port == nil, address.host.hasSuffix(Self.suffix) else { return false }
        let name = address.host.dropLast(Self.suffix.count)
        return !name.isEmpty && !name.contains(".")
    }
}
