/// Reads Swift's text as far as the rules need it.
enum SwiftText {
    /// Returns the lines of a file without comments and the contents of strings. The line numbers do not change.
    static func codeLines(of text: String) -> [String] {
        var reader = CodeReader(text)
        return reader.lines()
    }

    /// Returns the module that a line imports: `import X`, `@preconcurrency public import struct X.Y`.
    static func importedModule(_ line: String) -> String? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(of: "import"), place + 1 < words.endIndex else { return nil }
        let before = words[..<place]
        let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        guard before.allSatisfy({ $0.hasPrefix("@") || modifiers.contains($0) }) else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        let name = kinds.contains(words[place + 1]) ? words.dropFirst(place + 2).first : words[place + 1]
        return name.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
    }

    /// Returns the names (identifiers and keywords) in a line of code.
    static func names(in line: String) -> [String] {
        Array(line.utf8).split { !isNamePart($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns whether a line contains `word` as a whole name. A call does not count if it is a member's.
    static func contains(_ line: String, _ word: String) -> Bool {
        let (line, word) = (Array(line.utf8), Array(word.utf8))
        guard !word.isEmpty, line.count >= word.count else { return false }
        let (isCall, endsName) = (word.last == UInt8(ascii: "("), isNamePart(word[word.count - 1]))
        for start in 0...line.count - word.count where line[start] == word[0] {
            let end = start + word.count
            guard line[start..<end].elementsEqual(word) else { continue }
            let before = start > 0 ? line[start - 1] : UInt8(ascii: " ")
            if isNamePart(before) || isCall && before == UInt8(ascii: ".") { continue }
            if endsName, end < line.count, isNamePart(line[end]) { continue }
            return true
        }
        return false
    }

    // Each byte of a letter that is not ASCII counts.
    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

/// Removes comments and the contents of strings. It reads bytes: characters take minutes without optimization.
private struct CodeReader {
    private static let (lineFeed, quote, backslash) = (UInt8(ascii: "\n"), UInt8(ascii: "\""), UInt8(ascii: "\\"))
    private static let pairs: [(opening: [UInt8], closing: [UInt8])] = [
        ("/*", "*/"), ("\"\"\"", "\"\"\""), ("#\"", "\"#"),
    ].map { (Array($0.utf8), Array($1.utf8)) }
    private static let comment = Array("//".utf8)
    private static let starts = Set("/\"#".utf8)

    private let bytes: [UInt8]
    private var place = 0
    private var code: [UInt8] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func lines() -> [String] {
        while place < bytes.count { step() }
        return code.split(separator: Self.lineFeed, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func step() {
        let byte = bytes[place]
        guard Self.starts.contains(byte) else {
            code.append(byte)
            place += 1
            return
        }
        if isNext(Self.comment) {
            while place < bytes.count, bytes[place] != Self.lineFeed { place += 1 }
        } else if let pair = Self.pairs.first(where: { isNext($0.opening) }) {
            place += pair.opening.count
            while place < bytes.count, !isNext(pair.closing) {
                if bytes[place] == Self.lineFeed { code.append(Self.lineFeed) }
                place += 1
            }
            place = min(place + pair.closing.count, bytes.count)
        } else if byte == Self.quote {
            skipString()
        } else {
            code.append(byte)
            place += 1
        }
    }

    private mutating func skipString() {
        place += 1
        while place < bytes.count, bytes[place] != Self.quote, bytes[place] != Self.lineFeed {
            place += bytes[place] == Self.backslash ? 2 : 1
        }
        if place < bytes.count, bytes[place] == Self.quote { place += 1 }
    }

    private func isNext(_ text: [UInt8]) -> Bool {
        guard place + text.count <= bytes.count else { return false }
        for offset in text.indices where bytes[place + offset] != text[offset] { return false }
        return true
    }
}
