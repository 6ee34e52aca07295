import HTTPTypes
import SusiBase
import SusiPolicies

enum KeyResource {
    static let rotation = SchemaNode.object([.init("withdraw", .flag)])

    static func list(_ request: AdminRequest) throws -> Response {
        let tenant = try request.tenant()
        return .json(["keys": .array(try tenant.keyRings.flatMap { try rows($0, of: tenant) })])
    }

    private static func rows(_ ring: KeyRing, of tenant: Tenant) throws -> [JSON] {
        let current = try ring.current().id
        let dialect = tenant.configuration.kind.dialect
        let policies = tenant.configuration.policies.filter { dialect.keyGroup(of: $0) == ring.group }
        let names = JSON.array(policies.map { .string($0.name.spelling) })
        return try ring.all().map { kept in
            [
                "id": .string(kept.key.id), "algorithm": .string(kept.key.algorithm.rawValue),
                "created": .integer(kept.key.created), "policies": names,
                "state": .string(kept.key.id == current ? "signing" : kept.state.rawValue),
            ]
        }
    }

    static func announce(_ request: AdminRequest) throws -> Response {
        try request.tenant().announceKeys()
        return try list(request)
    }

    static func rotate(_ request: AdminRequest) throws -> Response {
        try request.tenant().rotateKeys(withdrawing: request.body["withdraw"]?.bool == true)
        return try list(request)
    }

    static func withdraw(_ request: AdminRequest) throws -> Response {
        let id = request.path["id"] ?? ""
        switch try request.tenant().withdrawKey(id) {
        case .done: return Response(status: .noContent)
        case .absent: throw AdminProblem(.notFound, "No published key “\(id)”. `GET /keys` lists them.")
        case .signs:
            throw AdminProblem(
                .conflict,
                "“\(id)” is the current signing key. POST \(AdminAPI.base)/keys/rotate first, then withdraw it.")
        }
    }
}
