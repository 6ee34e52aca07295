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
        var applications: [JSONNode.Member] = []
        for tenant in tenants {
            let label = tenant.name.prefix { $0 != "." && $0 != "/" }
            for application in tenant.publicFirst {
                let own = label.isEmpty ? "local" : String(label)
                let count = applications.count { $0.name == own || $0.name.hasPrefix("\(own)-") }
                applications.append(
                    JSONNode.Member(count == 0 ? own : "\(own)-\(count + 1)", tenant.client(application, at: origin)))
            }
        }
        guard let first = applications.first else { return nil }
        let all = JSONNode.Member("applications", .object(applications))
        let current = JSONNode.Member("current", .string(first.name))
        let file = JSONNode.Value.object(applications.count == 1 ? [all] : [current, all])
        return JSONText.pretty(JSONNode(value: file), width: 120) + "\n"
    }

    // susi is a native client: it has no secret and is no page.
    private var publicFirst: [RegisteredApplication] {
        applications.filter(\.servesNativeClients) + applications.filter { !$0.servesNativeClients }
    }

    private func client(_ application: RegisteredApplication, at origin: String) -> JSONNode.Value {
        let authority = ([origin] + (name.isEmpty ? [] : [name])).joined(separator: "/")
        // Without a default policy, every command would need -p.
        let byDefault = policies.first(where: \.isDefault) ?? policies.first { $0.kind == .signUpOrSignIn }
        let written = policies.map { policy in
            let isDefault = policy.name == byDefault?.name
            return JSONNode.Member(policy.name.spelling, policy.written(PolicySettings(), isDefault: isDefault))
        }
        var members = [
            JSONNode.Member("kind", .string(kind.rawValue)),
            JSONNode.Member("authority", .string(authority + (issuerForm == .trailingSlash ? "/" : ""))),
            JSONNode.Member("clientId", .string(application.clientID)),
            JSONNode.Member(
                "redirectPorts", .array(ports(of: application).map { JSONNode(value: .number("\($0)")) })),
            JSONNode.Member("apis", .object(apis.map { JSONNode.Member($0.name, $0.client(at: origin)) })),
        ]
        if !written.isEmpty { members.append(JSONNode.Member("policies", .object(written))) }
        return .object(members)
    }

    // 0, any free port, if ports do not matter or no address on this machine is registered.
    private func ports(of application: RegisteredApplication) -> [UInt16] {
        guard application.redirectPorts ?? redirectPorts == .exact else { return [0] }
        var ports: [UInt16] = []
        for port in (application[nil] + application[.native]).compactMap({ LoopbackAddress($0)?.port })
        where !ports.contains(port) {
            ports.append(port)
        }
        return ports.isEmpty ? [0] : ports
    }
}

extension RegisteredApplication {
    fileprivate var servesNativeClients: Bool {
        !self[.native].isEmpty || !isConfidential && (redirectTypes.isEmpty || !self[nil].isEmpty)
    }
}

extension RegisteredAPI {
    fileprivate func client(at origin: String) -> JSONNode.Value {
        .object([
            JSONNode.Member("baseUrl", .string(address?.spelling ?? origin + samplePath)),
            JSONNode.Member("scopes", .list(isGraph ? scopes : fullScopes)),
        ])
    }
}
