import SusiPolicies

/// The parameter `claims`: a JSON object that says which claims are wanted or demanded (OpenID Connect Core 5.5).
///
/// An API that wants more of a token challenges with one, and so does a token endpoint.
public struct ClaimsRequest: Hashable, Sendable, CustomStringConvertible {
    /// The object as compact JSON.
    public let text: String

    /// The largest that is taken, in bytes.
    public static let largest = ClaimsChallenge.largest

    /// Why a text is no claims request.
    public struct Invalid: Error, Hashable, Sendable {
        /// The reason, for a person.
        public let reason: String
    }

    /// Reads a JSON object.
    public init(parsing text: some Collection<UInt8>) throws(Invalid) {
        guard text.count <= Self.largest else { throw Invalid(reason: "it is larger than \(Self.largest) bytes") }
        let node: JSONNode
        do { node = try JSONNode(parsing: text) } catch {
            throw Invalid(reason: "it is no JSON: line \(error.line): \(error.problem)")
        }
        guard case .object = node.value else { throw Invalid(reason: "it is \(node.kind), not an object") }
        self.init(node)
    }

    /// Takes what an API demands.
    public init(_ challenge: ClaimsChallenge) { self.init(challenge.claims) }

    /// Both together. Where they differ about the same claim, `demand` decides: it is what a server insists on.
    public func merged(with demand: ClaimsRequest) -> ClaimsRequest {
        // Both were parsed before; what was written from a tree parses again.
        guard let mine = try? JSONNode(parsing: text.utf8), let theirs = try? JSONNode(parsing: demand.text.utf8)
        else { return demand }
        return ClaimsRequest(text: JSONText.merged(mine, theirs))
    }

    /// The object as compact JSON.
    public var description: String { text }

    private init(_ node: JSONNode) { text = JSONText.compact(node) }

    private init(text: String) { self.text = text }
}

/// Compact JSON of parsed trees.
private enum JSONText {
    static func compact(_ node: JSONNode) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): quoted(text)
        case .array(let nodes): "[\(nodes.map(compact).joined(separator: ","))]"
        case .object(let members): object(members.map { ($0.name, compact($0.node)) })
        }
    }

    /// Objects are merged member by member; of anything else the second stays.
    static func merged(_ first: JSONNode, _ second: JSONNode) -> String {
        guard case .object(let left) = first.value, case .object(let right) = second.value else {
            return compact(second)
        }
        let kept = left.map { member in
            let other = right.first { $0.name == member.name }
            return (member.name, other.map { merged(member.node, $0.node) } ?? compact(member.node))
        }
        let added = right.filter { member in !left.contains { $0.name == member.name } }
        return object(kept + added.map { ($0.name, compact($0.node)) })
    }

    private static func object(_ members: [(name: String, value: String)]) -> String {
        "{\(members.map { "\(quoted($0.name)):\($0.value)" }.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..."\u{1f}":
                quoted += "\\u" + String(0x1_0000 + scalar.value, radix: 16).dropFirst()
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return "\"\(quoted)\""
    }
}
