import SusiBase

/// A JSON value; objects are written with sorted keys, so that responses can be compared.
package indirect enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(parsing bytes: some Collection<UInt8>) throws { self.init(try JSONNode(parsing: bytes)) }

    /// The member of an object; nil for other values.
    subscript(key: String) -> JSON? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

    var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    var string: String? { if case .string(let value) = self { value } else { nil } }

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// An object as text. Throws for a number without a JSON representation.
    static func text(of members: [String: JSON]) throws -> String { try JSON.object(members).text() }

    /// The value as bytes. Throws for a number without a JSON representation.
    func encoded() throws -> [UInt8] {
        Array(try text().utf8)
    }

    private func text() throws(NoNumber) -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .integer(let value): return "\(value)"
        case .number(let value):
            guard value.isFinite else { throw NoNumber(value: value) }
            return "\(value)"
        case .string(let value): return JSONText.quoted(value)
        case .array(let elements):
            return "[" + (try elements.map { element throws(NoNumber) in try element.text() }).joined(separator: ",")
                + "]"
        case .object(let members):
            return JSONText.object(
                try members.sorted { $0.key < $1.key }.map { member throws(NoNumber) in
                    (member.key, try member.value.text())
                })
        }
    }

    /// A number that JSON cannot represent, such as infinity (RFC 8259 section 6).
    struct NoNumber: Error { let value: Double }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }

    package init(integerLiteral value: Int64) { self = .integer(value) }

    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object without the members whose value is nil.
    package init(dictionaryLiteral elements: (String, JSON?)...) {
        var members: [String: JSON] = [:]
        for (key, value) in elements { members[key] = value }
        self = .object(members)
    }
}

extension JSON {
    /// Creates a value from a parsed one. A number is an integer if it is written as one that fits.
    init(_ node: JSONNode) {
        switch node.value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text): self = Int64(text).map(JSON.integer) ?? .number(Double(text) ?? 0)
        case .string(let text): self = .string(text)
        case .array(let nodes): self = .array(nodes.map { JSON($0) })
        case .object(let members):
            self = .object(Dictionary(members.map { ($0.name, JSON($0.node)) }) { $1 })
        }
    }
}
