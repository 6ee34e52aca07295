import SusiPolicies

/// Entra External ID (CIAM): `/TENANT/…`, the tenant by name or by GUID, no policies.
struct ExternalDialect: MicrosoftDialect {
    func endpoint(
        _ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String
    ) -> (PolicyEndpoint, rest: [String])? {
        guard let spelling = segments.first.flatMap(tenant.spelling) else { return nil }
        let endpoint = PolicyEndpoint(
            tenant: tenant, origin: origin, base: "/\(spelling)", pages: "/\(spelling)", policy: tenant.signInPolicy)
        return (endpoint, Array(segments.dropFirst()))
    }

    func issuer(_ endpoint: PolicyEndpoint) -> String {
        issuer(of: endpoint.tenant.configuration.id, origin: endpoint.origin)
    }

    func grants(at endpoint: PolicyEndpoint) -> [GrantType] {
        [.authorizationCode, .refreshToken, .clientCredentials, .deviceCode]
    }

    var servesNativeAuthentication: Bool { true }

    // `create` opens the sign-up page.
    var prompts: [String] { ["none", "login", "consent", "select_account", "create"] }

    func refusal(of user: User, at endpoint: PolicyEndpoint) -> Refusal? { nil }

    var offersSignUp: Bool { true }

    var defaults: TenantDefaults { TenantDefaults(redirectPorts: .any) }

    var title: String { "Local tenant that works like Entra External ID" }

    var msal: MSALNames { MSALNames(dotNet: .withOidcAuthority, android: "CIAM", apple: "MSALCIAMAuthority") }
}
