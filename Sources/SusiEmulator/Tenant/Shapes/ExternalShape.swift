import SusiPolicies

/// Entra External ID (CIAM): `/TENANT/…`, the tenant by name or by GUID, no policies.
struct ExternalShape: MicrosoftShape {
    func place(
        _ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String
    ) -> (Place, rest: [String])? {
        guard let spelling = segments.first.flatMap(tenant.spelling) else { return nil }
        let place = Place(
            tenant: tenant, origin: origin, base: "/\(spelling)", pages: "/\(spelling)", policy: tenant.signInPolicy)
        return (place, Array(segments.dropFirst()))
    }

    func issuer(_ place: Place) -> String { issuer(of: place.tenant.configuration.id, origin: place.origin) }

    func takes(_ grant: GrantType, at place: Place) -> Bool { !GrantType.native.contains(grant) }

    var servesNativeAuthentication: Bool { true }

    // The last one leads straight to the page for a new account.
    var prompts: [String] { ["none", "login", "consent", "select_account", "create"] }

    func refusal(of user: User, at place: Place) -> Refusal? { nil }
}
