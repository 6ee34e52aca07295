import Susi

extension [Setting] {
    /// Reads the texts of a JSON document.
    init(_ node: JSONNode) {
        self = []
        add(node, [])
    }

    private mutating func add(_ node: JSONNode, _ path: [String]) {
        if let text = node.string { append(Setting(path, [[Setting.Part](template: text)])) }
        if let isTrue = node.bool { append(Setting(path, [[.text("\(isTrue)")]])) }
        for (position, element) in (node.array ?? []).enumerated() { add(element, path + ["\(position)"]) }
        guard !addVariable(node, path) else { return }
        for member in node.members { add(member.node, path + [member.name]) }
    }

    // Postman writes each variable as an object.
    private mutating func addVariable(_ node: JSONNode, _ path: [String]) -> Bool {
        guard let key = node["key"]?.string, let value = node["value"]?.string else { return false }
        if node["enabled"]?.bool ?? true, !(node["disabled"]?.bool ?? false) {
            append(Setting(path + [key], [[Setting.Part](template: value)]))
        }
        return true
    }
}
