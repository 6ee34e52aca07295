import SusiBase

extension JSONNode.Value {
    /// Texts by name, sorted.
    static func texts(_ texts: [String: String]) -> Self {
        .object(texts.sorted { $0.key < $1.key }.map { JSONNode.Member($0.key, .string($0.value)) })
    }

    /// The same value; the members of an object are sorted.
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .number("\(number)")
        case .number(let number): self = .number("\(number)")
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONNode(value: Self($0)) })
        case .object(let members):
            self = .object(members.sorted { $0.key < $1.key }.map { JSONNode.Member($0.key, Self($0.value)) })
        }
    }
}
