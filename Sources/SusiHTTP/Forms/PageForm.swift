/// The first form of an HTML page, with the values that a browser would submit. It reads simple pages such as the
/// emulator's; it is not an HTML parser.
struct PageForm: Hashable, Sendable {
    /// The address of the form; empty means the page's own address.
    let action: String
    var fields: [(name: String, value: String)]
    /// The submit buttons in order; one without a name adds no field.
    let buttons: [(id: String, name: String, value: String)]
    let links: [String: String]

    static func == (left: PageForm, right: PageForm) -> Bool {
        left.action == right.action && left.fields.map(\.name) == right.fields.map(\.name)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(action) }

    /// Parses a page; returns `nil` if it has no form.
    init?(html: String) {
        guard let start = html.firstRange(of: "<form"), let end = html[start.upperBound...].firstRange(of: "</form>")
        else { return nil }
        let tags = Tag.all(in: html[start.lowerBound..<end.lowerBound])
        action = tags.first?.attributes["action"] ?? ""
        fields = []
        var buttons: [(id: String, name: String, value: String)] = []
        for tag in tags {
            let name = tag.attributes["name"] ?? ""
            let value = tag.attributes["value"] ?? ""
            switch (tag.name, tag.attributes["type"]) {
            // A button that does not submit the form.
            case ("button", "button"), ("button", "reset"): break
            case ("button", _), ("input", "submit"): buttons.append((tag.attributes["id"] ?? name, name, value))
            case ("input", _) where name.isEmpty: break
            case ("input", "checkbox"), ("input", "radio"):
                if tag.attributes["checked"] != nil { fields.append((name, value)) }
            case ("input", _): fields.append((name, value))
            default: break
            }
        }
        self.buttons = buttons
        links = Dictionary(
            Tag.all(in: html[...]).filter { $0.name == "a" }.map {
                ($0.attributes["id"] ?? "", $0.attributes["href"] ?? "")
            },
            uniquingKeysWith: { first, _ in first })
    }
}

struct Tag {
    let name: String
    let attributes: [String: String]

    static func all(in html: Substring) -> [Tag] {
        html.split(separator: "<").compactMap { piece in
            guard let end = piece.firstIndex(of: ">"), let first = piece.first, first.isLetter else { return nil }
            return Tag(piece[..<end])
        }
    }

    private init(_ text: Substring) {
        name = text.prefix { !$0.isWhitespace && $0 != "/" }.lowercased()
        var rest = text.drop { !$0.isWhitespace }
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "/" }
            guard !rest.isEmpty else { break }
            let key = rest.prefix { $0 != "=" && !$0.isWhitespace }
            rest = rest.dropFirst(key.count)
            var value = ""
            if rest.first == "=" {
                rest = rest.dropFirst()
                if let quote = rest.first, quote == "\"" || quote == "'" {
                    rest = rest.dropFirst()
                    let quoted = rest.prefix { $0 != quote }
                    rest = rest.dropFirst(quoted.count + 1)
                    value = Self.unescape(quoted)
                } else {
                    let bare = rest.prefix { !$0.isWhitespace }
                    rest = rest.dropFirst(bare.count)
                    value = Self.unescape(bare)
                }
            }
            attributes[key.lowercased()] = value
            if key.isEmpty { break }
        }
        self.attributes = attributes
    }

    private static func unescape(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
