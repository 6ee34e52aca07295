import Susi
import SusiBase

/// Escaping of untrusted text for a terminal.
enum Terminal {
    /// Returns the text with control characters and bidirectional marks shown as escapes.
    static func safe(_ text: String, keepingLines: Bool = false) -> String {
        DisplayText.safe(text, keepingLines: keepingLines)
    }
}
