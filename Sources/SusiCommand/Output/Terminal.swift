import Susi
import SusiBase

/// Escaping of untrusted text for a terminal.
enum Terminal {
    /// Returns the text with control characters and bidirectional marks shown as escapes.
    static func safe(_ text: String, keepingLines: Bool = false) -> String {
        DisplayText.safe(text, keepingLines: keepingLines)
    }

    /// Returns JSON with control characters escaped. The encoder escapes only what JSON requires.
    static func safeJSON(_ json: String) -> String {
        var safe = ""
        for scalar in json.unicodeScalars {
            if DisplayText.isHarmless(scalar) || scalar == "\n" {
                safe.unicodeScalars.append(scalar)
            } else {
                safe += JSONText.escape(scalar)
            }
        }
        return safe
    }
}
