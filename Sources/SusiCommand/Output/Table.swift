/// Rows in aligned columns.
///
/// Without a terminal, each row is one line. On a terminal, a row that is too long is folded: the last cell is broken
/// between words and aligned with its own start. If there is too little room, the cell continues on separate lines
/// below the row. Words are never cut.
struct Table {
    private let rows: [[String]]
    /// The width of the terminal; `nil` if lines may have any length.
    private let width: Int?
    /// The width of each column, without very long cells.
    private let widths: [Int]

    private static let gap = 2
    /// The minimum width for folding the last cell below its own start.
    private static let minimumRoom = 20
    /// The maximum width of a column without a terminal; longer cells exceed it.
    private static let maximumColumn = 120
    /// The minimum width of a table; a narrower terminal breaks its lines.
    private static let minimumWidth = 40

    /// Returns the lines of all rows for the width of a stream.
    static func lines(_ rows: [[String]], _ style: Style) -> [String] { blocks(rows, style).flatMap(\.self) }

    /// Returns the lines of each row separately.
    static func blocks(_ rows: [[String]], _ style: Style) -> [[String]] {
        let table = Table(rows, width: style.width)
        return rows.map(table.lines)
    }

    private init(_ rows: [[String]], width: Int?) {
        let width = width.map { max($0, Self.minimumWidth) }
        self.rows = rows
        self.width = width
        let columns = (rows.map(\.count).max() ?? 0) - 1
        widths = (0..<max(0, columns)).map { column in
            let cells = rows.compactMap { $0.count > column + 1 ? DisplayWidth.of($0[column]) : nil }
            // One long cell does not make a column too wide for all other rows.
            return cells.filter { $0 <= width.map { $0 / 2 } ?? Self.maximumColumn }.max() ?? 0
        }
    }

    private func lines(of row: [String]) -> [String] {
        var lines = [""]
        var used = 0
        var isBelow = false
        let indent = row.first.map { $0.prefix { $0 == " " }.count + 4 } ?? 0
        for (column, cell) in row.enumerated() where !cell.isEmpty {
            let start = column == 0 ? 0 : max(used + Self.gap, place(of: column))
            let room = (width ?? .max) - start
            let cellWidth = DisplayWidth.of(cell)
            if !isBelow, cellWidth <= room {
                lines[lines.count - 1] += String(repeating: " ", count: start - used) + cell
                used = start + cellWidth
            } else if !isBelow, canFold(cell, isLast: column == row.count - 1, room) || column == 0 {
                let folded = Self.fold(cell, to: room, hanging: column == 0 ? indent : 0)
                lines[lines.count - 1] += String(repeating: " ", count: start - used) + (folded.first ?? "")
                let margin = String(repeating: " ", count: column == 0 ? indent : start)
                lines += folded.dropFirst().map { margin + $0 }
                isBelow = true
            } else {
                let margin = String(repeating: " ", count: indent)
                lines += Self.fold(cell, to: (width ?? .max) - indent).map { margin + $0 }
                isBelow = true
            }
        }
        return lines.map(Self.trimmed)
    }

    private func place(of column: Int) -> Int { widths.prefix(column).reduce(0) { $0 + $1 + Self.gap } }

    private func canFold(_ cell: String, isLast: Bool, _ room: Int) -> Bool {
        isLast && room >= Self.minimumRoom
            && cell.split(separator: " ").allSatisfy { DisplayWidth.of($0) <= room }
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Breaks a text between words into lines of at most `width` columns; a longer word gets its own line. A color ends
    /// with its line and starts again on the next one. All lines but the first have `hanging` columns less.
    static func fold(_ text: String, to width: Int, hanging: Int = 0) -> [String] {
        let margin = String(text.prefix { $0 == " " })
        var lines: [String] = []
        var (line, used, color) = (margin, margin.count, "")
        var isStart = true
        for word in text.split(separator: " ") {
            let length = DisplayWidth.of(word)
            if !isStart, used + 1 + length > width {
                lines.append(color.isEmpty ? line : line + Style.end)
                (line, used, isStart) = (color, hanging, true)
            }
            line += isStart ? String(word) : " \(word)"
            used += isStart ? length : length + 1
            isStart = false
            color = self.color(after: word, before: color)
        }
        return lines + [line]
    }

    private static func color(after word: Substring, before: String) -> String {
        let scalars = word.unicodeScalars
        guard let start = scalars.lastIndex(of: "\u{1b}"), let end = scalars[start...].firstIndex(of: "m") else {
            return before
        }
        let last = String(scalars[start...end])
        return last == Style.end ? "" : last
    }
}
