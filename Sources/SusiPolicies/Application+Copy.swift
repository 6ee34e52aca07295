extension Application {
    /// Returns the application with the address of its tenant moved to a local copy at `origin`; everything else is kept. Of a
    /// tenant in the cloud there are the policies of this tenant, and the API NAME is at `/api/NAME`; an API on this machine is
    /// the developer's own.
    package func copied(to origin: WebAddress) -> Application {
        let isLocal = authority.isLoopback
        var copy = self
        if !isLocal { copy.copyOf = authority }
        copy.authority = self.copy(at: origin)
        if !isLocal {
            let elsewhere = policiesElsewhere.map(\.policy)
            copy.policies.removeAll { elsewhere.contains($0.name) }
        }
        for index in copy.policies.indices {
            copy.policies[index].authority =
                isLocal ? copy.policies[index].authority.map { moved($0, to: origin) } : nil
        }
        for (index, api) in apis.enumerated() {
            copy.apis[index].baseURL =
                api.baseURL.isLoopback ? moved(api.baseURL, to: origin) : origin.appending("api", api.name)
        }
        copy.knownAuthorities =
            knownAuthorities.isOwn
            ? KnownAuthorities(own: Authority(kind: kind, base: copy.authority, policy: anyPolicy))
            : KnownAuthorities(
                knownAuthorities.entries.compactMap { entry in
                    isOwnHost(entry.address) ? try? .init(origin.origin + entry.address.path) : isLocal ? entry : nil
                })
        return copy
    }

    /// The policies that a copy of this tenant does not have, because they belong to another one, each with that tenant.
    package var policiesElsewhere: [(policy: PolicyName, tenant: String)] {
        policies.compactMap { policy in
            isDefault(policy) ? nil : otherTenant(of: policy).map { (policy.name, $0) }
        }
    }

    private func isOwnHost(_ address: WebAddress) -> Bool {
        kind.rules.origin(of: address) == kind.rules.origin(of: authority)
    }

    private func moved(_ address: WebAddress, to origin: WebAddress) -> WebAddress {
        isOwnHost(address) ? (try? WebAddress(origin.origin + address.spelledPath)) ?? address : address
    }

    /// The tenant of a policy with an authority of its own, if it is not the application's; `nil` if the names do not show it.
    package func otherTenant(of policy: Policy) -> String? {
        let own = Authority(kind: kind, base: authority, policy: policy.name, policyPlace: policyPlace)
        let other = homeAuthority(for: policy)
        guard let mine = own.tenant?.lowercased(), let tenant = other.tenant else {
            return nil
        }
        // A name and a GUID may mean the same tenant.
        let isComparable = mine.isGUID == tenant.lowercased().isGUID || own.isMultiTenant || other.isMultiTenant
        return isComparable && mine != tenant.lowercased() ? tenant : nil
    }

    /// The hosts of this application's sign-ins, with their port unless it is 443: those of its authorities and, of Microsoft's
    /// services, those of the cloud, which libraries ask about a tenant.
    package var cloudHosts: Set<String> {
        let own = [authority] + policies.compactMap(\.authority) + knownAuthorities.entries.map(\.address)
        let clouds = kind.traits.msalType == nil ? [] : [EntraCloud.of(authority) ?? .world]
        let names = own.filter { $0.scheme == "https" && !$0.isLoopback }.map(\.authority)
        return Set(names + clouds.flatMap { $0.hosts + $0.graphs })
    }

    // The tenant is always in the path, even if the original names it only in the host; an issuer keeps its spelling.
    private func copy(at origin: WebAddress) -> WebAddress {
        let entry = kind.rules.entry(for: Authority(kind: kind, base: authority, policy: anyPolicy))
        let whole = (try? WebAddress(entry)) ?? authority
        let path = whole == authority ? authority.spelledPath : Substring(whole.path)
        return (try? WebAddress(origin.origin + path)) ?? origin.appending(whole.segments)
    }

    // The authority of the tenant does not depend on the policy.
    private var anyPolicy: PolicyName { policies.first?.name ?? PolicyName("default") }
}

extension WebAddress {
    /// The default address of a local copy.
    package static let usualCopy = WebAddress(scheme: "http", host: "localhost", port: 8490, segments: [])

    fileprivate var spelledPath: Substring {
        let rest = spelling.drop { $0 != ":" }.dropFirst(3)
        return rest.drop { $0 != "/" }
    }
}
