/// What a JSON value of the admin API may be. It checks what requests bring, and the OpenAPI document shows it as JSON
/// Schema (draft 2020-12), so that the two cannot differ.
indirect enum AdminSchema: Sendable {
    case text(AdminText)
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case boolean
    case anything
    case list(AdminSchema, most: Int)
    /// An object with these members; `others` is what members of any other name may be, nil forbids them.
    case object([AdminMember], others: AdminSchema? = nil, rules: [AdminRule] = [])
    case nullable(AdminSchema)
    /// One of `AdminSchemas.named`.
    case named(String)

    /// A text on one line.
    static func line(_ size: ClosedRange<Int> = 1...200) -> AdminSchema { .text(AdminText(size: size)) }

    /// One of some words.
    static func word(_ choices: [String]) -> AdminSchema { .text(AdminText(choices: choices)) }

    /// A time in epoch seconds.
    static let time = AdminSchema.integer(EmulatorClock.times)

    /// An object whose members have any name, and texts of one line as their values.
    static let texts = AdminSchema.object([], others: .text(AdminText(size: 0...1_000)))
}

/// What a text may be. Lengths count Unicode scalars, as JSON Schema does.
struct AdminText: Sendable {
    /// Its form, as a regular expression and as a check.
    enum Form: Sendable {
        case any, line, email, userName, guid

        var pattern: String? {
            switch self {
            case .any: nil
            case .line: "^[^\\x00-\\x1f\\x7f]*$"
            case .email: "^[^@\\x00-\\x20\\x7f]+@[^@\\x00-\\x20\\x7f]+$"
            case .userName: "^[^@\\x00-\\x20\\x7f]+$"
            case .guid: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"
            }
        }

        var expectation: String {
            switch self {
            case .any: "a string"
            case .line: "a string without control characters"
            case .email: "an email address (one @, no spaces)"
            case .userName: "a name without @ or spaces"
            case .guid: "a GUID"
            }
        }

        func accepts(_ text: String) -> Bool {
            let scalars = text.unicodeScalars
            switch self {
            case .any: return true
            case .line: return scalars.allSatisfy { $0.value > 0x1f && $0.value != 0x7f }
            case .email:
                // Not by characters: what follows can make one character of itself and the @.
                let parts = scalars.split(separator: "@", omittingEmptySubsequences: false)
                return parts.count == 2 && parts.allSatisfy { Form.userName.accepts(String(Substring($0))) }
            case .userName:
                return !scalars.isEmpty && scalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f && $0 != "@" }
            case .guid:
                let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
                let isHexadecimal: (UInt8) -> Bool = { $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }
                return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(isHexadecimal)
            }
        }
    }

    var form = Form.line
    var size = 0...200
    var choices: [String] = []

    var json: [String: JSON] {
        guard choices.isEmpty else { return ["type": "string", "enum": .array(choices.map(JSON.string))] }
        var json: [String: JSON] = ["type": "string"]
        if size.lowerBound > 0 { json["minLength"] = .integer(Int64(size.lowerBound)) }
        json["maxLength"] = .integer(Int64(size.upperBound))
        json["pattern"] = form.pattern.map(JSON.string)
        return json
    }

    /// What is wrong with a text; nil when nothing is.
    func problem(_ text: String) -> String? {
        guard choices.isEmpty else {
            return choices.contains(text) ? nil : "expected one of \(choices.joined(separator: ", "))"
        }
        guard form.accepts(text) else { return "expected \(form.expectation)" }
        guard size.contains(text.unicodeScalars.count) else {
            return "expected \(size.lowerBound) to \(size.upperBound) characters"
        }
        return nil
    }
}

/// A member of an object.
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

/// What must hold between the members of an object.
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

    /// The rule as one schema.
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
    /// Checks a value; `field` is where it stands, for the problem's words.
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
            try Self.check(values, members, others, rules, at: field)
        default: throw .field(field, "expected \(expectation)")
        }
    }

    private static func check(
        _ values: [String: JSON], _ members: [AdminMember], _ others: AdminSchema?, _ rules: [AdminRule],
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
            text.choices.isEmpty ? text.form.expectation : "one of \(text.choices.joined(separator: ", "))"
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

    /// The schema as JSON Schema.
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
        case .object(let members, let others, let rules): Self.json(members, others, rules)
        case .nullable(let schema): ["anyOf": [schema.json, ["type": "null"]]]
        case .named(let name): ["$ref": .string("#/components/schemas/\(name)")]
        }
    }

    private static func json(_ members: [AdminMember], _ others: AdminSchema?, _ rules: [AdminRule]) -> JSON {
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
