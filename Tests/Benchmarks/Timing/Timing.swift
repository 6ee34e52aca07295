import ProcessClock

/// Measurements of whole processes from start to end, A and B in turn.
struct Timing {
    /// A command line: NAME=VALUE words for its environment, the program's absolute path, its arguments.
    let a: [String]
    let b: [String]
    let pairs: Int
    let warmUps: Int
    /// The processor that runs both; nil for any.
    let core: Int32?

    struct Failure: Error, CustomStringConvertible { let description: String }

    func run() throws -> Comparison {
        for _ in 0..<warmUps { _ = (try milliseconds(a), try milliseconds(b)) }
        var measured: [(a: Double, b: Double)] = []
        for pair in 0..<pairs {
            // Each is first as often as second, so that neither profits from the other's warm caches.
            if pair.isMultiple(of: 2) {
                let a = try milliseconds(a)
                measured.append((a, try milliseconds(b)))
            } else {
                let b = try milliseconds(b)
                measured.append((try milliseconds(a), b))
            }
        }
        return Comparison(pairs: measured)
    }

    private func milliseconds(_ command: [String]) throws -> Double {
        let time = unsafe susi_time_process(command.joined(separator: "\n"), core ?? -1)
        try Self.check(time, command)
        return Double(time) / 1e6
    }

    private static func check(_ time: Int64, _ command: [String]) throws(Failure) {
        guard time <= 0 else { return }
        throw Failure(description: "failed with status \((-time) >> 8): \(command.joined(separator: " "))")
    }
}
