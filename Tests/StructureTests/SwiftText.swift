/// Reads Swift's text as far as the rules need it.
enum SwiftText {
    /// Returns the lines of a file without comments and the contents of strings. The line numbers do not change.
    static func codeLines(of text: String) -> [String] {
        var code = ""
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if rest.hasPrefix("/*") {
                code += lineFeeds(in: skip(&rest, opening: "/*", closing: "*/"))
            } else if rest.hasPrefix("\"\"\"") {
                code += lineFeeds(in: skip(&rest, opening: "\"\"\"", closing: "\"\"\""))
            } else if rest.hasPrefix("#\"") {
                code += lineFeeds(in: skip(&rest, opening: "#\"", closing: "\"#"))
            } else if character == "\"" {
                skipString(&rest)
            } else {
                code.append(character)
                rest.removeFirst()
            }
        }
        return code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
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
        line.split { !isNamePart($0) }.map(String.init)
    }

    /// Returns whether a line contains `word` as a whole name. A call does not count if it is a member's.
    static func contains(_ line: String, _ word: String) -> Bool {
        var rest = line[...]
        var before: Character = " "
        while !rest.isEmpty {
            if rest.hasPrefix(word), !isNamePart(before), !(word.hasSuffix("(") && before == ".") {
                let after = rest.dropFirst(word.count).first ?? " "
                if !(isNamePart(word.last ?? " ") && isNamePart(after)) { return true }
            }
            before = rest.removeFirst()
        }
        return false
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static func skip(_ rest: inout Substring, opening: String, closing: String) -> Substring {
        let start = rest
        rest.removeFirst(opening.count)
        while !rest.isEmpty, !rest.hasPrefix(closing) { rest.removeFirst() }
        rest = rest.dropFirst(closing.count)
        return start[..<rest.startIndex]
    }

    private static func skipString(_ rest: inout Substring) {
        rest.removeFirst()
        while let character = rest.first, character != "\"", character != "\n" {
            rest.removeFirst()
            if character == "\\" { rest = rest.dropFirst() }
        }
        if rest.first == "\"" { rest.removeFirst() }
    }

    private static func lineFeeds(in text: Substring) -> String { String(text.filter { $0 == "\n" }) }
}
