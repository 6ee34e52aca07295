extension [Setting] {
    /// Reads a property list, or the elements `add` of a .NET configuration in XML.
    init(markup text: String) {
        self = []
        var path: [String] = []
        var open: [(pops: Bool, isList: Bool, count: Int)] = []
        var key: String?
        for element in MarkupElement.all(in: text) {
            switch element.name.lowercased() {
            case "key": key = element.text
            case "string":
                let position = open.last.flatMap { $0.isList ? "\($0.count)" : nil }
                append(Setting(path + [key ?? position ?? ""], [[Setting.Part](template: element.text)]))
                if let last = open.indices.last { open[last].count += 1 }
                key = nil
            case "dict", "array":
                let isNamed = key != nil && path.count < Setting.deepest
                open.append((isNamed, element.name.lowercased() == "array", 0))
                if isNamed, let name = key { path.append(name) }
                key = nil
            case "/dict", "/array":
                if open.popLast()?.pops ?? false { path.removeLast() }
                key = nil
            case "add":
                if let name = element.attributes["key"], let value = element.attributes["value"] {
                    append(Setting([name], [[Setting.Part](template: value)]))
                }
            default: continue
            }
        }
    }
}

/// A tag of an XML document with the text after it.
private struct MarkupElement {
    let name: String
    let attributes: [String: String]
    let text: String

    /// Returns the tags in their order. Comments, declarations and instructions are left out.
    static func all(in document: String) -> [MarkupElement] {
        var elements: [MarkupElement] = []
        var rest = Substring(document)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            if rest.hasPrefix("!--") {
                guard let end = rest.firstRange(of: "-->") else { return elements }
                rest = rest[end.upperBound...]
                continue
            }
            guard let end = rest.firstIndex(of: ">") else { return elements }
            let tag = rest[..<end]
            rest = rest[end...].dropFirst()
            if tag.first == "!" || tag.first == "?" { continue }
            elements.append(MarkupElement(tag, rest.prefix { $0 != "<" }))
        }
        return elements
    }

    private init(_ tag: Substring, _ text: Substring) {
        let name = tag.prefix { !$0.isWhitespace }
        self.name = String(name.last == "/" ? name.dropLast() : name)
        self.text = DraftSource.withoutSpace(Self.unescaped(text))
        var attributes: [String: String] = [:]
        var rest = tag.dropFirst(name.count)
        while let equals = rest.firstIndex(of: "="), let quote = rest[equals...].dropFirst().first,
            "\"'".contains(quote)
        {
            let value = rest[equals...].dropFirst(2).prefix { $0 != quote }
            attributes[DraftSource.withoutSpace(String(rest[..<equals]))] = Self.unescaped(value)
            rest = rest[value.endIndex...].dropFirst()
        }
        self.attributes = attributes
    }

    private static func unescaped(_ text: Substring) -> String {
        let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        return names.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
