/// What pages say, in one language: `words[.signIn]`, and with values `words[.toContinueWith, tenant]`.
struct Words: Sendable {
    let language: Language

    /// A text with its placeholders `{0}`, `{1}` replaced by `values`.
    subscript(word: LocalizedText, values: String...) -> String { filled(word.texts[language], values) }

    /// The text of a word that may be absent.
    subscript(word: LocalizedText?) -> String? { word.map { filled($0.texts[language], []) } }

    /// The tenant's name in a sentence.
    func name(of tenant: Tenant) -> String {
        tenant.configuration.name.isEmpty ? self[.openIDProvider] : tenant.configuration.name
    }

    /// The tenant's name by itself, for example in a list.
    func title(of tenant: Tenant) -> String {
        tenant.configuration.name.isEmpty ? self[.openIDProviderTitle] : tenant.configuration.name
    }

    // A value is put in once: what stands in it is no placeholder.
    private func filled(_ text: String, _ values: [String]) -> String {
        guard !values.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let index = Int(rest[rest.index(after: start)..<end])
            let value = index.flatMap { values.indices.contains($0) ? values[$0] : nil }
            result += rest[..<start] + (value ?? String(rest[start...end]))
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}

/// A text in every language of the pages.
struct Texts: Sendable {
    let en: String
    let ja: String
    let de: String
    let es: String
    let fr: String

    init(_ en: String, ja: String, de: String, es: String, fr: String) {
        self.en = en
        self.ja = ja
        self.de = de
        self.es = es
        self.fr = fr
    }

    subscript(language: Language) -> String {
        switch language {
        case .english: en
        case .japanese: ja
        case .german: de
        case .spanish: es
        case .french: fr
        }
    }
}
