import SusiPolicies

/// Entra ID for a workforce: `/TENANT/…`, and the addresses for users of many tenants.
struct EntraDialect: MicrosoftDialect {
    let traits: TenantTraits = {
        var traits = TenantTraits.microsoft("Local tenant that works like Entra ID for a workforce")
        traits.grants.append(.deviceCode)
        traits.servesInstanceDiscovery = true
        traits.guestsOf = .entra
        traits.attributeNames = .groups
        traits.acceptsForeignRefreshTokens = true
        traits.defaults = TenantDefaults(
            name: "tailspin.onmicrosoft.com", users: User.standard + [User.personal], redirectPorts: .any)
        return traits
    }()

    /// The tenant of personal accounts.
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// The addresses without a tenant, and the accounts that each serves.
    private static let shared: [String: @Sendable (_ isPersonal: Bool) -> Bool] = [
        "common": { _ in true }, "organizations": { !$0 }, "consumers": { $0 },
    ]

    static func isShared(_ name: String) -> Bool { shared[name.lowercased()] != nil }

    func endpoint(
        _ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String
    ) -> (PolicyEndpoint, rest: [String])? {
        guard let first = segments.first else { return nil }
        let name = first.lowercased()
        let isOther = Self.isShared(name) || name == Self.consumers || tenant.database.isHome(name)
        guard let spelling = tenant.spelling(first) ?? (isOther ? name : nil) else { return nil }
        let endpoint = PolicyEndpoint(
            tenant: tenant, origin: origin, base: "/\(spelling)", pages: "/\(spelling)", policy: tenant.signInPolicy)
        return (endpoint, Array(segments.dropFirst()))
    }

    // The issuer of an address for many tenants is a template; personal accounts have their own tenant.
    func issuer(_ endpoint: PolicyEndpoint) -> String {
        switch endpoint.name {
        case "common", "organizations": issuer(of: "{tenantid}", origin: endpoint.origin)
        case "consumers": issuer(of: Self.consumers, origin: endpoint.origin)
        default: issuer(of: Self.tenantID(of: endpoint), origin: endpoint.origin)
        }
    }

    /// The tenant of an address for one tenant: this one, or the home tenant of users here.
    private static func tenantID(of endpoint: PolicyEndpoint) -> String {
        endpoint.tenant.spelling(endpoint.name) == nil ? endpoint.name : endpoint.tenant.configuration.id
    }

    func grants(at endpoint: PolicyEndpoint) -> [GrantType] {
        // A shared address does not name the tenant in which the application has permissions.
        let isShared = Self.isShared(endpoint.name)
        let takesPassword = !["common", "consumers", Self.consumers].contains(endpoint.name)
        return traits.grants.filter { $0 != .clientCredentials || !isShared } + (takesPassword ? [.password] : [])
    }

    func refusal(ofGrant name: String, at endpoint: PolicyEndpoint) -> Refusal {
        guard grantType(name) == .password else {
            return Refusal(.grantTypeUnsupported, "The supplied grant_type [\(name)] is not supported.")
        }
        return Refusal(
            .grantTypeNeedsTenant,
            """
            The grant type is not supported over the /common or /consumers endpoints. Please use the /organizations or \
            tenant-specific endpoint.
            """)
    }

    func keepsBrowser(of user: User) -> Bool { user.homeTenant == Self.consumers }

    func isShared(_ segments: [String]) -> Bool { segments.allSatisfy(Self.isShared) }

    func refusal(of user: User, at endpoint: PolicyEndpoint) -> Refusal? {
        let serves =
            if user.guestOf != nil {
                // At any other address everyone signs in at home.
                endpoint.tenant.spelling(endpoint.name) != nil
            } else if let shared = Self.shared[endpoint.name] {
                shared(user.homeTenant == Self.consumers)
            } else {
                (user.homeTenant ?? endpoint.tenant.configuration.id) == Self.tenantID(of: endpoint)
            }
        guard !serves else { return nil }
        return Refusal(
            .userOfAnotherTenant,
            "User account '\(user.signInName)' does not exist in tenant '\(endpoint.name)' and cannot access the application."
        )
    }

    // `/consumers` accepts the same refresh token.
    func refreshRefusal(of user: User, at endpoint: PolicyEndpoint) -> Refusal? {
        guard endpoint.name == "common", user.homeTenant == Self.consumers else { return nil }
        return Refusal(
            .refreshAtCommon,
            "The user could not be authenticated as the grant is expired. The user must sign in again."
        ).because("/common does not accept refresh tokens of personal accounts; /consumers does")
    }
}
