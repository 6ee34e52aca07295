import HTTPTypes

/// The description of the admin API (OpenAPI 3.1), generated from the table of its routes.
enum OpenAPI {
    static func document(origin: String) -> JSON {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "susi emulator: admin API", "version": "1",
                "description":
                    """
                Controls the emulator from tests and tools. The emulator creates the secret at its first start and \
                writes it to the file `admin-secret` in its folder.
                """,
            ],
            "servers": [["url": .string(origin + AdminAPI.base)]],
            "security": [["secret": []]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": ["secret": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(AdminSchemas.named.mapValues(\.json)),
            ],
        ]
    }

    private static let paths: [String: JSON] = {
        var paths: [String: [String: JSON]] = [:]
        for route in AdminRoute.table {
            paths[route.path, default: [:]][route.method.rawValue.lowercased()] = operation(route)
        }
        return paths.mapValues(JSON.object)
    }()

    private static func operation(_ route: AdminRoute) -> JSON {
        var operation: [String: JSON] = [
            "operationId": .string(route.name), "summary": .string(route.about),
            "tags": [.string(String(route.segments.first?.prefix { $0 != "." } ?? ""))],
            "responses": .object(responses(route)),
        ]
        if !route.parameters.isEmpty { operation["parameters"] = .array(route.parameters.map(parameter)) }
        if let body = route.body {
            operation["requestBody"] = [
                "required": .bool(!body.isOptional), "content": content("application/json", body.schema),
            ]
        }
        if !route.needsSecret { operation["security"] = [] }
        return .object(operation)
    }

    private static func parameter(_ parameter: AdminParameter) -> JSON {
        [
            "name": .string(parameter.name), "in": parameter.isInPath ? "path" : "query",
            "required": .bool(parameter.isInPath), "description": .string(parameter.about),
            "schema": parameter.schema.json,
        ]
    }

    private static func responses(_ route: AdminRoute) -> [String: JSON] {
        var responses: [String: JSON] = [:]
        if let (status, schema) = route.result {
            responses["\(status.code)"] = [
                "description": .string(status.reasonPhrase), "content": content("application/json", schema),
            ]
        } else {
            responses["204"] = ["description": "No Content"]
        }
        for status in problems(of: route) {
            responses["\(status.code)"] = [
                "description": .string(status.reasonPhrase),
                "content": content("application/problem+json", .named("Problem")),
            ]
        }
        return responses
    }

    // The problems of the route, and those that follow from its input.
    private static func problems(of route: AdminRoute) -> [HTTPResponse.Status] {
        let always: [HTTPResponse.Status] = [.badRequest] + (route.needsSecret ? [.unauthorized] : [])
        let ofBody: [HTTPResponse.Status] = route.body == nil ? [] : [.unsupportedMediaType, .contentTooLarge]
        let mayMiss = route.parameters.contains { $0.isInPath || $0.name == "tenant" }
        return always + ofBody + (mayMiss ? [.notFound] : []) + route.problems
    }

    private static func content(_ type: String, _ schema: AdminSchema) -> JSON {
        .object([type: ["schema": schema.json]])
    }
}
