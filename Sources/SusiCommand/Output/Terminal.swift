import Susi

/// What text of a server must pass before a terminal shows it.
enum Terminal {
    /// Returns the text with control characters and bidirectional marks shown as escapes.
    static func safe(_ text: String, keepingLines: Bool = false) -> String {
        DisplayText.safe(text, keepingLines: keepingLines)
    }

    /// JSON whose texts hold nothing that a terminal would obey: the coder escapes only what the format demands.
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
