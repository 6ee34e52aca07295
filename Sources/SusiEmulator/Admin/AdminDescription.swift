import SusiBase
import SusiPolicies

/// The OpenAPI description of the admin API: `Resources/openapi.json`, completed by the members of the objects that tables
/// describe.
enum AdminDescription {
    private static let tables: [String: SchemaNode] = [
        "NewUser": User.entries.shape(), "User": User.shown, "UserChange": Tenant.userChanges,
        "NewFault": FaultResource.fault, "Fault": FaultResource.fault, "TokenOrder": TokenResource.order,
    ]

    static func document() throws -> JSON {
        let written = try JSONNode(parsing: PackageResources.openapi_json)
        var schemas = tables.mapValues(\.schema)
        schemas["UserChange"] = schemas["UserChange"].map(patch)
        let generated: JSON = ["components": ["schemas": .object(schemas.mapValues(JSON.object))]]
        return JSON(JSONNode(generated).merged(written))
    }

    // In a merge patch (RFC 7396) null removes a value.
    private static func patch(_ schema: [String: JSON]) -> [String: JSON] {
        var schema = schema
        schema["properties"] = schema["properties"]?.members.map { members in
            .object(members.mapValues { ["anyOf": [$0, ["type": "null"]]] })
        }
        return schema
    }
}
