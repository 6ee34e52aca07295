import FoundationEssentials

/// A JSON value; objects are written with sorted keys, so that responses can be compared.
indirect enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(parsing bytes: some Sequence<UInt8>) throws { self = try JSONDecoder().decode(JSON.self, from: Data(bytes)) }

    /// The member of an object; nil for other values.
    subscript(key: String) -> JSON? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

    var string: String? { if case .string(let value) = self { value } else { nil } }

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The value as bytes. Throws for a number without a JSON representation.
    func encoded() throws -> [UInt8] {
        var writer = JSONWriter()
        try writer.write(self)
        return writer.bytes
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByArrayLiteral
{
    init(stringLiteral value: String) { self = .string(value) }

    init(integerLiteral value: Int64) { self = .integer(value) }

    init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object without the members whose value is nil.
    init(dictionaryLiteral elements: (String, JSON?)...) {
        var members: [String: JSON] = [:]
        for (key, value) in elements { members[key] = value }
        self = .object(members)
    }
}

extension JSON: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }
}
