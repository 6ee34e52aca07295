/// Makes text of a server, a token or a file safe to show: one rule for terminals and pages.
///
/// It works on Unicode scalars: a combining mark joins `<` to one grapheme cluster, and `<` still begins a tag.
package enum DisplayText {
    /// Returns the text with control characters and bidirectional marks written as `\u{1b}`.
    package static func safe(_ text: String, keepingLines: Bool = false) -> String {
        // Nearly every text is harmless; the properties of a character are slow to read.
        if isHarmless(text) { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) || keepingLines && scalar == "\n" {
                safe.unicodeScalars.append(scalar)
            } else {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return safe
    }

    /// Returns the text as HTML, for an element's content or a quoted attribute value: the same, with markup escaped.
    package static func html(_ text: String) -> String { escapingMarkup(safe(text)) }

    /// Returns the text with markup escaped, and nothing else.
    package static func escapingMarkup(_ text: String) -> String {
        var html = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            default: html.unicodeScalars.append(scalar)
            }
        }
        return html
    }

    /// Whether all characters are only shown and have no other effect.
    package static func isHarmless(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7e).contains($0) } || text.unicodeScalars.allSatisfy(isHarmless)
    }

    /// Whether a character is only shown and has no other effect.
    package static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (" "..."~").contains(scalar) }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // Zero-width joiners belong to names; overrides and isolates reorder the text beside them.
        case .format: scalar == "\u{200d}" || scalar == "\u{200c}"
        default: true
        }
    }
}
