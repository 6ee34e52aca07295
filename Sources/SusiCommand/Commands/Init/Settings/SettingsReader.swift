import Susi

/// A value in another program's configuration.
struct ReadSetting {
    /// The names that lead to it, as far as the format shows them.
    let path: [String]
    let text: String
    let line: Int
    let form: Form
    /// The innermost name in lower case, without what separates its words.
    let name: String

    /// How a file says a value.
    enum Form {
        case literal
        /// A text with gaps that are filled elsewhere: `https://{tenant}.b2clogin.com`.
        case template
        /// A name or a computation.
        case expression
    }

    init(path: [String], text: some StringProtocol, line: Int, form: Form = .literal) {
        self.path = path
        self.text = DraftSource.withoutSpace(String(text))
        self.line = line
        self.form = form == .literal && self.text.contains(/[{}<>\\]|%[@s]|%[0-9]\$|\$[A-Za-z_(]/) ? .template : form
        name = Self.normalized(path.last ?? "")
    }

    /// The place for messages: `AzureAdB2C.ClientId (line 4)`.
    var label: String { "\(path.joined(separator: ".")) (line \(line))" }

    /// Returns whether one of the outer names contains a word.
    func isBelow(_ word: String) -> Bool { path.dropLast().contains { Self.normalized($0).contains(word) } }

    static func normalized(_ name: String) -> String {
        String(decoding: name.utf8.filter(\.isAlphanumeric), as: UTF8.self).lowercased()
    }
}

/// Finds names with their values in a file of another program: JSON, XML, lines `NAME=VALUE` or source code.
///
/// It joins no texts and follows no reference: only literal values count.
struct SettingsReader {
    /// The limit of a file in bytes; a larger one is no configuration.
    static let largest = 1 << 18
    static let most = 10_000

    /// The values, in their order.
    private(set) var found: [ReadSetting] = []
    /// The names of objects in source code.
    private(set) var groups: Set<String> = []
    private var line = 1

    /// Reads a file. Throws if it is a binary one, or a JSON file that cannot be parsed.
    init(_ bytes: [UInt8], named name: String) throws {
        let text = DraftSource.withoutSpace(try Self.text(bytes, named: name))
        let isCode = ["<?php", "<script", "<template", "<!doctype html"].contains(where: text.lowercased().hasPrefix)
        if isCode {
            readCode(text)
        } else if text.hasPrefix("<") {
            readMarkup(text)
        } else if try !readJSON(text, named: name), !readLines(text) {
            readCode(text)
        }
        guard found.count <= Self.most else {
            throw UsageError(
                "“\(name)” cannot be read", why: "it has more than \(Self.most) values",
                next: "give an address from the portal instead; susi help init shows examples")
        }
    }

    private static func text(_ bytes: [UInt8], named name: String) throws -> String {
        // Windows PowerShell writes UTF-16 with a mark.
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            let isLittle = bytes[0] == 0xff
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
                let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
                return isLittle ? second << 8 | first : first << 8 | second
            }
            return String(decoding: units, as: UTF16.self)
        }
        guard !bytes.contains(0), !bytes.starts(with: Array("bplist".utf8)) else {
            throw SusiError(
                .invalidConfiguration, "“\(name)” is not a text file",
                next: "convert a property list with plutil -convert xml1, and any other file to UTF-8")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: JSON

    // Accepts comments and trailing commas, which are common in these files. An object of JavaScript is source code.
    private mutating func readJSON(_ text: String, named name: String) throws -> Bool {
        guard text.hasPrefix("{") || text.hasPrefix("[") else { return false }
        var mistakes = MistakeList()
        if let node = JSONNode(file: text.utf8, source: name, &mistakes) {
            add(node, [])
            return true
        }
        guard name.hasSuffix(".json") else { return false }
        do { try mistakes.finish() } catch {
            throw SusiError(error, next: "give \(name) as JSON, or give an address from the portal instead")
        }
        return false
    }

    // Of several authorities, MSAL's files for Android mark the one that signs in.
    private mutating func add(_ node: JSONNode, _ path: [String]) {
        if let text = node.string { found.append(ReadSetting(path: path, text: text, line: node.line)) }
        let isDefault = { (node: JSONNode) in node["default"]?.bool ?? false }
        let elements = node.array ?? []
        for element in elements.filter(isDefault) + elements.filter({ !isDefault($0) }) { add(element, path) }
        // Postman writes each variable as an object.
        if let key = node["key"]?.string, let value = node["value"], value.string != nil {
            if node["enabled"]?.bool ?? true, !(node["disabled"]?.bool ?? false) { add(value, path + [key]) }
            return
        }
        for member in node.members { add(member.node, path + [member.name]) }
    }

    // MARK: XML

    // Property lists have `<key>` and `<string>`, .NET configurations `<add key= value=>`.
    private mutating func readMarkup(_ text: String) {
        let tag =
            /<!--(?s:.*?)(?:-->|\z)|<key>([^<]*)<\/key>|<string(?:\s+name="([^"]*)")?>([^<]*)<\/string>|<add\s+key="([^"]*)"\s+value="([^"]*)"|<\/?dict>/
            .ignoresCase()
        var place = text.startIndex
        var key = ""
        for match in text.matches(of: tag) {
            line += Self.lines(text[place..<match.range.lowerBound])
            place = match.range.lowerBound
            let (_, name, own, value, added, addedValue) = match.output
            key = name.map(String.init) ?? (value == nil ? "" : key)
            guard let value = value ?? addedValue else { continue }
            let named = added ?? own ?? key[...]
            found.append(ReadSetting(path: Self.names(named), text: Self.unescaped(value), line: line))
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        return names.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    // MARK: Lines

    // Reads lines `NAME=VALUE`, or `name: value` as in YAML. Returns false if there are others.
    private mutating func readLines(_ text: String) -> Bool {
        let entry = /(?:export\s+|-\s+)?["']?([\w.:-]*\w)["']?(?:\s*=|:(?=\s|$))\s*(.*)/
        var names: [Substring] = []
        var settings: [ReadSetting] = []
        for (number, whole) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = DraftSource.withoutSpace(String(whole))
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") || line == "---" { continue }
            // A section.
            if line.hasPrefix("["), line.hasSuffix("]") { continue }
            var value = line.hasPrefix("- ") ? line.dropFirst(2) : ""
            if let match = line.wholeMatch(of: entry) {
                (names, value) = ([match.1], match.2)
            } else if value.isEmpty {
                return false
            }
            guard let last = value.last.map({ !",;{([".contains($0) }) else { continue }
            guard last, let name = names.first else { return false }
            let (text, form) = Self.value(value)
            settings.append(ReadSetting(path: Self.names(name), text: text, line: number + 1, form: form))
        }
        found = settings
        return !settings.isEmpty
    }

    // A value in quotes ends with them, any other one at a comment.
    private static func value(_ text: Substring) -> (text: Substring, form: ReadSetting.Form) {
        if let match = text.wholeMatch(of: /(?:"([^"]*)"|'([^']*)')(?:\s+#.*)?/) {
            return (match.1 ?? match.2 ?? "", .literal)
        }
        let value = text.split(separator: " #", maxSplits: 1, omittingEmptySubsequences: false)[0]
        return (value, value.contains { "\"'()|".contains($0) } ? .expression : .literal)
    }

    // .NET writes the names of a section with colons in keys, and with underscores in variables.
    private static func names(_ key: Substring) -> [String] {
        key.replacing("__", with: ":").split(separator: ":").map(String.init)
    }

    // MARK: Source code

    // A comment, a name with its value, or another text in quotes. The limits keep the time linear.
    private mutating func readCode(_ text: String) {
        let piece =
            #/
            //[^\n]* | /\*(?s:.*?)(?:\*/|\z) | <\#(?s:.*?)(?:\#>|\z) | \n=begin(?s:.*?)(?:\n=end|\z)
            | \#define\s+(?<macro>\w+)\s+@?"(?<defined>[^"\\\n]*)" | \#[^\n]*
            | (?:["'](?<quoted>[\w.:$-]{1,80})["']|\b(?<bare>[A-Za-z_$][\w$]{0,80}))\s{0,20}
              (?:(?<added>\+=|\?\?=|\|\|=)|:(?!:)(?:\s{0,20}[\w\[\]<>.?|&\ ]{0,60}=(?![=>]))?|=>|=(?![=~>]))\s{0,200}
              (?:(?<list>[\[\{]\s{0,200}@?["'][^"'\\\n]*["'](?:\s{0,200},\s{0,200}@?["'][^"'\\\n]*["']){0,99},?\s{0,200}[\]\}])
              |(?<block>"""(?s:.*?)(?:"""|\z)|'''(?s:.*?)(?:'''|\z))
              |[@$a-z]{0,2}(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)
              |(?<expression>[^\n,;{}()\[\]]{0,200}))
            | \?\s{0,200}(?:"[^"\n]*"|'[^'\n]*'|`[^`]*`|[\w.$]{1,80})\s{0,200}:
            | """(?s:.*?)(?:"""|\z) | '''(?s:.*?)(?:'''|\z)
            | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `[^`]*`
            /#
            .matchingSemantics(.unicodeScalar).asciiOnlyWordCharacters().wordBoundaryKind(.simple)
        var place = text.startIndex
        for match in text.matches(of: piece) {
            line += Self.lines(text[place..<match.range.lowerBound])
            place = match.range.lowerBound
            guard let name = match.macro ?? match.quoted ?? match.bare else { continue }
            let rest = text[match.range.upperBound...]
            let text = match.defined ?? match.text?.dropFirst().dropLast()
            if let list = match.list {
                for element in list.matches(of: /["']([^"'\n]*)["']/) { add(name, element.1, .literal) }
            } else if let text, match.added == nil, Self.isWhole(before: rest) {
                add(name, text, .literal)
            } else if let text = match.block ?? match.text ?? match.expression {
                // A value in parentheses, or one that an operator continues, is computed.
                let isOpen = text.isEmpty && rest.first == "(" || match.added != nil || Self.goesOn(in: rest)
                if isOpen || !text.isEmpty { add(name, isOpen ? text + " …" : text, .expression) }
                if text.isEmpty, let first = rest.first, "{[".contains(first) {
                    groups.insert(ReadSetting.normalized(String(name)))
                }
            }
        }
    }

    private mutating func add(_ name: Substring, _ text: Substring, _ form: ReadSetting.Form) {
        found.append(ReadSetting(path: Self.names(name), text: text, line: line, form: form))
    }

    // Whether a text in quotes is the whole value: a sign between values or a comment follows, or another line begins.
    private static func isWhole(before rest: Substring) -> Bool {
        let spaces = rest.prefix(while: \.isWhitespace)
        let next = rest[spaces.endIndex...]
        return next.isEmpty || [",", ";", "}", ")", "]", "//", "/*", "#", "as const"].contains(where: next.hasPrefix)
            || spaces.contains(where: \.isNewline) && !goesOn(in: rest)
    }

    // Whether an operator or another text follows, on this line or the next one.
    private static func goesOn(in rest: Substring) -> Bool {
        rest.first { !$0.isWhitespace }.map { "+.?|&%*\\\"'`".contains($0) } ?? false
    }

    private static func lines(_ text: Substring) -> Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
}
