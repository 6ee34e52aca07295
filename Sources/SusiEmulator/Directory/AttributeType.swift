import SusiBase
import SusiPolicies

/// The data type of a user attribute, with the names of the portal.
package enum AttributeType: String, CaseIterable, Sendable {
    case boolean = "Boolean"
    case integer = "Int"
    case string = "String"
    case strings = "StringCollection"

    /// The attributes that are lists in every directory.
    static let lists: Set<String> = ["groups", "roles", "wids"]

    init(of value: JSON) {
        switch value {
        case .bool: self = .boolean
        case .number where value.integer != nil: self = .integer
        case .array: self = .strings
        default: self = .string
        }
    }

    /// The values of this type. A number has 32 bits.
    var schema: SchemaNode {
        switch self {
        case .boolean: .flag
        case .integer: .integer(Int64(Int32.min)...Int64(Int32.max))
        case .string: .text(.any)
        case .strings: .list(of: .text(.any), atLeast: 0)
        }
    }

    /// The value that a user entered as text; `nil` if the text is empty or does not have this type. Commas separate the
    /// elements of a list.
    func value(_ text: String) -> JSON? {
        switch self {
        case .boolean: ["true": JSON.bool(true), "false": .bool(false)][text]
        case .integer: Int32(text).map { .integer($0) }
        case .string: text.isEmpty ? nil : .string(text)
        case .strings: Self.elements(text).isEmpty ? nil : .array(Self.elements(text).map(JSON.string))
        }
    }

    static func elements(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}

extension JSON {
    /// The value of an attribute as text, which ``AttributeType/value(_:)`` reads.
    var attributeText: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): "\(flag)"
        case .number: integer.map { "\($0)" }
        case .array(let elements): elements.compactMap(\.string).joined(separator: ", ")
        default: nil
        }
    }
}

extension TenantConfiguration {
    /// The type of an attribute: the declared one, else that of the user's value, else a string.
    func attributeType(_ name: String, of user: User? = nil) -> AttributeType {
        attributeTypes[name] ?? (AttributeType.lists.contains(name) ? .strings : nil)
            ?? user?.attributes[name].map { AttributeType(of: $0) } ?? .string
    }

    /// The names of the claims that the tokens of a policy can have: those of the kind, of the protocol, and of the attributes
    /// that the file names.
    var claimNames: [String] {
        let traits = kind.dialect.traits
        let attributes = Set(attributeTypes.keys).union(AttributeType.lists)
            .union(users.flatMap(\.attributes.keys))
            .union(settings.values.flatMap { $0.attributes ?? [] }.map(\.name))
            .subtracting(["displayName", "email", "givenName", "phone", "surname"])
        let claims = attributes.compactMap { traits.attributeNames?.claim($0) }
        return traits.claims + claims.sorted() + TokenIssuer.protocolClaims
    }

    /// Throws for each attribute whose value does not have the declared type.
    func checkAttributes(_ node: JSONNode, _ reader: FileReader) throws(PolicyFileError) {
        var mistakes = MistakeList()
        for member in node.members where attributeTypes[member.name] != nil || AttributeType.lists.contains(member.name)
        {
            _ = mistakes.trying { () throws(PolicyFileError) in
                let schema = attributeType(member.name).schema
                do throws(PolicyFileError) { try SchemaCheck(file: reader.file).check(member.node, schema) } catch {
                    throw error.under(member.name)
                }
            }
        }
        try mistakes.finish()
    }
}
