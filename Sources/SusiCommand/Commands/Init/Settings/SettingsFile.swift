import FoundationEssentials
import Susi
import SusiBase

/// Reads the formats of configuration files: JSON, XML, YAML, and lines `NAME=VALUE`.
enum SettingsFile {
    /// The limit of a file in bytes; a larger one is no configuration.
    static let largest = 1 << 18

    /// Returns the values of a file in their order; `nil` for any other text. Throws if a JSON file cannot be parsed.
    static func settings(_ text: String, named name: String) throws -> [Setting]? {
        let file = name.lowercased()
        if text.hasPrefix("{") || text.hasPrefix("["), let settings = try json(text, named: name) {
            return settings
        }
        if text.hasPrefix("<"), text.contains(/<(?:configuration|plist|resources)\b/) { return xml(text) }
        let last = file.split(separator: "/").last ?? ""
        if last.hasPrefix(".env") || [".env", ".properties", ".yml", ".yaml", ".ini"].contains(where: last.hasSuffix) {
            return lines(text, mayHaveOthers: true)
        }
        // Standard input, for example. In source code, a text without quotes is a reference.
        return last.contains(".") && !last.hasSuffix(".txt") ? nil : lines(text, mayHaveOthers: false)
    }

    /// The text of a file. Throws if it is a binary one.
    static func text(_ bytes: [UInt8], named name: String) throws -> String {
        // Windows PowerShell writes UTF-16 with a mark.
        if bytes.starts(with: [0xff, 0xfe]), let text = String(bytes: bytes, encoding: .utf16) { return text }
        guard !bytes.contains(0) else {
            throw SusiError(
                .invalidConfiguration, "“\(name)” is not a text file",
                next: "convert a property list with plutil -convert xml1, and any other file to UTF-8")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: JSON

    // Accepts comments and trailing commas, which are common in these files. An object of JavaScript is source code.
    private static func json(_ text: String, named name: String) throws -> [Setting]? {
        var mistakes = MistakeList()
        if let node = JSONNode(file: text.utf8, source: name, &mistakes) {
            var all: [Setting] = []
            add(node, [], isDefault: false, to: &all)
            return all
        }
        guard name.hasSuffix(".json") else { return nil }
        do { try mistakes.finish() } catch {
            throw SusiError(error, next: "give \(name) as JSON, or give an address from the portal instead")
        }
        return nil
    }

    private static func add(_ node: JSONNode, _ path: [String], isDefault: Bool, to all: inout [Setting]) {
        if let text = node.string ?? node.bool.map({ "\($0)" }) {
            var setting = Setting(path: path, text: text, line: node.line)
            setting.isDefault = isDefault
            all.append(setting)
        }
        // Postman and the portal's list of application settings write each variable as an object.
        if let name = (node["key"] ?? node["name"])?.string, let value = node["value"] {
            guard node["enabled"]?.bool ?? true, !(node["disabled"]?.bool ?? false) else { return }
            return add(value, names(name), isDefault: false, to: &all)
        }
        for (index, element) in (node.array ?? []).enumerated() {
            // MSAL's files for Android mark the authority that signs in.
            add(element, path + ["\(index)"], isDefault: element["default"]?.bool ?? false, to: &all)
        }
        for member in node.members { add(member.node, path + names(member.name), isDefault: isDefault, to: &all) }
    }

    // .NET writes the names of a section with colons in keys, and with underscores in variables; Java with dots.
    private static func names(_ key: some StringProtocol) -> [String] {
        String(key).replacing("__", with: ":").split { $0 == ":" || $0 == "." }.map(String.init)
    }

    // MARK: XML

    // `<add key= value=>` and `<environmentVariable name= value=>` of .NET, property lists, resources of Android.
    private static func xml(_ text: String) -> [Setting] {
        let tag =
            /<!--(?s:.*?)(?:-->|\z)|<(?:add\s+key|environmentVariable\s+name)="([^"]*)"\s+value="([^"]*)"|<key>([^<]*)<\/key>\s*<string>([^<]*)<|<string\s+name="([^"]*)"[^<>]*>([^<]*)</
        var (line, place, all) = (1, text.startIndex, [Setting]())
        for match in text.matches(of: tag) {
            line += text.utf8[place..<match.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            place = match.range.lowerBound
            let found = match.output
            guard let name = found.1 ?? found.3 ?? found.5, let value = found.2 ?? found.4 ?? found.6 else { continue }
            all.append(Setting(path: names(name), text: value, line: line))
        }
        return all
    }

    // MARK: Lines

    // Lines `NAME=VALUE` with sections in brackets, and lines `name: value` of YAML below the names with less indentation;
    // Compose lists variables as `- NAME=VALUE`. Returns `nil` if there are other lines, unless the file may have them.
    private static func lines(_ text: String, mayHaveOthers: Bool) -> [Setting]? {
        // Each literal of a regular expression would be compiled for every line.
        let entry = /(?:export\s+)?["']?([\w.:-]*\w)["']?\s*(?:=|:(?=\s|$))\s*(.*)/
        let (heading, item) = (/\[([\w.:-]+)\]/, /-\s+(?:"([^"]*)"|'([^']*)'|(.*))/)
        let quoted = /(?:"([^"]*)"|'([^']*)')\s*(?:#.*)?/
        var (open, all) = ([(indent: Int, names: [String])](), [Setting]())
        var block = Int.max
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var rest = DraftSource.trimmed(line, and: "")
            var indent = line.prefix(while: \.isWhitespace).count
            // An empty line, a comment, or the lines of a text below their name.
            if "#;!".contains(rest.prefix(1)) || indent > block { continue }
            block = .max
            if let section = rest.wholeMatch(of: heading) {
                open = [(-1, names(section.1))]
                continue
            }
            if let item = rest.wholeMatch(of: item) {
                rest = String(item.1 ?? item.2 ?? item.3 ?? "")
                indent += 2
            }
            open.removeAll { $0.indent >= indent }
            guard let match = rest.wholeMatch(of: entry), let value = plain(match.2, quoted) else {
                if mayHaveOthers { continue }
                return nil
            }
            let path = open.flatMap(\.names) + names(match.1)
            open.append((indent, names(match.1)))
            if value.hasPrefix("|") || value.hasPrefix(">") { block = indent }
            // References and objects in braces are not followed.
            if let sign = value.first, !"|>&*![{#".contains(sign) {
                all.append(Setting(path: path, text: value, line: number + 1))
            }
        }
        return all.isEmpty ? nil : all
    }

    // A value in quotes ends with them, any other one at a comment. Returns `nil` for an expression.
    private static func plain(
        _ text: Substring, _ quoted: Regex<(Substring, Substring?, Substring?)>
    ) -> Substring? {
        if let match = text.wholeMatch(of: quoted) { return match.1 ?? match.2 }
        let value = text.split(separator: " #", maxSplits: 1, omittingEmptySubsequences: false)[0]
        return value.contains { "\"'()".contains($0) } ? nil : value
    }
}
