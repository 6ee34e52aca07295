import SusiBase

/// The result of a command. Text and JSON come from the same value.
protocol CommandResult {
    var json: JSONObject { get }

    /// Returns the lines of text, with all untrusted text made safe for a terminal.
    func lines(_ style: Style) -> [String]
}

/// A value in the JSON of a result.
protocol JSONRepresentable {
    var json: JSON { get }
}

/// The members of a JSON object; those with the value `nil` are left out.
struct JSONObject: JSONRepresentable, ExpressibleByDictionaryLiteral {
    private let members: [String: JSON]

    var json: JSON { .object(members) }

    init(dictionaryLiteral members: (String, (any JSONRepresentable)?)...) {
        self.init(Dictionary(members.compactMap { name, value in value.map { (name, $0.json) } }) { $1 })
    }

    private init(_ members: [String: JSON]) { self.members = members }

    static func + (left: JSONObject, right: JSONObject) -> JSONObject {
        JSONObject(left.members.merging(right.members) { $1 })
    }

    /// Returns the text, indented, with sorted keys.
    var text: String { PrettyJSON.text(JSONNode(json)) }
}

extension JSON: JSONRepresentable {
    var json: JSON { self }
}

extension JSONRepresentable where Self: StringProtocol {
    var json: JSON { .string(String(self)) }
}

extension JSONRepresentable where Self: BinaryInteger {
    var json: JSON { .integer(self) }
}

extension JSONRepresentable where Self: RawRepresentable<String> {
    var json: JSON { .string(rawValue) }
}

extension String: JSONRepresentable {}
extension Substring: JSONRepresentable {}
extension Int: JSONRepresentable {}
extension Int32: JSONRepresentable {}
extension Int64: JSONRepresentable {}

extension Bool: JSONRepresentable {
    var json: JSON { .bool(self) }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
    var json: JSON { .array(map(\.json)) }
}

extension DraftValues.Origin: JSONRepresentable {
    var json: JSON { ["value": .string(value), "name": .string(name)] }
}
