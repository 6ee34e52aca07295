import Susi
import SusiEmulator

/// A line of the emulator's request log: the status first, the outcome in color.
struct RequestLine {
    /// The time of the response, in epoch seconds of the emulator's clock.
    let time: Int64
    /// The status, method, path and an optional remark.
    let text: String

    /// The indent of folded lines.
    private static let indent = 2

    /// Returns a request log on standard error.
    static func log(_ console: Console, _ clock: EmulatorClock) -> @Sendable (String) -> Void {
        { line in console.err(RequestLine(time: clock.now(), text: line).shown(console.errStyle)) }
    }

    /// Returns a log on standard error of what the journeys of custom policies do.
    static func trace(_ console: Console) -> @Sendable (String) -> Void {
        { line in console.err("  " + Terminal.safe(line)) }
    }

    /// Formats the line for a stream. A terminal folds it between words, and a path that is longer than a line at a slash.
    func shown(_ style: Style) -> String {
        let words = text.split(separator: " ", maxSplits: 3).map { Terminal.safe(String($0)) }
        let clock = style.faint(String(Timestamp(time).rfc3339.suffix("00:00:00Z".count)))
        guard words.count > 2, let status = Int(words[0]) else { return "\(clock) \(Terminal.safe(text))" }
        // A page that shows an error and a redirect with an error are neither a success nor a failed request.
        let paint = status >= 400 ? style.bad : words.count > 3 ? style.warning : style.good
        let width = style.width ?? .max
        let start = "200 00:00:00Z \(words[1]) ".count
        let path = words[2].count > width - Self.indent ? Self.breakable(words[2], at: width - start) : words[2]
        let line = [paint(words[0]), clock, words[1], path] + words.dropFirst(3).map(paint)
        let folded = Table.fold(line.joined(separator: " "), to: width, hanging: Self.indent)
        return folded.joined(separator: "\n" + String(repeating: " ", count: Self.indent))
    }

    // Puts a space after the last slash of the first columns.
    private static func breakable(_ path: String, at column: Int) -> String {
        guard let slash = path.prefix(max(0, column)).dropFirst().lastIndex(of: "/") else { return path }
        return "\(path[...slash]) \(path[path.index(after: slash)...])"
    }
}
