package import SusiBase

extension SchemaNode {
    /// The JSON Schema (draft 2020-12) of a file with this schema, with keys in alphabetical order.
    package func schemaText(title: String) -> String {
        var root = schema
        root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        root["title"] = .string(title)
        return JSON.object(root).pretty
    }

    /// The members of the JSON Schema of a value.
    package var schema: [String: JSON] {
        switch self {
        case .text(let text):
            var schema: [String: JSON] = ["type": "string", "description": .string(text.expected)]
            schema["pattern"] = text.pattern.map(JSON.string)
            return schema
        case .choice(let words): return ["enum": .list(words)]
        case .flag: return ["type": "boolean"]
        case .integer(let range):
            return ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .number(let range):
            return [
                "type": "number", "minimum": .number("\(range.lowerBound)"), "maximum": .number("\(range.upperBound)"),
            ]
        case .any: return [:]
        case .either(let shapes): return ["anyOf": .array(shapes.map { .object($0.schema) })]
        case .list(of: let element, atLeast: let least):
            return ["type": "array", "items": .object(element.schema), "minItems": .integer(least)]
        case .map(of: let element, name: let name):
            return [
                "type": "object", "additionalProperties": .object(element.schema),
                "propertyNames": .object(SchemaNode.text(name).schema),
            ]
        case .object(let fields):
            let properties = fields.map { field in
                var schema = field.shape.schema
                schema["description"] = .string(field.meaning)
                return (field.name, JSON.object(schema))
            }
            var schema: [String: JSON] = [
                "type": "object", "additionalProperties": false,
                "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
                "required": .list(fields.filter(\.isRequired).map(\.name)),
            ]
            let conditions = fields.compactMap { field in field.condition.map { $0.schema(requires: field.name) } }
            if !conditions.isEmpty { schema["allOf"] = .array(conditions) }
            return schema
        }
    }
}

extension SchemaNode.Field.Condition {
    fileprivate func schema(requires name: String) -> JSON {
        let (key, rule): (String, JSON) =
            switch self {
            case .oneOf(let values, of: let key): (key, ["enum": .list(values)])
            case .severalMembers(of: let key): (key, ["minProperties": 2])
            }
        return ["if": ["properties": .object([key: rule])], "then": ["required": [.string(name)]]]
    }
}
