extension Application {
    /// Returns the application with every address moved to a local copy of its tenant at `origin`. Tenant, client id, scopes,
    /// redirect addresses and the policies of this tenant are kept; the API NAME is at `/api/NAME`.
    package func rehearsed(at origin: WebAddress) -> Application {
        let base = copy(at: origin)
        let own = policies.filter { otherTenant(of: $0) == nil || $0.name == defaultPolicy?.name }
        let policies = own.map { policy in
            Policy(
                name: policy.name, kind: policy.kind, isDefault: policy.isDefault, scopes: policy.scopes,
                redirectPath: policy.redirectPath, responseMode: policy.responseMode,
                sendsIDTokenHint: policy.sendsIDTokenHint, trustedAudiences: policy.trustedAudiences)
        }
        let apis = apis.map { api in
            API(name: api.name, baseURL: origin.appending("api", api.name), scopes: api.scopes, policy: api.policy)
        }
        let known = Authority(kind: kind, base: base, policy: anyPolicy, policyPlace: policyPlace)
        return Application(
            name: name, kind: kind, authority: base, clientID: clientID, redirectPorts: redirectPorts,
            redirectHost: redirectHost, policies: policies, knownAuthorities: KnownAuthorities(own: known), apis: apis,
            policyPlace: policyPlace)
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

extension PoliciesFile {
    /// Returns the file with every application moved to the local copy at the address that `origin` returns.
    package func rehearsed(at origin: (Application) -> WebAddress) -> PoliciesFile {
        var file = self
        file.applications = applications.map { $0.rehearsed(at: origin($0)) }
        return file
    }
}
