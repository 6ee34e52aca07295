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

/// Rows in columns.
enum Table {
    /// Lines with columns as wide as their widest cell; the last one is left as it is.
    static func lines(_ rows: [[String]], gap: Int = 2) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 {
                    line += String(repeating: " ", count: widths[column] - cell.count + gap)
                }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
