import SusiBase
import SusiPolicies

/// Entra External ID (CIAM): `/TENANT/…`, the tenant by name or by GUID, no policies.
struct ExternalDialect: MicrosoftDialect {
    let traits: TenantTraits = {
        var traits = TenantTraits.microsoft("Local tenant that works like Entra External ID")
        traits.grants.append(.deviceCode)
        // `create` opens the sign-up page.
        traits.prompts.append("create")
        traits.servesNativeAuthentication = true
        traits.namesSession = true
        traits.sharesUsersOf = .b2c
        traits.guestsOf = .entra
        traits.offersSignUp = true
        traits.issuerForms = [.tenant, .tenantHost]
        // The service issues only those that an administrator adds.
        traits.attributeNames = .directoryExtensions
        traits.defaults.redirectPorts = .any
        return traits
    }()

    func endpoint(
        _ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String
    ) -> (PolicyEndpoint, rest: [String])? {
        guard segments.first.flatMap(tenant.spelling) != nil else { return nil }
        // Addresses always have the tenant's GUID, however the request names it.
        let base = "/\(tenant.configuration.id)"
        let endpoint = PolicyEndpoint(
            tenant: tenant, origin: origin, base: base, pages: base, policy: tenant.signInPolicy)
        return (endpoint, Array(segments.dropFirst()))
    }

    func callouts(of policy: Policy) -> Callout.Group? { .authenticationExtensions }

    func issuer(_ endpoint: PolicyEndpoint) -> String {
        issuer(in: endpoint.tenant, origin: endpoint.origin)
    }

    func issuer(ofToken claims: JSON, in tenant: Tenant, origin: String) -> String? {
        issuer(in: tenant, origin: origin)
    }

    private func issuer(in tenant: Tenant, origin: String) -> String {
        let id = tenant.configuration.id
        guard tenant.configuration.issuerForm == .tenantHost, let address = try? WebAddress(origin) else {
            return issuer(of: id, origin: origin)
        }
        // A custom domain does not change the issuer. The names below `localhost` are for this machine alone.
        guard address.isLoopback else {
            return issuer(of: id, origin: "https://\(tenant.configuration.cloudIssuerHost ?? address.host)")
        }
        let port = address.port.map { ":\($0)" } ?? ""
        return issuer(of: id, origin: "\(address.scheme)://\(id).localhost\(port)")
    }
}
