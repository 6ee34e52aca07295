import Susi

/// JSON for a person: indented, in the server's order, with nothing in it that a terminal would obey.
enum PrettyJSON {
    static func text(_ node: JSONNode, indent: String = "") -> String {
        let inner = indent + "  "
        switch node.value {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let text): return text
        case .string(let text): return quoted(text)
        case .array(let nodes):
            if nodes.isEmpty { return "[]" }
            return "[\n" + nodes.map { inner + Self.text($0, indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.map { "\(inner)\(quoted($0.name)): \(Self.text($0.node, indent: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        JSONText.quoted(text, escaping: { !Terminal.isHarmless($0) })
    }
}
