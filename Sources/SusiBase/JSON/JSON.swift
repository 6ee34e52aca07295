/// A JSON value without lines. The members of an object have no order; written, they are sorted, so that texts can be
/// compared.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number as it was written (RFC 8259 section 6).
    case number(String)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    package init(parsing bytes: some Collection<UInt8>) throws(JSONSyntaxError) {
        self.init(try JSONNode(parsing: bytes))
    }

    /// The same value without lines and order.
    package init(_ node: JSONNode) {
        switch node.value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text): self = .number(text)
        case .string(let text): self = .string(text)
        case .array(let nodes): self = .array(nodes.map { JSON($0) })
        case .object(let members): self = .object(Dictionary(members.map { ($0.name, JSON($0.node)) }) { $1 })
        }
    }

    package static func integer(_ value: some BinaryInteger) -> JSON { .number("\(value)") }

    package static func list(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }

    /// The member of an object; nil for other values.
    package subscript(key: String) -> JSON? { members?[key] }

    package var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

    package var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    package var string: String? { if case .string(let value) = self { value } else { nil } }

    /// A number that is written as an integer.
    package var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }

    package var text: String { JSONText.compact(JSONNode(self)) }

    /// The text, indented.
    package var pretty: String { JSONText.pretty(JSONNode(self)) }

    package var encoded: [UInt8] { Array(text.utf8) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }

    package init(integerLiteral value: Int64) { self = .integer(value) }

    package init(booleanLiteral value: Bool) { self = .bool(value) }

    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Makes an object without the members whose value is nil.
    package init(dictionaryLiteral members: (String, JSON?)...) {
        self = .object(Dictionary(members.compactMap { name, value in value.map { (name, $0) } }) { $1 })
    }
}
