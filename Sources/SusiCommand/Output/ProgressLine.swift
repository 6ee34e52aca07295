/// The progress of a long download: one line of a terminal, drawn only with carriage returns.
struct ProgressLine {
    /// The expected number of bytes; `nil` if the server did not report it.
    let total: Int64?
    private var received: Int64 = 0
    private var begun: ContinuousClock.Instant?
    private var drawn: ContinuousClock.Instant?
    private var width = 0

    /// The delay before the line appears; a shorter download needs none.
    static let patience = Duration.milliseconds(500)
    private static let pace = Duration.milliseconds(100)
    private static let cells = 24

    init(total: Int64?) { self.total = total }

    /// Counts bytes. Returns the text to draw if the line is due for an update.
    mutating func advance(by count: Int, now: ContinuousClock.Instant) -> String? {
        let start = begun ?? now
        begun = start
        received += Int64(count)
        guard now - start >= Self.patience, drawn.map({ now - $0 >= Self.pace }) ?? true else { return nil }
        drawn = now
        let line = text(after: now - start)
        let gap = String(repeating: " ", count: max(0, width - line.count))
        width = line.count
        return "\r\(line)\(gap)"
    }

    /// The text that erases the line; `nil` if nothing was drawn.
    var wiped: String? { width == 0 ? nil : "\r\(String(repeating: " ", count: width))\r" }

    private func text(after elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = "\(Self.size(Int64(Double(received) / max(seconds, 0.001))))/s"
        guard let total, total > 0 else { return "\(Self.size(received))  \(rate)" }
        let share = min(1, Double(received) / Double(total))
        let full = Int(share * Double(Self.cells))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.cells - full)
        return "\(bar) \(Int(share * 100)) %  \(Self.size(received)) of \(Self.size(total))  \(rate)"
    }

    /// Formats a number of bytes, for example "512 B", "1.2 kB" or "84.0 MB".
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1_000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var units = ["kB", "MB", "GB", "TB"][...]
        value /= 1_000
        // A value that would round to 1000.0 belongs to the next unit.
        while value >= 999.95, units.count > 1 {
            value /= 1_000
            units = units.dropFirst()
        }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
    }
}
