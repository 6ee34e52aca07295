import Susi

/// Reads source code, and any other text that is not a structured file: its literals with their names, without comments.
///
/// Nothing is put together, no reference is followed, and no branch is chosen.
struct SourceReader {
    /// A literal in quotes.
    private struct Literal {
        let text: String
        let line: Int
        /// The code after the literal before it.
        let before: String
    }

    private(set) var settings: [Setting] = []
    private var literals: [Literal] = []
    // The code after the last literal.
    private var rest = ""

    init(_ text: String) {
        split(Array("\n\(text)".utf8))
        for index in literals.indices { readLiteral(index) }
        readCode()
    }

    // MARK: Comments and literals

    private static let comments = [
        ("//", "\n"), ("/*", "*/"), ("<!--", "-->"), ("<#", "#>"), ("\n=begin", "\n=end"), ("#", "\n"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
    private static let quotes = ["\"\"\"", "'''", "\"", "'", "`"].map { Array($0.utf8) }

    // The first bytes of comments and literals.
    private static let signs = Set("/<\n#\"'`".utf8)

    private mutating func split(_ bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        var (place, line, code) = (0, 0, [UInt8]())
        while place < bytes.count {
            let here = bytes[place...]
            let isSign = Self.signs.contains(bytes[place])
            if isSign, let (opening, closing) = Self.comments.first(where: { here.starts(with: $0.0) }),
                opening != [UInt8(ascii: "#")] || Self.isComment(bytes, place)
            {
                let end = Self.end(of: closing, in: bytes, from: place + opening.count) ?? bytes.count
                // The end of a line is not part of its comment.
                let next = closing == [newline] ? end : min(end + closing.count, bytes.count)
                let lines = bytes[place..<next].count { $0 == newline }
                code += [UInt8](repeating: newline, count: lines) + " ".utf8
                line += lines
                place = next
            } else if isSign, let quote = Self.quotes.first(where: here.starts),
                let end = Self.end(
                    of: quote, in: bytes, from: place + quote.count,
                    isLine: "\"'".utf8.contains(quote[0]) && quote.count == 1)
            {
                let text = String(decoding: bytes[(place + quote.count)..<end], as: UTF8.self)
                literals.append(Literal(text: text, line: line, before: String(decoding: code, as: UTF8.self)))
                line += bytes[place..<end].count { $0 == newline }
                (place, code) = (end + quote.count, [])
            } else {
                line += bytes[place] == newline ? 1 : 0
                code.append(bytes[place])
                place += 1
            }
        }
        rest = String(decoding: code, as: UTF8.self)
    }

    // A number sign begins a comment after a space, unless it defines a macro of C.
    private static func isComment(_ bytes: [UInt8], _ place: Int) -> Bool {
        (place == 0 || " \t\n".utf8.contains(bytes[place - 1])) && !bytes[place...].starts(with: "#define".utf8)
    }

    // The place of a closing sign; `nil` if there is none, or none in the line.
    private static func end(of closing: [UInt8], in bytes: [UInt8], from start: Int, isLine: Bool = false) -> Int? {
        var place = start
        while place < bytes.count, !isLine || bytes[place] != UInt8(ascii: "\n") {
            if bytes[place...].starts(with: closing) { return place }
            place += isLine && bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    // MARK: Literals

    private mutating func readLiteral(_ index: Int) {
        let literal = literals[index]
        let before = Self.end(of: literal.before)
        // A client id has no other names.
        let names = (before + (index > 0 ? literals[index - 1].text : "")).lowercased()
        guard literal.text.contains("://") || names.contains("client") || names.contains("secret"),
            // A comparison says nothing.
            !before.contains(Self.comparison.matchingSemantics(.unicodeScalar))
        else { return }
        var setting = Setting(path: [name(of: index, before) ?? "address"], text: literal.text, line: literal.line)
        setting.isWhole = isWhole(index, before)
        // Of a template, another literal may be the whole value.
        setting.isReplaceable = setting.isWhole && setting.isTemplate
        settings.append(setting)
    }

    private static var comparison: Regex<Substring> {
        /(?:[!=]==?|(?:[eE]quals\w*|startsWith|hasPrefix|contains|includes)\()\s*$/
    }

    // The last part of a piece of code.
    private static func end(of code: String) -> String { String(decoding: code.utf8.suffix(100), as: UTF8.self) }

    // The name before a literal: `clientId: "…"`, `"clientId": "…"`, `clientId: String = "…"`, `#define kClientID @"…"`.
    private func name(of index: Int, _ before: String) -> String? {
        if index > 0, before.wholeMatch(of: /\s*(?::|=>|=)\s*[@a-z]?/) != nil { return literals[index - 1].text }
        let name =
            /([A-Za-z_$][\w$]*)\s*(?:\??:\s*[A-Za-z_][\w<>\[\]?.| ]*)?(?:=>|=|:)\s*[@$a-z]{0,2}$|#define\s+(\w+)\s+@?$/
            .matchingSemantics(.unicodeScalar)
        return before.firstMatch(of: name).flatMap { $0.1 ?? $0.2 }.map(String.init)
    }

    // Whether a literal is a whole value in every run of the program: not a part of another text, and no default or
    // alternative.
    private func isWhole(_ index: Int, _ before: String) -> Bool {
        let isLast = index + 1 == literals.count
        let next = (isLast ? rest : literals[index + 1].before).drop(while: \.isWhitespace).prefix(8)
        if next.isEmpty ? !isLast : "+.?|&%*\\=!".contains(next.first ?? " ") { return false }
        if next.contains(/^(?:if|or|unless)\s/) { return false }
        let condition = /(?:[+|&%]|\?:?|\bor|\bdefault(?:Value)?\s*[:=])\s*[@$a-z]?$|\s\?\s[^;{}]*$|\n\s*:\s*$/
        if before.contains(condition.matchingSemantics(.unicodeScalar)) { return false }
        let isSecond = index > 0 && DraftSource.withoutSpace(before) == ","
        return !(isSecond && Self.end(of: literals[index - 1].before).lowercased().contains("env"))
    }

    // MARK: Code

    // A client id that is not literal here is another one; the name of a secret, or of what checks tokens, shows a server.
    private mutating func readCode() {
        let code =
            literals.map { literal in
                literal.before + "\"" + literal.text.filter(\.isNewline) + "\""
            }.joined() + rest
        // The limits keep the time linear.
        let value =
            #/
            \b(?: (?<server>BearerStrategy|AddMicrosoftIdentityWebApi|AddJwtBearer|oauth2ResourceServer)\b
                | (?<name>[A-Za-z_$][\w$]{0,80}) \s{0,20} (?: \+= | \|\|= | \?\?=
                    | (?:=>|[:=])(?![=:>]) \s{0,200} (?<value>[A-Za-z_$][\w$.!?]{0,80})))
            /#
            .matchingSemantics(.unicodeScalar).asciiOnlyWordCharacters().wordBoundaryKind(.simple)
        var (line, place) = (0, code.startIndex)
        for match in code.matches(of: value) {
            line += code.utf8[place..<match.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            place = match.range.lowerBound
            let (name, value) = (
                String(match.output.server ?? match.output.name ?? ""), String(match.output.value ?? "…")
            )
            readValue(name, value, line)
        }
    }

    private mutating func readValue(_ name: String, _ value: String, _ line: Int) {
        guard value.wholeMatch(of: /nil|null|undefined|None|any|(?:[sS]tring|str)\??/) == nil else { return }
        var setting = Setting(path: [name], text: value, line: line)
        setting.isWhole = false
        let parts = value.split(separator: ".").map(String.init)
        let isSame = parts.last.map(Setting.normalized) == Setting.normalized(name)
        let isOwn = isSame && ["this", "self", name].contains(parts[0])
        switch SettingMeaning.of(setting)?.meaning {
        case .secret: break
        case .clientID where !isOwn: setting.isReplaceable = parts.count < 2 && value != "…"
        case .authority where !isOwn: setting.isReplaceable = value != "…"
        default: return
        }
        settings.append(setting)
    }
}
