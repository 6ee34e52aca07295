import HTTPTypes
import SusiBase
import SusiPolicies

/// `/tenants`, and operations on all tenants.
enum TenantResource {
    static func list(_ request: AdminRequest) throws -> Response {
        let origin = request.context.origin
        return .json(["tenants": .array(request.site.tenants.map { json($0, origin) })])
    }

    static func reset(_ request: AdminRequest) throws -> Response {
        try request.site.reset()
        return Response(status: .noContent)
    }

    private static func json(_ tenant: Tenant, _ origin: String) -> JSON {
        let configuration = tenant.configuration
        return [
            "name": .string(configuration.name), "id": .string(configuration.id),
            "kind": .string(configuration.kind.rawValue),
            "policies": .array(
                configuration.policies.map { policy in
                    let endpoint = configuration.kind.dialect.endpoint(of: policy, in: tenant, origin: origin)
                    return [
                        "name": .string(policy.name.spelling), "kind": .string(policy.kind.rawValue),
                        "metadata": .string(endpoint.address(.metadata) ?? ""),
                    ]
                }),
            "applications": .array(
                configuration.applications.map { application in
                    [
                        "clientId": .string(application.clientID),
                        "redirectAddresses": .array(application.redirectAddresses.map(JSON.string)),
                        "redirectTypes": .object(application.redirectTypes.mapValues { .string($0.rawValue) }),
                        "isConfidential": .bool(application.isConfidential),
                    ]
                }),
            "apis": .array(
                configuration.apis.map { api in
                    [
                        "name": .string(api.name), "id": .string(api.id),
                        "address": .string(origin + api.samplePath), "scopes": .array(api.fullScopes.map(JSON.string)),
                    ]
                }),
        ]
    }
}

extension Site {
    /// Resets everything except the keys to the state of the first start.
    func reset() throws {
        for tenant in tenants {
            try tenant.database.removeAllButKeys()
            tenant.refused.removeAll()
        }
        try seed()
        faults.removeAll()
        audit.clear()
        clock.reset()
    }
}
