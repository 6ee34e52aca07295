import Susi

/// Lines `NAME=VALUE` with sections in brackets, and lines `name: value` of YAML below the names with less indentation;
/// Compose lists variables as `- NAME=VALUE`, a Dockerfile writes `ENV` before them, and Apache `OIDCClientID VALUE`.
struct SettingLines {
    /// Whether a word without quotes is a reference.
    let hasReferences: Bool
    private(set) var settings: [Setting] = []
    /// Whether there are lines of another form.
    private(set) var hasOthers = false
    private var open: [(indent: Int, names: [String])] = []

    // Each literal of a regular expression would be compiled for every line.
    private let entry = /(?:(?:export|ENV|ARG)\s+)?["']?-{0,2}([\w.:\/-]*\w)["']?\s*(?:=|:(?=\s|$))\s*(.*)/
    private let heading = /\[{1,2}["']?([\w.:-]+)["']?\]{1,2}/
    private let item = /-(\s+)(?:"([^"]*)"|'([^']*)'|(.*))/
    private let quoted = /(?:"([^"]*)"|'([^']*)')\s*(?:[#;,].*)?/
    private let old = /(?:(?:ENV|ARG)\s+(?<name>\w+)\s+(?<value>[^=]*)|(?<directive>OIDC\w+)\s+(?<argument>[^=:].*))/
    private let words = /(\w+)=("[^"]*"|'[^']*'|[^\s"']+)/
    private let element = /(?:["']?([\w.-]+)["']?\s*[:=]\s+)?(?:"([^"]*)"|'([^']*)'|([^\s"']+))/
    private let anchor = /&\w+\s+/

    init(hasReferences: Bool) { self.hasReferences = hasReferences }

    mutating func read(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var next = 0
        while next < lines.count {
            let number = next + 1
            next += 1
            let rest = DraftSource.trimmed(lines[number - 1], and: "")
            guard !"#;!".contains(rest.prefix(1)) else { continue }
            let indent = lines[number - 1].prefix(while: \.isWhitespace).count
            guard let block = readLine(rest, indent, number) else { continue }
            let end = lines[next...].firstIndex { line in
                line.prefix(while: \.isWhitespace).count <= block.indent && !line.allSatisfy(\.isWhitespace)
            }
            readBlock(lines[next..<(end ?? lines.count)], of: block.name, number)
            next = end ?? lines.count
        }
    }

    // Returns the name and the indentation of a value that is a block of text.
    private mutating func readLine(_ line: String, _ column: Int, _ number: Int) -> (name: String, indent: Int)? {
        var (rest, indent) = (line, column)
        if let section = rest.wholeMatch(of: heading) {
            open = [(-1, Setting.names(section.1))]
            return nil
        }
        let item = rest.wholeMatch(of: item)
        if let item {
            // A list may have the indentation of its name.
            open.removeAll { $0.indent > indent || $0.indent == indent && $0.names.first.flatMap { Int($0) } != nil }
            open.append((indent, ["\(number)"]))
            rest = String(item.2 ?? item.3 ?? item.4 ?? "")
            indent += 1 + item.1.count
        }
        if let found = rest.wholeMatch(of: old) {
            rest = "\(found.name ?? found.directive ?? "")=\(found.value ?? found.argument ?? "")"
        } else if rest.hasPrefix("ENV ") || rest.hasSuffix(" \\") {
            for word in rest.matches(of: words) { add(word.2, at: Setting.names(word.1), number) }
            return nil
        }
        open.removeAll { $0.indent >= indent }
        guard let match = rest.wholeMatch(of: entry) else {
            hasOthers = true
            if item != nil { add(rest[...], at: open.flatMap(\.names), number) }
            return nil
        }
        let path = open.flatMap(\.names) + Setting.names(match.1)
        open.append((indent, Setting.names(match.1)))
        let value = match.2.replacing(anchor, with: "", maxReplacements: 1)
        if value.hasPrefix("|") || value.hasPrefix(">") { return (String(match.1), indent) }
        add(value, at: path, number)
        return nil
    }

    private mutating func add(_ text: Substring, at path: [String], _ number: Int) {
        guard let sign = text.first, sign != "#" else { return }
        let inner = "[{".contains(sign) ? text.dropFirst().prefix { !"]}".contains($0) }.split(separator: ",") : []
        let elements = inner.compactMap { DraftSource.trimmed($0, and: "").wholeMatch(of: element) }
        if !elements.isEmpty, elements.count == inner.count, sign == "[" || elements.allSatisfy({ $0.1 != nil }) {
            for (index, found) in elements.enumerated() {
                let names = found.1.map { Setting.names($0) } ?? ["\(index)"]
                let value = found.2 ?? found.3 ?? found.4 ?? ""
                settings.append(Setting(path: path + names, text: value, line: number))
            }
        } else if let match = text.wholeMatch(of: quoted) {
            settings.append(Setting(path: path, text: match.1 ?? match.2 ?? "", line: number))
        } else {
            let value = text.split(separator: " #", maxSplits: 1, omittingEmptySubsequences: false)[0]
            let isMade = "*!".contains(sign) || hasReferences || value.contains { "\"'()".contains($0) }
            hasOthers = hasOthers || isMade
            settings.append(Setting(path: path, text: value, line: number, state: isMade ? .expression : .literal))
        }
    }

    // A block that has the name of a file is read as that file.
    private mutating func readBlock(_ lines: ArraySlice<Substring>, of name: String, _ number: Int) {
        let margin = lines.first.map { $0.prefix(while: \.isWhitespace).count } ?? 0
        let text = lines.map { $0.dropFirst(margin) }.joined(separator: "\n")
        let inner = name.contains(".") ? try? SettingsFile.settings(text, named: name) : nil
        if let inner {
            for var setting in inner {
                setting.line += number
                settings.append(setting)
            }
        } else if text.contains(
            /client.?id|authority|issuer|onmicrosoft|b2clogin|ciamlogin|microsoftonline/.ignoresCase())
        {
            settings.append(
                Setting(path: open.flatMap(\.names), text: "a block of text is not read", line: number, state: .block))
        }
    }
}
