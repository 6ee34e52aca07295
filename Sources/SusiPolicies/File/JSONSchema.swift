import SusiBase

extension SchemaNode {
    /// The JSON Schema (draft 2020-12) of a file with this schema, with keys in alphabetical order.
    package func schemaText(title: String) -> String {
        var root = schema
        root["$schema"] = .text("https://json-schema.org/draft/2020-12/schema")
        root["title"] = .text(title)
        return JSONText.pretty(.object(root))
    }

    private var schema: [String: JSONNode] {
        switch self {
        case .text(let text):
            var schema: [String: JSONNode] = ["type": .text("string"), "description": .text(text.expected)]
            schema["pattern"] = text.pattern.map { .text($0) }
            return schema
        case .choice(let words): return ["enum": .texts(words)]
        case .flag: return ["type": .text("boolean")]
        case .integer(let range):
            return [
                "type": .text("integer"), "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
            ]
        case .number(let range):
            return [
                "type": .text("number"), "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
            ]
        case .any: return [:]
        case .either(let shapes): return ["anyOf": JSONNode(value: .array(shapes.map { .object($0.schema) }))]
        case .list(of: let element, atLeast: let least):
            return ["type": .text("array"), "items": .object(element.schema), "minItems": .number(least)]
        case .map(of: let element, name: let name):
            return [
                "type": .text("object"), "additionalProperties": .object(element.schema),
                "propertyNames": .object(SchemaNode.text(name).schema),
            ]
        case .object(let fields):
            let properties = fields.map { field in
                var schema = field.shape.schema
                schema["description"] = .text(field.meaning)
                return (field.name, JSONNode.object(schema))
            }
            var schema: [String: JSONNode] = [
                "type": .text("object"), "additionalProperties": JSONNode(value: .bool(false)),
                "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
                "required": .texts(fields.filter(\.isRequired).map(\.name)),
            ]
            let conditions = fields.compactMap { field in field.condition.map { $0.schema(requires: field.name) } }
            if !conditions.isEmpty { schema["allOf"] = JSONNode(value: .array(conditions)) }
            return schema
        }
    }
}

extension SchemaNode.Field.Condition {
    fileprivate func schema(requires name: String) -> JSONNode {
        let (key, rule): (String, [String: JSONNode]) =
            switch self {
            case .oneOf(let values, of: let key): (key, ["enum": .texts(values)])
            case .severalMembers(of: let key): (key, ["minProperties": .number(2)])
            }
        return .object([
            "if": .object(["properties": .object([key: .object(rule)])]),
            "then": .object(["required": .texts([name])]),
        ])
    }
}

extension JSONNode {
    fileprivate static func text(_ text: String) -> JSONNode { JSONNode(value: .string(text)) }

    fileprivate static func texts(_ texts: [String]) -> JSONNode { JSONNode(value: .array(texts.map(text))) }

    fileprivate static func number(_ number: some Numeric) -> JSONNode { JSONNode(value: .number("\(number)")) }

    fileprivate static func object(_ members: [String: JSONNode]) -> JSONNode {
        JSONNode(value: .object(members.sorted { $0.key < $1.key }.map { Member(name: $0.key, node: $0.value) }))
    }
}
