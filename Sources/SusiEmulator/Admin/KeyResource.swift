import HTTPTypes

enum KeyResource {
    static func list(_ request: AdminRequest) throws -> AdminResult {
        let keys = try request.tenant().keys
        let current = try keys.current().id
        return .json([
            "keys": .array(
                try keys.all().map { kept in
                    [
                        "id": .string(kept.key.id), "algorithm": .string(kept.key.algorithm.rawValue),
                        "created": .integer(kept.key.created),
                        "state": .string(kept.key.id == current ? "signing" : kept.state.rawValue),
                    ]
                })
        ])
    }

    static func announce(_ request: AdminRequest) throws -> AdminResult {
        try request.tenant().keys.announce()
        return try list(request)
    }

    static func rotate(_ request: AdminRequest) throws -> AdminResult {
        try request.tenant().keys.rotate(withdrawing: request.body["withdraw"] == .bool(true))
        return try list(request)
    }

    static func withdraw(_ request: AdminRequest) throws -> AdminResult {
        let id = request.path["id"] ?? ""
        switch try request.tenant().keys.withdraw(id) {
        case .done: return .empty
        case .absent: throw AdminProblem(.notFound, "No published key “\(id)”. `GET /keys` lists them.")
        case .signs:
            throw AdminProblem(
                .conflict,
                "“\(id)” is the current signing key. POST \(AdminAPI.base)/keys/rotate first, then withdraw it.")
        }
    }
}
