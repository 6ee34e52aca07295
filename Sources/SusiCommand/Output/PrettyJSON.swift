import Susi

/// JSON formatted for a terminal: indented, in the server's order, with control characters escaped.
enum PrettyJSON {
    static func text(_ node: JSONNode) -> String {
        JSONText.pretty(node, escaping: { !DisplayText.isHarmless($0) })
    }
}
