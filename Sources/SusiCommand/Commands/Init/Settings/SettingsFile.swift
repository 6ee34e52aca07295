import FoundationEssentials
import Susi
import SusiBase

/// Reads the formats of configuration files: JSON, XML, YAML, and lines `NAME=VALUE`.
enum SettingsFile {
    /// The limit of a file in bytes; a larger one is no configuration.
    static let largest = 1 << 18
    private static let markups = [".xml", ".config", ".plist", ".props", ".csproj", ".resx"]

    /// Returns the values of a file in their order; `nil` for any other text. Throws if a JSON file cannot be parsed.
    static func settings(_ text: String, named name: String) throws -> [Setting]? {
        let last = name.lowercased().split(separator: "/").last ?? ""
        if text.hasPrefix("{") || text.hasPrefix("["), let settings = try json(text, named: name) {
            return completed(settings)
        }
        let isMarkup = markups.contains(where: last.hasSuffix) || text.contains(/<(?:configuration|plist|resources)\b/)
        if text.hasPrefix("<"), isMarkup { return completed(xml(text)) }
        // Also samples: `.env-template`, `env.example`, `config.yml.dist`.
        let names =
            #/
            ^(?:dockerfile|\.env) | (?:^|\.)(?:env|properties|ya?ml|ini|toml|conf|cfg|config|tfvars|dockerfile)
            (?: [\-_~][\w\-]* | \.(?:example|sample|template|tmpl|tpl|dist|default|local|bak|j2) )?$
            /#
        let hasLines = last.contains(names)
        // Standard input, for example. In source code, a text without quotes is a reference.
        guard hasLines || !last.contains(".") || last.hasSuffix(".txt") else { return nil }
        var lines = SettingLines(hasReferences: last.hasSuffix(".tfvars"))
        // Java escapes the signs that separate a name from its value.
        lines.read(last.hasSuffix(".properties") ? text.replacing(/\\([:=])/, with: { "\($0.1)" }) : text)
        return lines.hasOthers && !hasLines || lines.settings.isEmpty ? nil : completed(lines.settings)
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
        for (index, element) in (node.array ?? []).enumerated() {
            // MSAL's files for Android mark the authority that signs in.
            add(element, path + ["\(index)"], isDefault: element["default"]?.bool ?? false, to: &all)
        }
        for member in node.members {
            add(member.node, path + Setting.names(member.name), isDefault: isDefault, to: &all)
        }
    }

    // MARK: XML

    // The texts of elements and the values of attributes. A property list writes a name as an element before its value.
    private static func xml(_ text: String) -> [Setting] {
        let tag =
            /<!--(?s:.*?)(?:-->|\z)|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>([^<]*)/
        let attribute = /([\w:.-]+)\s*=\s*["']([^"']*)["']/
        var (line, place, path, all) = (1, text.startIndex, [[String]](), [Setting]())
        var key: (names: [String], line: Int)?
        for match in text.matches(of: tag) {
            line += text.utf8[place..<match.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            place = match.range.lowerBound
            guard let name = match.2, let attributes = match.3, let inner = match.5 else { continue }
            guard match.1 != "/" else {
                _ = path.popLast()
                continue
            }
            // The line tells two elements of one name apart.
            let isList = ["plist", "dict", "array", "resources"].contains(name)
            var (own, first) = (isList ? [] : [String(name), "\(line)\(path.count)\(all.count)"], line)
            for found in attributes.matches(of: attribute) {
                all.append(
                    Setting(path: path.flatMap(\.self) + own + [String(found.1)], text: plain(found.2), line: line))
                if found.1 == "name", !inner.isEmpty { own = Setting.names(found.2) }
            }
            let value = DraftSource.trimmed(inner, and: "")
            if name != "key", let last = key { ((own, first), key) = (last, nil) }
            if name == "key" {
                key = (Setting.names(value), line)
            } else if !value.isEmpty {
                all.append(Setting(path: path.flatMap(\.self) + own, text: plain(inner), line: first))
            }
            if match.4 != "/" { path.append(own) }
        }
        return all
    }

    private static func plain(_ text: Substring) -> String {
        String(text).replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&amp;", with: "&")
    }

    // MARK: Pairs

    private static let nameKeys: Set = ["name", "key", "adx_name", "mspp_name"]
    private static let valueKeys: Set = ["value", "adx_value", "mspp_value", "valueFrom"]

    // Kubernetes, Postman, the portal and .NET write a variable as the pair of its name and its value, and the words of a
    // command are `NAME=VALUE`.
    private static func completed(_ settings: [Setting]) -> [Setting] {
        var (variables, off) = ([[String]: String](), Set<[String]>())
        for setting in settings {
            guard let last = setting.path.last else { continue }
            if nameKeys.contains(last) { variables[setting.path.dropLast()] = setting.text }
            if last == "enabled" && setting.text == "false" || last == "disabled" && setting.text == "true" {
                off.insert(setting.path.dropLast())
            }
        }
        let word = /-{0,2}(\w[\w.:-]*)=(.*)/
        // The name before the value, if objects of a list have no path of their own.
        var latest: [[String]: String] = [:]
        return settings.compactMap { setting in
            var setting = setting
            if setting.path.last.map(nameKeys.contains) ?? false { latest[setting.path.dropLast()] = setting.text }
            let valueKey = setting.path.lastIndex(where: valueKeys.contains)
            let parent = Array(setting.path[..<(valueKey ?? 0)])
            if let valueKey, let name = latest[parent] ?? variables[parent] {
                guard !off.contains(parent) else { return nil }
                if setting.path[valueKey] == "valueFrom" {
                    guard setting.path.last == "key" else { return nil }
                    (setting.text, setting.state) = ("valueFrom", .expression)
                }
                setting.path = Setting.names(name)
            } else if setting.path.last.flatMap({ Int($0) }) != nil, let found = setting.text.wholeMatch(of: word) {
                setting.path += Setting.names(found.1)
                setting.text = DraftSource.trimmed(found.2)
            }
            return setting
        }
    }
}
