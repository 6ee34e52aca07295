import FoundationEssentials

/// The result of a command. Text and JSON come from the same value.
protocol CommandResult {
    var json: JSONObject { get }

    /// Returns the lines of text, with all untrusted text made safe for a terminal.
    func lines(_ style: Style) -> [String]
}

/// The members of a JSON object; those with the value `nil` are left out.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let members: [(String, any Encodable)]

    // One for all objects: a list has one object per account.
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.init(members.compactMap { name, value in value.map { (name, $0) } })
    }

    private init(_ members: [(String, any Encodable)]) { self.members = members }

    static func + (left: JSONObject, right: JSONObject) -> JSONObject { JSONObject(left.members + right.members) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    /// Returns the text, indented, with sorted keys.
    func text() throws -> String {
        Terminal.safeJSON(String(decoding: try Self.encoder.encode(self), as: UTF8.self))
    }
}
