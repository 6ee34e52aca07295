extension Application {
    /// The same application with every address moved to a local copy of its tenant at `origin`, so that nothing is sent
    /// anywhere else. Tenant, policies, client id, scopes and redirect addresses are kept; each API is at `/api/NAME`.
    public func rehearsed(at origin: WebAddress) -> Application {
        let base = copy(at: origin)
        let policies = policies.map { policy in
            Policy(
                name: policy.name, kind: policy.kind, isDefault: policy.isDefault, scopes: policy.scopes,
                redirectPath: policy.redirectPath, responseMode: policy.responseMode,
                sendsIDTokenHint: policy.sendsIDTokenHint)
        }
        let apis = apis.map { api in
            API(name: api.name, baseURL: origin.appending("api", api.name), scopes: api.scopes, policy: api.policy)
        }
        let own = Authority(kind: kind, base: base, policy: anyPolicy, policyPlace: policyPlace)
        return Application(
            name: name, kind: kind, authority: base, clientID: clientID, redirectPorts: redirectPorts,
            policies: policies, knownAuthorities: KnownAuthorities(own: own), apis: apis, policyPlace: policyPlace,
            deviceMode: deviceMode)
    }

    // The tenant is written even where the original's host alone names it; an issuer keeps its spelling.
    private func copy(at origin: WebAddress) -> WebAddress {
        let entry = kind.rules.entry(for: Authority(kind: kind, base: authority, policy: anyPolicy))
        let whole = (try? WebAddress(entry)) ?? authority
        let path = whole == authority ? authority.spelledPath : Substring(whole.path)
        return (try? WebAddress(origin.origin + path)) ?? origin.appending(whole.segments)
    }

    // No authority of a tenant depends on it.
    private var anyPolicy: PolicyName { policies.first?.name ?? PolicyName("default") }
}

extension WebAddress {
    /// Where the copy of a tenant runs unless it was started elsewhere.
    public static let usualCopy = WebAddress(scheme: "http", host: "localhost", port: 8490, segments: [])

    /// The path as it was written.
    fileprivate var spelledPath: Substring {
        let rest = spelling.drop { $0 != ":" }.dropFirst(3)
        return rest.drop { $0 != "/" }
    }
}

extension PoliciesFile {
    /// The same file with every application moved to the local copy of its tenant at the address that `origin` returns.
    public func rehearsed(at origin: (Application) -> WebAddress) -> PoliciesFile {
        var file = self
        file.applications = applications.map { $0.rehearsed(at: origin($0)) }
        return file
    }
}
