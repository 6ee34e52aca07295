import Susi

/// A value in another program's configuration, with the names that lead to it.
struct Setting {
    /// The limit of names in a path, for files that are no configuration.
    static let deepest = 64

    /// The names from the outermost to the innermost; positions in lists are numbers.
    let path: [String]
    /// The value. Only the first one that has no unknown reference counts, as in `process.env.TENANT || "contoso"`.
    let alternatives: [[Part]]

    /// A part of a text that refers to other values.
    enum Part: Hashable {
        case text(String)
        /// The names of another value, as in `policies.names.signIn`.
        case reference([String])

        var reference: [String]? {
            if case .reference(let names) = self { names } else { nil }
        }
    }

    /// Makes a setting.
    init(_ path: [String], _ alternatives: [[Part]]) {
        self.path = Array(path.flatMap(Self.names).suffix(Self.deepest))
        self.alternatives = alternatives
    }

    // .NET writes the names of a section with colons in keys, and with underscores in variables.
    private static func names(_ key: String) -> [String] {
        key.replacing("__", with: ":").split(separator: ":").map(String.init)
    }
}

extension [Setting.Part] {
    /// Finds the references `{{name}}` and `${name}` in a text.
    init(template text: String) {
        self = []
        var rest = Substring(text)
        while let start = rest.firstIndex(where: { $0 == "{" || $0 == "$" }) {
            let open = rest[start...].hasPrefix("{{") ? "{{" : rest[start...].hasPrefix("${") ? "${" : nil
            guard let open, let end = rest[start...].prefix(Self.longestReference).firstIndex(of: "}") else {
                append(.text(String(rest[...start])))
                rest = rest[rest.index(after: start)...]
                continue
            }
            append(.text(String(rest[..<start])))
            append(.reference(Self.names(rest[start..<end].dropFirst(open.count))))
            rest = rest[end...].dropFirst(open == "{{" && rest[end...].hasPrefix("}}") ? 2 : 1)
        }
        append(.text(String(rest)))
    }

    /// The limit of a reference. The end of an open one is not searched for in the rest of the text.
    static let longestReference = 256

    /// The names in a reference. Insomnia begins references with `_`.
    static func names(_ text: some StringProtocol) -> [String] {
        let isBetween = { (character: Character) in ".!?".contains(character) || character.isWhitespace }
        return Substring(text).split(whereSeparator: isBetween).map(String.init).filter { $0 != "_" }
    }
}

/// A value without references.
struct ReadSetting {
    let path: [String]
    let text: String
    /// The innermost name in lower case, without what separates its words.
    let name: String

    init(path: [String], text: String) {
        self.path = path
        self.text = text
        name = Self.normalized(path.last { !Self.isPosition($0) } ?? "")
    }

    /// The path for messages: `auth.knownAuthorities[0]`.
    var label: String { Self.label(path) }

    /// The path of the object that contains it.
    var outerLabel: String { Self.label(path.dropLast()) }

    /// Returns whether one of the outer names contains a word.
    func isBelow(_ word: String) -> Bool { path.dropLast().contains { Self.normalized($0).contains(word) } }

    static func label(_ path: some Sequence<String>) -> String {
        path.reduce("") { label, name in
            isPosition(name) ? "\(label)[\(name)]" : label.isEmpty ? name : "\(label).\(name)"
        }
    }

    static func isPosition(_ name: String) -> Bool { name.allSatisfy { $0.isASCII && $0.isNumber } }

    static func normalized(_ name: String) -> String {
        String(decoding: name.utf8.filter(\.isAlphanumeric), as: UTF8.self).lowercased()
    }
}

/// Replaces references by the values that they name.
struct SettingReferences {
    /// The limit of a text, which may repeat others many times.
    private static let longest = 4_096
    /// The limit of values with the same name that a reference is compared with.
    private static let mostNamesakes = 32
    /// The limit of references that lead from one to the next.
    static let longestChain = 64

    private let settings: [Setting]
    private var places: [String: [Int]] = [:]
    // Each text is made once; one that is being made cannot be part of itself.
    private var texts: [Int: String?] = [:]
    private var chain = 0
    /// Whether a reference led over more values than the limit.
    private(set) var isChainTooLong = false

    /// Makes a resolver for the values of one file.
    init(_ settings: [Setting]) {
        self.settings = settings
        for (place, setting) in settings.enumerated() {
            if let name = Self.names(setting).last { places[name, default: []].append(place) }
        }
    }

    /// Returns the values without unknown references, and the paths of the others with the first unknown reference.
    mutating func resolve() -> (values: [ReadSetting], unknown: [(path: [String], reference: String)]) {
        var values: [ReadSetting] = []
        var unknown: [(path: [String], reference: String)] = []
        for (place, setting) in settings.enumerated() {
            if let text = text(place) {
                let text = DraftSource.withoutSpace(text)
                if !text.isEmpty { values.append(ReadSetting(path: setting.path, text: text)) }
            } else if let names = setting.alternatives.first?.lazy.compactMap(\.reference).first {
                unknown.append((setting.path, names.joined(separator: ".")))
            }
        }
        return (values, unknown)
    }

    private mutating func text(_ place: Int) -> String? {
        if let known = texts[place] { return known }
        guard chain < Self.longestChain else {
            isChainTooLong = true
            return nil
        }
        chain += 1
        defer { chain -= 1 }
        texts[place] = .some(nil)
        var found: String?
        for parts in settings[place].alternatives where found == nil { found = joined(parts, at: place) }
        texts[place] = .some(found)
        return found
    }

    private mutating func joined(_ parts: [Setting.Part], at place: Int) -> String? {
        var whole = ""
        for part in parts {
            switch part {
            case .text(let text): whole += text
            case .reference(let names):
                guard let text = value(of: names, from: place) else { return nil }
                whole += text
            }
            if whole.utf8.count > Self.longest { return nil }
        }
        return whole
    }

    private mutating func value(of reference: [String], from place: Int) -> String? {
        let isOwn = reference.first.map { ["this", "self"].contains($0) } ?? false
        let names = reference.dropFirst(isOwn ? 1 : 0)
        guard let last = names.last else { return nil }
        for other in (places[last] ?? []).prefix(Self.mostNamesakes) where other != place {
            guard Self.names(settings[other]).suffix(names.count) == names, let text = text(other) else { continue }
            return text
        }
        return nil
    }

    private static func names(_ setting: Setting) -> [String] { setting.path.filter { !ReadSetting.isPosition($0) } }
}
