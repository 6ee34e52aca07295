/// Which elements a policy has, in which order, with which attributes.
struct Schema: Sendable {
    static let policy = Schema(parsing: text)

    private let types: [String: ElementType]

    struct ElementType: Sendable {
        let attributes: [(name: String, isRequired: Bool, values: String?)]
        let children: [Child]
        let content: Content
    }

    struct Child: Sendable {
        let name: String
        let type: String
        let isRequired: Bool
        let isRepeated: Bool
        /// The kind of values of a text.
        let values: String?
    }

    enum Content { case elements, text, any }

    /// Returns the type of a child; a text with no attributes has none of its own.
    func type(_ name: String) -> ElementType {
        types[name] ?? ElementType(attributes: [], children: [], content: .text)
    }

    private init(parsing text: String) {
        types = Dictionary(
            uniqueKeysWithValues: text.split(separator: "\n").map { line in
                let parts = line.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
                let rest = parts[1].split(separator: ")", maxSplits: 1, omittingEmptySubsequences: false)
                let words = rest[1].split(separator: " ")
                let content: Content = words == [":text"] ? .text : words == [":any"] ? .any : .elements
                let type = ElementType(
                    attributes: rest[0].split(separator: " ").map(Self.attribute),
                    children: content == .elements ? words.map(Child.init) : [], content: content)
                return (String(parts[0]), type)
            })
    }

    private static func attribute(_ word: Substring) -> (String, Bool, String?) {
        let parts = word.split(separator: ":")
        return (parts[0].filter { $0 != "!" }, parts[0].hasSuffix("!"), parts.count == 2 ? String(parts[1]) : nil)
    }
}

extension Schema.Child {
    init(_ word: Substring) {
        let typed = word.split(separator: "=")
        let valued = typed[0].split(separator: ":")
        let name = valued[0].filter { !"?*+".contains($0) }
        let mark = valued[0].last ?? " "
        self.init(
            name: name, type: typed.count == 2 ? String(typed[1]) : name, isRequired: !"?*".contains(mark),
            isRepeated: "*+".contains(mark), values: valued.count == 2 ? String(valued[1]) : nil)
    }
}

extension Schema {
    /// Whether a text is a value of a kind.
    static func isValue(_ text: String, of kind: String) -> Bool {
        if let allowed = values[kind] { return allowed.contains(text) }
        switch kind {
        case "int": return Int32(text) != nil
        case "version": return text == "0.3.0.0"
        case "tenant": return (3...63).contains(text.utf8.count) && text.utf8.allSatisfy { isWord($0, and: ".") }
        case "policy": return text.utf8.last != UInt8(ascii: ".") && text.utf8.allSatisfy { isWord($0, and: "_-.") }
        case "guid": return text.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12]
        default: return true
        }
    }

    private static func isWord(_ byte: UInt8, and others: String) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: others.utf8.contains(byte)
        }
    }
}
