public import SusiBase
import SusiPolicies

extension TenantConfiguration {
    /// The tenant of the built-in policies of `susi`. Its application accepts redirects at any port.
    public static func builtIn() throws(PolicyFileError) -> TenantConfiguration {
        var tenants = tenants(for: try PoliciesFile.builtIn().applications)
        for index in tenants.indices { tenants[index].redirectPorts = .any }
        guard let tenant = tenants.first else { return TenantConfiguration() }
        return tenant
    }

    /// A `policies.json` for the applications of tenants under `origin`, the first of which is the current one; nil without
    /// applications.
    static func policies(of tenants: [TenantConfiguration], at origin: String) -> String? {
        var applications: [Application] = []
        for tenant in tenants {
            let label = tenant.name.prefix { $0 != "." && $0 != "/" }
            for application in tenant.publicFirst {
                let own = label.isEmpty ? "local" : String(label)
                let count = applications.count { $0.name == own || $0.name.hasPrefix("\(own)-") }
                let name = count == 0 ? own : "\(own)-\(count + 1)"
                applications += [tenant.client(application, named: name, at: origin)].compactMap(\.self)
            }
        }
        return applications.isEmpty ? nil : PoliciesFile.text(of: applications)
    }

    // susi is a native client: it has no secret and is no page.
    private var publicFirst: [RegisteredApplication] {
        applications.filter(\.servesNativeClients) + applications.filter { !$0.servesNativeClients }
    }

    private func client(_ application: RegisteredApplication, named label: String, at origin: String) -> Application? {
        let path = ([origin] + (name.isEmpty ? [] : [name])).joined(separator: "/")
        guard let base = try? WebAddress(path + (issuerForm == .trailingSlash ? "/" : "")) else { return nil }
        // Without a default policy, every command would need -p.
        let byDefault = policies.first(where: \.isDefault) ?? policies.first { $0.kind == .signUpOrSignIn }
        let written = policies.map { policy in
            var policy = policy
            policy.isDefault = policy.name == byDefault?.name
            return policy
        }
        let loopback = (application[nil] + application[.native]).compactMap(LoopbackAddress.init)
        let host = loopback.first?.host ?? RedirectHost.name.rawValue
        return Application(
            name: label, kind: kind, authority: base, clientID: application.clientID,
            redirectPorts: ports(of: application, loopback.filter { $0.host == host }),
            redirectHost: RedirectHost(rawValue: host) ?? .name, policies: written,
            knownAuthorities: KnownAuthorities(own: Authority(kind: kind, base: base, policy: PolicyName("default"))),
            apis: apis.compactMap { $0.client(at: origin) })
    }

    // 0, any free port, if ports do not matter or no address on this machine is registered.
    private func ports(of application: RegisteredApplication, _ loopback: [LoopbackAddress]) -> [UInt16] {
        guard application.redirectPorts ?? redirectPorts == .exact else { return [0] }
        var ports: [UInt16] = []
        for port in loopback.compactMap(\.port) where !ports.contains(port) { ports.append(port) }
        return ports.isEmpty ? [0] : ports
    }
}

extension RegisteredApplication {
    fileprivate var servesNativeClients: Bool {
        !self[.native].isEmpty || !isConfidential && (redirectTypes.isEmpty || !self[nil].isEmpty)
    }
}

extension RegisteredAPI {
    fileprivate func client(at origin: String) -> API? {
        (address ?? (try? WebAddress(origin + samplePath))).map {
            API(name: name, baseURL: $0, scopes: isGraph ? scopes : fullScopes)
        }
    }
}
