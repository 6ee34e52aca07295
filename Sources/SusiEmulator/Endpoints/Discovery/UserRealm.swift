import HTTPTypes
import SusiBase
import SusiPolicies

/// Tells Microsoft's libraries who checks a password before they send it: always the tenant itself.
enum UserRealm {
    private static let base = "/common/userrealm/"

    /// The response if the request asks for it and a tenant is served that has it; else `nil`.
    static func response(to context: RequestContext, of site: Site) throws -> Response? {
        guard context.method == .get, context.path.lowercased().hasPrefix(base),
            site.tenants.contains(where: { $0.configuration.kind.dialect.traits.servesInstanceDiscovery })
        else { return nil }
        let name = percentDecoded(String(context.path.dropFirst(base.count)))
        return .json([
            "ver": "1.0", "account_type": "Managed",
            "domain_name": .string(name.split(separator: "@").last.map(String.init) ?? ""),
            "cloud_instance_name": "microsoftonline.com", "cloud_audience_urn": "urn:federation:MicrosoftOnline",
        ])
    }
}
