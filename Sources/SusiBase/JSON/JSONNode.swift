import FoundationEssentials

/// A JSON value with its line, so that errors can name it, and with the order of its members. Equal values may be on different
/// lines.
///
/// Foundation's coders give no lines, accept duplicate keys and take longer on the path to a cached token.
package struct JSONNode: Hashable, Sendable {
    package let value: Content
    /// The line of its first character, from 1.
    package let line: Int

    /// The six kinds of value (RFC 8259 section 3). Numbers keep their text, objects the order of their members.
    package enum Content: Hashable, Sendable {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    package struct Member: Hashable, Sendable {
        /// The key in the object, without escapes.
        package let name: String
        /// The line of the name, from 1.
        package let line: Int
        package let node: JSONNode

        /// Makes a member; line 0 means that it was not parsed.
        package init(_ name: String, _ node: JSONNode, line: Int = 0) {
            (self.name, self.node, self.line) = (name, node, line)
        }

        package static func == (left: Member, right: Member) -> Bool {
            (left.name, left.node) == (right.name, right.node)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(node)
        }
    }

    package static func == (left: JSONNode, right: JSONNode) -> Bool { left.value == right.value }

    package func hash(into hasher: inout Hasher) { hasher.combine(value) }

    /// Parses a whole text. Invalid UTF-8, duplicate names, more than 64 levels and more than `limit` values are errors.
    package init(parsing text: some Collection<UInt8>, limit: Int = .max) throws(JSONSyntaxError) {
        var parser = JSONParser(Array(text), limit: limit)
        self = try parser.wholeText()
    }

    /// Parses a file written by hand. A byte order mark is ignored; comments, trailing commas and repeated names are
    /// reported, and parsing continues. Returns `nil` if the text cannot be parsed to its end.
    package init?(file text: some Collection<UInt8>, source: String, _ mistakes: inout MistakeList) {
        var parser = JSONParser(Array(text.withoutByteOrderMark), isFile: true)
        let found = Result { () throws(JSONSyntaxError) in try parser.wholeText() }
        var syntax = parser.tolerated
        if case .failure(let error) = found { syntax.append(error) }
        for error in syntax {
            mistakes.add(PolicyFileError(file: source, line: error.line, problem: error.problem))
        }
        guard case .success(let node) = found else { return nil }
        self = node
    }

    /// Makes a value; line 0 means that it was not parsed.
    package init(value: Content, line: Int = 0) {
        self.value = value
        self.line = line
    }

    /// The value of a member; `nil` if there is no such member or it is null.
    package subscript(name: String) -> JSONNode? {
        guard let node = members.first(where: { $0.name == name })?.node, node.value != .null else { return nil }
        return node
    }

    /// The members of an object; empty for other values.
    package var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    package var isObject: Bool {
        if case .object = value { true } else { false }
    }

    package var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    package var array: [JSONNode]? {
        if case .array(let nodes) = value { nodes } else { nil }
    }

    /// The value of a boolean.
    package var bool: Bool? {
        if case .bool(let value) = value { value } else { nil }
    }

    /// A whole number. Servers also send numbers as strings and whole numbers with a fraction.
    package var lenientInteger: Int64? {
        switch value {
        case .number(let text), .string(let text):
            if let whole = Int64(text) { return whole }
            return Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
        default: return nil
        }
    }

    /// The strings of an array of strings, or the one string.
    package var strings: [String]? {
        if let string { return [string] }
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }

    package var kind: String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

// Values that were not parsed.
extension JSONNode {
    package static func string(_ text: String) -> JSONNode { JSONNode(value: .string(text)) }

    package static func number(_ number: some Numeric) -> JSONNode { JSONNode(value: .number("\(number)")) }

    package static func array(_ nodes: [JSONNode]) -> JSONNode { JSONNode(value: .array(nodes)) }

    package static func list(_ texts: [String]) -> JSONNode { array(texts.map(string)) }

    package static func object(_ members: [Member]) -> JSONNode { JSONNode(value: .object(members)) }

    /// The same value; the members of an object are sorted.
    package init(_ json: JSON) {
        let value: Content =
            switch json {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .number(let text): .number(text)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { JSONNode($0) })
            case .object(let members):
                .object(members.sorted { $0.key < $1.key }.map { Member($0.key, JSONNode($0.value)) })
            }
        self.init(value: value)
    }
}

extension JSONNode: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral text: String) { self.init(value: .string(text)) }

    package init(booleanLiteral flag: Bool) { self.init(value: .bool(flag)) }

    /// Makes an object of the members that have a value.
    package init(dictionaryLiteral members: (String, JSONNode?)...) {
        self.init(value: .object(members.compactMap { name, node in node.map { Member(name, $0) } }))
    }
}

package struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The line of the mistake, from 1.
    package let line: Int
    /// The problem, or what was expected.
    package let problem: String
}
