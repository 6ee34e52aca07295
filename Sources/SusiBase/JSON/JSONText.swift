/// Writes JSON (RFC 8259), with one rule for escapes.
package enum JSONText {
    /// Returns a text as a JSON string, with its quotes. Escapes what the format requires (section 7) and what
    /// `escapes` selects.
    package static func quoted(_ text: String, escaping escapes: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
        // Nearly every text, such as a token, is copied unchanged.
        if text.unicodeScalars.allSatisfy({ $0 >= " " && $0 != "\"" && $0 != "\\" && !escapes($0) }) {
            return "\"\(text)\""
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1f}": quoted += escape(scalar)
            case _ where escapes(scalar): quoted += escape(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns the numeric escape of a character: six characters for each of its UTF-16 units.
    package static func escape(_ scalar: Unicode.Scalar) -> String {
        var escape = ""
        for unit in String(scalar).utf16 { escape += "\\u" + String(0x1_0000 + Int(unit), radix: 16).dropFirst() }
        return escape
    }

    /// Formats a tree as compact JSON: numbers as they were written, members in their order.
    package static func compact(_ node: JSONNode) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): quoted(text)
        case .array(let nodes): "[\(nodes.map(compact).joined(separator: ","))]"
        case .object(let members): object(members.map { ($0.name, compact($0.node)) })
        }
    }

    /// Formats a tree as indented JSON. Lists and objects that fit into `width` columns are on one line.
    package static func pretty(
        _ node: JSONNode, width: Int = 0, indent: String = "",
        escaping escapes: (Unicode.Scalar) -> Bool = { _ in false }
    ) -> String {
        let inner = indent + "  "
        func line(_ node: JSONNode) -> String { pretty(node, width: width, indent: inner, escaping: escapes) }
        let parts: [String]
        let brackets: (String, String)
        switch node.value {
        case .null, .bool, .number: return compact(node)
        case .string(let text): return quoted(text, escaping: escapes)
        case .array(let nodes): (parts, brackets) = (nodes.map(line), ("[", "]"))
        case .object(let members):
            (parts, brackets) = (members.map { "\(quoted($0.name, escaping: escapes)): \(line($0.node))" }, ("{", "}"))
        }
        if parts.isEmpty { return brackets.0 + brackets.1 }
        let length = parts.reduce(indent.count + 2) { $0 + $1.count + 2 }
        if length <= width, !parts.contains(where: { $0.contains("\n") }) {
            let space = node.isObject ? " " : ""
            return brackets.0 + space + parts.joined(separator: ", ") + space + brackets.1
        }
        return brackets.0 + "\n" + inner + parts.joined(separator: ",\n\(inner)") + "\n\(indent)" + brackets.1
    }

    /// Formats an object whose values are JSON already.
    package static func object(_ members: [(name: String, value: String)]) -> String {
        "{\(members.map { "\(quoted($0.name)):\($0.value)" }.joined(separator: ","))}"
    }
}
