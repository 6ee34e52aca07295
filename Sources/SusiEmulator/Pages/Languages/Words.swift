/// The texts of the pages in one language: `words[.signIn]`, and with values `words[.toContinueWith, tenant]`.
struct Words: Sendable {
    static let english = Words(language: .english)

    let language: Language

    /// A text with its placeholders `{0}`, `{1}` replaced by `values`.
    subscript(text: LocalizedText, values: String...) -> String { filled(language[text], values) }

    subscript(text: LocalizedText?) -> String? { text.map { language[$0] } }
    subscript(text: LocalizedText?, with value: String) -> String? { text.map { self[$0, value] } }

    /// The tenant's name in a sentence.
    func name(of tenant: Tenant) -> String {
        tenant.configuration.name.isEmpty ? self[.openIDProvider] : tenant.configuration.name
    }

    /// The tenant's name in a list.
    func title(of tenant: Tenant) -> String {
        tenant.configuration.name.isEmpty ? self[.openIDProviderTitle] : tenant.configuration.name
    }

    // Replaces each placeholder once: a placeholder inside a value is kept.
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
