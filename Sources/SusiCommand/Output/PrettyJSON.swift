import Susi

/// JSON for a person: indented, in the server's order, with nothing in it that a terminal would obey.
enum PrettyJSON {
    static func text(_ node: JSONNode) -> String {
        JSONText.pretty(node, escaping: { !DisplayText.isHarmless($0) })
    }
}
