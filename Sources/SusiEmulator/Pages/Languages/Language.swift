import HTTPTypes
import SusiBase

/// A language of the pages, with its tag (RFC 5646). Each one is a case and a file with all texts.
enum Language: String, CaseIterable, Codable, Sendable {
    // In the order in which a browser that accepts any language gets them. All are written from left to right.
    case english = "en"
    case german = "de"

    subscript(text: LocalizedText) -> String {
        switch self {
        case .english: englishText(text)
        case .german: germanText(text)
        }
    }

    /// The first known language of `uiLocales` (OpenID Connect Core section 3.1.2.1), else the language that the browser
    /// prefers (RFC 9110 section 12.5.4), else English.
    init(uiLocales: String?, accepted: String?) {
        let wished = (uiLocales ?? "").split { $0 == " " }.lazy.compactMap { Language(tag: $0) }.first
        self = wished ?? Self.preferred(accepted ?? "") ?? .english
    }

    // The look-up of RFC 4647 section 3.4. No language here has variants, so that the first subtag decides: `de` serves
    // `de-AT`.
    private init?(tag: some StringProtocol) {
        guard let first = tag.split(separator: "-", omittingEmptySubsequences: false).first else { return nil }
        self.init(rawValue: first.lowercased())
    }

    private static func preferred(_ header: String) -> Language? {
        var ranges = header.split(separator: ",").prefix(50).compactMap(range)
        let refused = Set(ranges.filter { $0.weight == 0 }.compactMap { Language(rawValue: $0.tag.lowercased()) })
        ranges.removeAll { $0.weight == 0 }
        // Of two ranges with the same weight the first one counts.
        let ordered = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return ordered.lazy.compactMap { range in
            range.element.tag == "*" ? allCases.first { !refused.contains($0) } : Language(tag: range.element.tag)
        }.first
    }

    private static func range(_ text: some StringProtocol) -> (tag: String, weight: Double)? {
        let parts = text.split(separator: ";").map { String($0).trimmed }
        guard let tag = parts.first, !tag.isEmpty else { return nil }
        guard let weight = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else { return (tag, 1) }
        guard let value = Double(weight.dropFirst(2)), (0...1).contains(value) else { return nil }
        return (tag, value)
    }
}

extension RequestContext {
    /// The language that this request asks for.
    var language: Language {
        Language(uiLocales: query["ui_locales"] ?? form["ui_locales"], accepted: headers[.acceptLanguage])
    }

    /// The texts of pages outside a transaction.
    var words: Words { Words(language: language) }
}

extension Transaction {
    /// The texts in the language in which the transaction began.
    var words: Words { Words(language: request.language ?? context.language) }
}
