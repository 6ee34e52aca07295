import Susi

/// What text of a server must pass before a terminal shows it.
enum Terminal {
    /// The text with control characters and the marks that reorder a line shown as escapes.
    static func safe(_ text: String, keepingLines: Bool = false) -> String {
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

    /// JSON whose texts hold nothing that a terminal would obey: the coder escapes only what the format demands.
    static func safeJSON(_ json: String) -> String {
        var safe = ""
        for scalar in json.unicodeScalars {
            if isHarmless(scalar) || scalar == "\n" {
                safe.unicodeScalars.append(scalar)
            } else {
                safe += JSONText.escape(scalar)
            }
        }
        return safe
    }

    /// Whether a terminal shows a character and does nothing else.
    static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // Zero-width joiners belong to names; overrides and isolates reorder what stands beside them.
        case .format: scalar == "\u{200d}" || scalar == "\u{200c}"
        default: true
        }
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
