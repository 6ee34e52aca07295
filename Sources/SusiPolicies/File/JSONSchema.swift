import FoundationEssentials

extension SchemaNode {
    /// The JSON Schema (draft 2020-12) of a file with this schema, with keys in alphabetical order.
    package func schemaText(title: String) throws -> String {
        var root = schema
        root["$schema"] = .text("https://json-schema.org/draft/2020-12/schema")
        root["title"] = .text(title)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(SchemaValue.object(root)), as: UTF8.self)
    }
}

private enum SchemaValue: Encodable {
    case text(String)
    case whole(Int)
    case flag(Bool)
    case list([SchemaValue])
    case object([String: SchemaValue])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .whole(let value): try container.encode(value)
        case .flag(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

extension SchemaNode {
    fileprivate var schema: [String: SchemaValue] {
        switch self {
        case .text(let text):
            var schema: [String: SchemaValue] = ["type": .text("string"), "description": .text(text.expected)]
            schema["pattern"] = text.pattern.map { .text($0) }
            return schema
        case .choice(let words): return ["enum": .list(words.map { .text($0) })]
        case .flag: return ["type": .text("boolean")]
        case .count: return ["type": .text("integer"), "minimum": .whole(0)]
        case .port: return ["type": .text("integer"), "minimum": .whole(0), "maximum": .whole(65_535)]
        case .list(of: let element, atLeast: let least):
            return ["type": .text("array"), "items": .object(element.schema), "minItems": .whole(least)]
        case .map(of: let element, name: let name):
            return [
                "type": .text("object"), "additionalProperties": .object(element.schema),
                "propertyNames": .object(SchemaNode.text(name).schema),
            ]
        case .object(let fields):
            let properties = fields.map { field in
                var schema = field.shape.schema
                schema["description"] = .text(field.meaning)
                return (field.name, SchemaValue.object(schema))
            }
            var schema: [String: SchemaValue] = [
                "type": .text("object"), "additionalProperties": .flag(false),
                "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
                "required": .list(fields.filter(\.isRequired).map { .text($0.name) }),
            ]
            let conditions = fields.compactMap { field in field.condition.map { $0.schema(requires: field.name) } }
            if !conditions.isEmpty { schema["allOf"] = .list(conditions) }
            return schema
        }
    }
}

extension SchemaNode.Field.Condition {
    fileprivate func schema(requires name: String) -> SchemaValue {
        let (key, rule): (String, [String: SchemaValue]) =
            switch self {
            case .oneOf(let values, of: let key): (key, ["enum": .list(values.map { .text($0) })])
            case .severalMembers(of: let key): (key, ["minProperties": .whole(2)])
            }
        return .object([
            "if": .object(["properties": .object([key: .object(rule)])]),
            "then": .object(["required": .list([.text(name)])]),
        ])
    }
}
