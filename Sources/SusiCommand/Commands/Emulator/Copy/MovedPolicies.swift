import Susi
import SusiBase
import SusiEmulator

/// The policies file of a running emulator whose ports are not those of the file in use.
struct MovedPolicies {
    /// The ports in the file in use.
    let from: [EmulatorPort]
    /// The ports on which the emulator listens, in the same order.
    let to: [EmulatorPort]

    /// Returns the text with these applications alone, every address moved, and `current` as the default one. Other
    /// applications may be untrusted, which a file named by `--config` is not, and keys of the user's own file are not
    /// allowed in another one.
    func text(_ content: [UInt8], applications: Set<String>, current: String) throws -> String {
        let members = try JSONNode(parsing: content.withoutByteOrderMark)["applications"]?.members ?? []
        let moved = members.filter { applications.contains($0.name) }.map {
            JSONNode.Member(name: $0.name, node: move($0.node))
        }
        let file = [
            JSONNode.Member(name: "current", node: JSONNode(value: .string(current))),
            JSONNode.Member(name: "applications", node: JSONNode(value: .object(moved))),
        ]
        return JSONText.pretty(JSONNode(value: .object(file)), width: 120) + "\n"
    }

    private func move(_ node: JSONNode) -> JSONNode {
        switch node.value {
        case .string(let text): JSONNode(value: .string(move(text)))
        case .array(let nodes): JSONNode(value: .array(nodes.map(move)))
        case .object(let members):
            JSONNode(value: .object(members.map { JSONNode.Member(name: $0.name, node: move($0.node)) }))
        case .null, .bool, .number: node
        }
    }

    // An entry of knownAuthorities may have no scheme.
    private func move(_ text: String) -> String {
        let whole = text.contains("://") ? text : "https://\(text)"
        guard let address = try? WebAddress(whole), let port = address.emulatorPort,
            let place = from.firstIndex(of: port)
        else { return text }
        return to[place].origin + whole.dropFirst(address.scheme.count + 3).drop { $0 != "/" }
    }
}
