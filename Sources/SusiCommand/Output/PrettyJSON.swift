import Susi
import SusiBase

/// JSON formatted for a terminal: indented, in the server's order, with control characters escaped.
enum PrettyJSON {
    static func text(_ node: JSONNode) -> String {
        JSONText.pretty(node, escaping: { !DisplayText.isHarmless($0) })
    }
}

extension Style {
    /// Colors the names and texts of JSON on a terminal.
    func json(_ text: String) -> String {
        guard isColored else { return text }
        var colored = ""
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            var end = rest.index(after: start)
            while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
                end =
                    rest.index(end, offsetBy: rest[end] == UInt8(ascii: "\\") ? 2 : 1, limitedBy: rest.endIndex)
                    ?? rest.endIndex
            }
            end = rest.index(end, offsetBy: 1, limitedBy: rest.endIndex) ?? rest.endIndex
            let quoted = String(Substring(rest[start..<end]))
            colored += String(Substring(rest[..<start]))
            rest = rest[end...]
            colored += rest.first == UInt8(ascii: ":") ? strong(quoted) : good(quoted)
        }
        return colored + String(Substring(rest))
    }
}
