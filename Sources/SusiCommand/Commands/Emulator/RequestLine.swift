import Susi
import SusiEmulator

/// A line of the emulator's request log: the time first, the outcome in color.
struct RequestLine {
    /// The time of the response, in epoch seconds of the emulator's clock.
    let time: Int64
    /// The method, path, status and an optional remark.
    let text: String

    /// Returns a request log on standard error.
    static func log(_ console: Console, _ clock: EmulatorClock) -> @Sendable (String) -> Void {
        { line in console.err(RequestLine(time: clock.now(), text: line).shown(console.errStyle)) }
    }

    /// Formats the line for a stream.
    func shown(_ style: Style) -> String {
        let words = text.split(separator: " ", maxSplits: 3).map { Terminal.safe(String($0)) }
        let clock = style.faint(String(Timestamp(time).rfc3339.suffix("00:00:00Z".count)))
        guard words.count > 2, let status = Int(words[2]) else { return "\(clock) \(Terminal.safe(text))" }
        let outcome = words.dropFirst(2).joined(separator: " ")
        // A page that shows an error and a redirect with an error are neither a success nor a failed request.
        let colored =
            status >= 400 ? style.bad(outcome) : words.count > 3 ? style.warning(outcome) : style.good(outcome)
        return "\(clock) \(words[0]) \(words[1]) \(colored)"
    }
}
