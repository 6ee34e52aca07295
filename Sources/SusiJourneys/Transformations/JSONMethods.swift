import SusiBase

/// Methods on JSON texts (json-transformations).
extension TransformationTable {
    static let json: [Method] = [
        Method("GenerateJson * ; * > outputClaim", generate),
        Method("GetClaimFromJson inputJson ; claimToExtract > extractedClaim") { call throws(Reason) in
            let name = try call.parameter("claimToExtract")
            guard let members = try members(call) else { return [:] }
            guard let found = members.first(where: { $0.name == name }) else { throw .noMember(name) }
            return ["extractedclaim": text(found.node)]
        },
        Method("GetSingleItemFromJson inputJson ; > key value") { call throws(Reason) in
            guard let members = try members(call) else { return [:] }
            guard let first = members.first else { throw .noMember("") }
            return ["key": .string(first.name), "value": text(first.node)]
        },
    ]

    private static let mostValues = 1_000
    private static let deepest = 32

    private static func members(_ call: TransformationCall) throws(Reason) -> [JSONNode.Member]? {
        guard let text = call.text("inputJson") else { return nil }
        guard let node = try? JSONNode(parsing: text.utf8, limit: mostValues), node.isObject else {
            throw .invalid("inputJson")
        }
        return node.members
    }

    private static func text(_ node: JSONNode) -> ClaimValue? { try? ClaimValue.make(node, as: .string) }

    // The names of inputs and parameters are paths, in which a number is a place in a list.
    private static func generate(_ call: TransformationCall) throws(Reason) -> Outputs {
        var root: JSONNode?
        for (path, value) in call.inputs + call.parameters.map({ ($0.name, $0.value) }) {
            guard let value else { continue }
            let keys = path.split(separator: ".")
            guard keys.count <= deepest, let changed = inserted(value.json, keys[...], root) else {
                throw .invalid(path)
            }
            root = changed
        }
        return ["outputclaim": .string(JSONText.compact(root ?? [:]))]
    }

    // Returns `nil` if another path made something else of a place, or leaves one out.
    private static func inserted(_ value: JSONNode, _ path: ArraySlice<Substring>, _ node: JSONNode?) -> JSONNode? {
        guard let key = path.first else { return node == nil ? value : nil }
        let rest = path.dropFirst()
        if let index = Int(key) {
            guard var items = node == nil ? [] : node?.array, (0...items.count).contains(index),
                let item = inserted(value, rest, index < items.count ? items[index] : nil)
            else { return nil }
            items[index..<min(index + 1, items.count)] = [item]
            return .array(items)
        }
        guard node?.isObject ?? true else { return nil }
        var members = node?.members ?? []
        let index = members.firstIndex { $0.name == key } ?? members.count
        let known = index < members.count ? members[index].node : nil
        guard let member = inserted(value, rest, known) else { return nil }
        members[index..<min(index + 1, members.count)] = [JSONNode.Member(String(key), member)]
        return .object(members)
    }
}
