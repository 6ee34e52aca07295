import SusiPolicies

/// Entra ID for a workforce: `/TENANT/…`, and the addresses that serve the people of many tenants.
struct EntraShape: MicrosoftShape {
    /// The tenant of everybody who has a personal account.
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// The addresses that name no tenant, and whose people each serves.
    private static let shared: [String: @Sendable (_ isPersonal: Bool) -> Bool] = [
        "common": { _ in true }, "organizations": { !$0 }, "consumers": { $0 },
    ]

    /// Whether an address names no tenant.
    static func isShared(_ name: String) -> Bool { shared[name.lowercased()] != nil }

    func place(
        _ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String
    ) -> (Place, rest: [String])? {
        guard let first = segments.first else { return nil }
        let name = first.lowercased()
        guard let spelling = tenant.spelling(first) ?? (Self.isShared(name) || name == Self.consumers ? name : nil)
        else { return nil }
        let place = Place(
            tenant: tenant, origin: origin, base: "/\(spelling)", pages: "/\(spelling)", policy: tenant.signInPolicy)
        return (place, Array(segments.dropFirst()))
    }

    // An address that names no tenant has a template for an issuer; that of personal accounts has their own tenant's.
    func issuer(_ place: Place) -> String {
        switch place.name {
        case "common", "organizations": issuer(of: "{tenantid}", origin: place.origin)
        case "consumers", Self.consumers: issuer(of: Self.consumers, origin: place.origin)
        default: issuer(of: place.tenant.configuration.id, origin: place.origin)
        }
    }

    func takes(_ grant: GrantType, at place: Place) -> Bool {
        switch grant {
        case .authorizationCode, .refreshToken, .deviceCode: true
        // An address that names no tenant does not say in which one the application asks.
        case .clientCredentials: !Self.isShared(place.name)
        case .password: !["common", "consumers", Self.consumers].contains(place.name)
        case .oneTimeCode, .factorCode, .continuation: false
        }
    }

    func refusal(of user: User, at place: Place) -> Refusal? {
        let serves =
            if let shared = Self.shared[place.name] {
                shared(user.homeTenant == Self.consumers)
            } else {
                (user.homeTenant ?? place.tenant.configuration.id)
                    == (place.name == Self.consumers ? Self.consumers : place.tenant.configuration.id)
            }
        guard !serves else { return nil }
        return Refusal(
            .userOfAnotherTenant,
            "User account '\(user.signInName)' does not exist in tenant '\(place.name)' and cannot access the application."
        )
    }
}
