import SusiPolicies

/// The schema of a JSON value in the admin API. It checks requests and is written as JSON Schema (draft 2020-12) into the
/// OpenAPI document, so that the two cannot differ.
indirect enum AdminSchema: Sendable {
    case text(AdminText)
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case boolean
    case anything
    case list(AdminSchema, most: Int)
    /// An object with these members; `others` is the schema of members with other names, which nil forbids.
    case object([AdminMember], others: AdminSchema? = nil, rules: [AdminRule] = [])
    case nullable(AdminSchema)
    /// One of `AdminSchemas.named`.
    case named(String)

    static func line(_ size: ClosedRange<Int> = 1...200) -> AdminSchema { .text(AdminText(size: size)) }

    static func word(_ choices: [String]) -> AdminSchema { .text(AdminText(choices: choices)) }

    /// A time in epoch seconds.
    static let time = AdminSchema.integer(EmulatorClock.times)

    /// An object with any members whose values are texts on one line.
    static let texts = AdminSchema.object([], others: .text(AdminText(size: 0...1_000)))
}

/// The rules of a text. Lengths count Unicode scalars, as in JSON Schema.
struct AdminText: Sendable {
    var kind = SchemaNode.Text.line
    var size = 0...200
    var choices: [String] = []

    var json: [String: JSON] {
        guard choices.isEmpty else { return ["type": "string", "enum": .array(choices.map(JSON.string))] }
        var json: [String: JSON] = ["type": "string"]
        if size.lowerBound > 0 { json["minLength"] = .integer(Int64(size.lowerBound)) }
        json["maxLength"] = .integer(Int64(size.upperBound))
        json["pattern"] = kind.pattern.map(JSON.string)
        return json
    }

    func problem(_ text: String) -> String? {
        guard choices.isEmpty else {
            return choices.contains(text) ? nil : "expected one of \(choices.joined(separator: ", "))"
        }
        guard kind.allows(text) else { return "expected \(kind.expected)" }
        guard size.contains(text.unicodeScalars.count) else {
            return "expected \(size.lowerBound) to \(size.upperBound) characters"
        }
        return nil
    }
}

struct AdminMember: Sendable {
    let name: String
    let schema: AdminSchema
    let isRequired: Bool
    let about: String

    init(_ name: String, _ schema: AdminSchema, required: Bool = false, _ about: String) {
        self.name = name
        self.schema = schema
        isRequired = required
        self.about = about
    }
}

/// A rule for several members of an object.
enum AdminRule: Sendable {
    case exactlyOne([String])
    case atLeastOne([String])
    case notBoth(String, String)

    func problem(_ members: [String: JSON]) -> AdminProblem? {
        switch self {
        case .exactlyOne(let names):
            guard names.count(where: { members[$0] != nil }) != 1 else { return nil }
            return .field(names.first ?? "", "expected exactly one of \(names.joined(separator: ", "))")
        case .atLeastOne(let names):
            guard names.allSatisfy({ members[$0] == nil }) else { return nil }
            return .field(names.first ?? "", "expected at least one of \(names.joined(separator: ", "))")
        case .notBoth(let one, let other):
            guard members[one] != nil, members[other] != nil else { return nil }
            return .field(other, "cannot be combined with “\(one)”")
        }
    }

    var json: JSON {
        let required = { (names: [String]) -> JSON in ["required": .array(names.map(JSON.string))] }
        return switch self {
        case .exactlyOne(let names): ["oneOf": .array(names.map { required([$0]) })]
        case .atLeastOne(let names): ["anyOf": .array(names.map { required([$0]) })]
        case .notBoth(let one, let other): ["not": required([one, other])]
        }
    }
}

extension AdminSchema {
    /// Checks a value; `field` is its name in the problem.
    func check(_ value: JSON, at field: String) throws(AdminProblem) {
        switch (self, value) {
        case (.anything, _), (.boolean, .bool), (.nullable, .null): return
        case (.named(let name), _): try AdminSchemas.named[name]?.check(value, at: field)
        case (.nullable(let schema), _): try schema.check(value, at: field)
        case (.text(let text), .string(let value)):
            if let problem = text.problem(value) { throw .field(field, problem) }
        case (.integer(let range), .integer(let value)):
            guard range.contains(value) else { throw .field(field, "expected \(words(range))") }
        case (.number(let range), .integer(let value)):
            guard range.contains(Double(value)) else { throw .field(field, "expected \(words(range))") }
        case (.number(let range), .number(let value)):
            guard range.contains(value) else { throw .field(field, "expected \(words(range))") }
        case (.list(let schema, let most), .array(let values)):
            guard values.count <= most else { throw .field(field, "expected at most \(most) elements") }
            for (index, value) in values.enumerated() { try schema.check(value, at: "\(field)[\(index)]") }
        case (.object(let members, let others, let rules), .object(let values)):
            try Self.check(values, members: members, others: others, rules: rules, at: field)
        default: throw .field(field, "expected \(expectation)")
        }
    }

    private static func check(
        _ values: [String: JSON], members: [AdminMember], others: AdminSchema?, rules: [AdminRule],
        at field: String
    ) throws(AdminProblem) {
        let path = { (name: String) in field.isEmpty ? name : "\(field).\(name)" }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            if let member = members.first(where: { $0.name == name }) {
                try member.schema.check(value, at: path(name))
            } else if let others {
                try others.check(value, at: path(name))
            } else {
                throw .field(
                    path(name), "unknown field; known fields: \(members.map(\.name).joined(separator: ", "))")
            }
        }
        for member in members where member.isRequired && values[member.name] == nil {
            throw .field(path(member.name), "required")
        }
        for rule in rules { if let problem = rule.problem(values) { throw problem } }
    }

    private func words<T>(_ range: ClosedRange<T>) -> String { "\(range.lowerBound) to \(range.upperBound)" }

    private var expectation: String {
        switch self {
        case .text(let text):
            text.choices.isEmpty ? text.kind.expected : "one of \(text.choices.joined(separator: ", "))"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        case .anything: "any value"
        case .list: "an array"
        case .object: "an object"
        case .nullable(let schema): "\(schema.expectation) or null"
        case .named(let name): AdminSchemas.named[name]?.expectation ?? name
        }
    }

    var json: JSON {
        switch self {
        case .text(let text): .object(text.json)
        case .integer(let range):
            ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .number(let range):
            ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .boolean: ["type": "boolean"]
        case .anything: [:]
        case .list(let schema, let most):
            ["type": "array", "items": schema.json, "maxItems": .integer(Int64(most))]
        case .object(let members, let others, let rules): Self.json(members: members, others: others, rules: rules)
        case .nullable(let schema): ["anyOf": [schema.json, ["type": "null"]]]
        case .named(let name): ["$ref": .string("#/components/schemas/\(name)")]
        }
    }

    private static func json(members: [AdminMember], others: AdminSchema?, rules: [AdminRule]) -> JSON {
        var properties: [String: JSON] = [:]
        for member in members {
            guard case .object(var schema) = member.schema.json else { continue }
            schema["description"] = .string(member.about)
            properties[member.name] = .object(schema)
        }
        var json: [String: JSON] = ["type": "object", "properties": .object(properties)]
        json["additionalProperties"] = others?.json ?? .bool(false)
        let required = members.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { json["required"] = .array(required) }
        if !rules.isEmpty { json["allOf"] = .array(rules.map(\.json)) }
        return .object(json)
    }
}
