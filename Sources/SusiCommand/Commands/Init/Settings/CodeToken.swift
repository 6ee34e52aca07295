import Susi

/// A token of a source file, in any language with braces and quotes.
struct CodeToken {
    enum Value: Hashable {
        case word(String)
        /// The text between quotes, with the references in it.
        case text([Setting.Part])
        case mark(Character)
    }

    let value: Value
    let line: Int

    func isMark(_ character: Character) -> Bool { value == .mark(character) }

    /// The word, or the text between quotes if it has no references.
    var name: String? {
        switch value {
        case .word(let word): word
        case .text(let parts): if parts.count == 1, case .text(let text) = parts[0] { text } else { nil }
        case .mark: nil
        }
    }
}

/// Splits a source file into tokens. Comments are left out.
struct CodeLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [CodeToken] = []

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the tokens of a text.
    static func tokens(of text: String) -> [CodeToken] {
        var lexer = CodeLexer(text)
        while let byte = lexer.peek() { lexer.read(byte) }
        return lexer.tokens
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"):
            line += 1
            position += 1
        case UInt8(ascii: "#"): skip(to: "\n")
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skip(to: "\n")
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skip(to: "*/")
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): readText(byte)
        case _ where Self.isInWord(byte): readWord()
        default:
            if byte > 0x20 { add(.mark(Character(Unicode.Scalar(byte)))) }
            position += 1
        }
    }

    private mutating func add(_ value: CodeToken.Value) { tokens.append(CodeToken(value: value, line: line)) }

    private static func isInWord(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private mutating func readWord() {
        let word = bytes[position...].prefix(while: Self.isInWord)
        position = word.endIndex
        add(.word(String(decoding: word, as: UTF8.self)))
    }

    // Leaves the end of a line to be read.
    private mutating func skip(to end: String) {
        while position < bytes.count, !bytes[position...].starts(with: end.utf8) {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        if end != "\n" { position = min(bytes.count, position + end.utf8.count) }
    }

    // Quotes that are not closed in their line are not those of a text.
    private mutating func readText(_ quote: UInt8) {
        let hasFields = takePrefix()
        let start = (position, line)
        position += 1
        var parts: [Setting.Part] = []
        var text: [UInt8] = []
        while let byte = peek(), byte != quote {
            if let names = readReference(hasFields) {
                parts += [.text(String(decoding: text, as: UTF8.self)), .reference(names)]
                text = []
                continue
            }
            if byte == UInt8(ascii: "\n") {
                guard quote == UInt8(ascii: "`") else {
                    (position, line) = (start.0 + 1, start.1)
                    return
                }
                line += 1
            }
            if byte == UInt8(ascii: "\\") { position += 1 }
            if let byte = peek() { text.append(byte) }
            position += 1
        }
        position += 1
        if !text.isEmpty || parts.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) }
        add(.text(parts))
    }

    // Returns whether braces in the text contain references: after `$` in C# and `f` in Python.
    private mutating func takePrefix() -> Bool {
        guard position > 0, let last = tokens.last else { return false }
        let before = bytes[position - 1]
        if before == UInt8(ascii: "$"), last.isMark("$") {
            tokens.removeLast()
            return true
        }
        if case .word(let word) = last.value, Self.isInWord(before), ["f", "rf", "fr"].contains(word.lowercased()) {
            tokens.removeLast()
            return true
        }
        return false
    }

    // `${name}`, in Swift `\(name)`.
    private mutating func readReference(_ hasFields: Bool) -> [String]? {
        let rest = bytes[position...]
        let isSwift = rest.starts(with: "\\(".utf8)
        let isField = hasFields && rest.first == UInt8(ascii: "{")
        guard isSwift || isField || rest.starts(with: "${".utf8) else { return nil }
        let inner = rest.dropFirst(isField ? 1 : 2).prefix([Setting.Part].longestReference)
        let open = isSwift ? UInt8(ascii: "(") : UInt8(ascii: "{")
        var depth = 1
        guard
            let end = inner.firstIndex(where: { byte in
                depth += byte == open ? 1 : byte == (isSwift ? UInt8(ascii: ")") : UInt8(ascii: "}")) ? -1 : 0
                return depth == 0 || byte == UInt8(ascii: "\n")
            }), inner[end] != UInt8(ascii: "\n")
        else { return nil }
        position = end + 1
        return [Setting.Part].names(String(decoding: inner[..<end], as: UTF8.self))
    }
}
