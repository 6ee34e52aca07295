import SusiBase

/// Methods on JSON texts (json-transformations).
extension TransformationTable {
    static let json: [Method] = [
        Method("GenerateJson * ; * > outputClaim", generate),
        Method("GetClaimFromJson inputJson ; claimToExtract > extractedClaim") { call throws(Reason) in
            let name = try call.parameter("claimToExtract")
            guard let object = try parsed(call) else { return [:] }
            return ["extractedclaim": try string(object[name], "inputJson")]
        },
        Method("GetSingleItemFromJson inputJson ; > key value") { call throws(Reason) in
            guard let object = try parsed(call) else { return [:] }
            guard let member = object.members.first else { throw .invalid("inputJson") }
            return ["key": .string(member.name), "value": try string(member.node, "inputJson")]
        },
    ]

    private static let mostValues = 1_000
    private static let deepest = 32

    private static func parsed(_ call: TransformationCall) throws(Reason) -> JSONNode? {
        guard let text = call.text("inputJson") else { return nil }
        guard let node = try? JSONNode(parsing: text.utf8, limit: mostValues), node.isObject else {
            throw .invalid("inputJson")
        }
        return node
    }

    private static func string(
        _ node: JSONNode?, _ name: String
    ) throws(Reason) -> ClaimValue? {
        guard let node else { return nil }
        do throws(ClaimConversionError) {
            return try ClaimValue.make(node, as: .string)
        } catch { throw .invalid(name) }
    }

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
