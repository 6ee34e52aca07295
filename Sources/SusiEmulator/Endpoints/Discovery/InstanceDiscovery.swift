import HTTPTypes
import SusiBase
import SusiPolicies

/// Microsoft's instance discovery: the host names of a cloud, and the address of an authority's metadata.
enum InstanceDiscovery {
    /// The response if the request asks for it and a tenant is served that has it; else `nil`.
    static func response(to context: RequestContext, of site: Site, origin: String) throws -> Response? {
        guard context.path.lowercased() == "/common/discovery/instance", context.method == .get,
            site.tenants.contains(where: { $0.configuration.kind.dialect.traits.servesInstanceDiscovery })
        else { return nil }
        var known = EmulatorPort.hosts.map(context.port.origin(host:))
        // The public origin, if there is one, comes first.
        if !known.contains(origin) { known.insert(origin, at: 0) }
        let names = known.map { JSON.string(String($0.drop { $0 != "/" }.dropFirst(2))) }
        guard let asked = context.query["authorization_endpoint"],
            let base = known.first(where: { asked.lowercased().hasPrefix($0 + "/") }),
            let tenant = asked.dropFirst(base.count).split(separator: "/").first
        else {
            return .json(
                [
                    "error": "invalid_instance",
                    "error_description": .string(
                        "AADSTS50049: Unknown or invalid instance. Timestamp: \(timestamp(context.now))"),
                    "error_codes": [.integer(50_049)],
                ], status: .badRequest, note: "AADSTS50049")
        }
        return .json([
            "tenant_discovery_endpoint": .string("\(base)/\(tenant)/v2.0/.well-known/openid-configuration"),
            "api-version": "1.1",
            "metadata": [
                [
                    "preferred_network": names.first, "preferred_cache": names.first, "aliases": .array(names),
                ]
            ],
        ])
    }
}
