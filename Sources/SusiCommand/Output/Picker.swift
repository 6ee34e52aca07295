/// A list on the terminal. The user chooses an entry with the arrow keys, or by typing a part of it.
///
/// The list is drawn on standard error and erased at the end. The cursor stays in the first line, so redrawing works
/// after the terminal changes its size.
struct Picker<Value: Sendable> {
    private let title: String
    private let console: Console
    private let values: [Value]
    /// The line of each value. All are laid out together, so that the columns do not move.
    private let lines: [String]
    private let matches: (Value, _ filter: String) -> Bool
    /// The indices of the values that match the filter.
    private var shown: [Int]
    private var filter = ""
    private var selected = 0
    private var top = 0

    private static var help: String { "↑ ↓ choose, type to filter, Esc cancels" }

    private enum Outcome {
        case chosen(Value)
        case cancelled
        case moved
    }

    private init(
        _ title: String, _ console: Console, _ values: [Value], _ cells: [[String]],
        _ matches: @escaping (Value, String) -> Bool
    ) {
        self.title = title
        self.console = console
        self.values = values
        self.matches = matches
        lines = Table.lines(cells, Style(isColored: false))
        shown = Array(values.indices)
    }

    /// Returns the chosen value; `nil` if the user cancels. `matches` tells whether a typed text shows a value.
    static func choose(
        _ title: String, from values: [Value], cells: [[String]], on console: Console,
        matches: @escaping (Value, String) -> Bool
    ) async -> Value? {
        let erase: @Sendable () -> Void = { console.ask("\r\u{1b}[J") }
        guard let terminal = await RawTerminal(leave: erase) else { return nil }
        var picker = Picker(title, console, values, cells, matches)
        defer {
            erase()
            terminal.end()
        }
        var reader = KeyReader()
        var pressed = 0
        picker.draw()
        for await event in terminal.events {
            var keys: [Key] = []
            switch event {
            case .pressed(let bytes):
                pressed += 1
                keys = reader.keys(bytes)
            case .quiet(let number): if number == pressed { keys = reader.flush() }
            case .resized: break
            }
            for key in keys {
                switch picker.press(key) {
                case .chosen(let value): return value
                case .cancelled: return nil
                case .moved: break
                }
            }
            if case .quiet = event, keys.isEmpty { continue }
            picker.draw()
        }
        return nil
    }

    private mutating func filter(by text: String) {
        filter = text
        shown = values.indices.filter { matches(values[$0], text) }
        (selected, top) = (0, 0)
    }

    private mutating func press(_ key: Key) -> Outcome {
        let last = max(0, shown.count - 1)
        switch key {
        case .up: selected = selected == 0 ? last : selected - 1
        case .down: selected = selected == last ? 0 : selected + 1
        case .pageUp: selected = max(0, selected - room)
        case .pageDown: selected = min(last, selected + room)
        case .first: selected = 0
        case .last: selected = last
        case .enter: if shown.indices.contains(selected) { return .chosen(values[shown[selected]]) }
        case .escape, .interrupt: return .cancelled
        case .text(let text): filter(by: filter + text)
        case .backspace: filter(by: String(filter.dropLast()))
        case .clear: filter(by: "")
        }
        return .moved
    }

    private var size: TerminalSize? { TerminalSize(of: 2) }

    /// The number of visible entries: the rows without the title, the help and an empty line.
    private var room: Int { max(1, (size?.rows ?? 24) - 3) }

    private mutating func draw() {
        let columns = max(1, (size?.columns ?? 80) - 1)
        let visible = min(room, shown.count)
        top = min(max(top, selected - visible + 1), selected)
        top = max(0, min(top, shown.count - visible))
        let question = Self.cut("\(title): \(Terminal.safe(filter))", columns, keepsEnd: true)
        let lines = [question] + entryLines(top..<top + visible, columns) + [faint(status, columns)]
        let back = "\u{1b}[\(lines.count - 1)A\r\u{1b}[\(max(1, DisplayWidth.of(question)))C"
        console.ask("\r\u{1b}[J" + lines.joined(separator: "\n") + back)
    }

    private func entryLines(_ range: Range<Int>, _ columns: Int) -> [String] {
        if shown.isEmpty { return ["  no match"] }
        return range.map { index in
            let line = Self.cut("\(index == selected ? ">" : " ") \(lines[shown[index]])", columns)
            return index == selected ? console.errStyle.strong(line) : line
        }
    }

    private var status: String {
        "\(shown.isEmpty ? 0 : selected + 1)/\(shown.count)  \(Self.help)"
    }

    private func faint(_ text: String, _ columns: Int) -> String { console.errStyle.faint(Self.cut(text, columns)) }

    private static func cut(_ text: String, _ columns: Int, keepsEnd: Bool = false) -> String {
        if DisplayWidth.of(text) <= columns { return text }
        var kept: [Character] = []
        var used = 1
        for character in keepsEnd ? Array(text.reversed()) : Array(text) {
            used += DisplayWidth.of(character)
            if used > columns { break }
            kept.append(character)
        }
        return keepsEnd ? "…" + String(kept.reversed()) : String(kept) + "…"
    }
}
