import Foundation
import SystemPackage

/// A comparison of the cost of commands with many accounts and with ten; whole processes run in turn.
struct SizeComparison {
    /// An empty folder.
    let folder: String
    /// The stripped program.
    let susi: String
    /// This program, which adds accounts.
    let benchmarks: String
    let accounts: Int
    let pairs: Int
    let atMost: Double?

    /// Reads `FOLDER SUSI ACCOUNTS PAIRS [RATIO]`.
    init(_ arguments: some Collection<String>, benchmarks: String) throws(Options.Wrong) {
        let words = Array(arguments)
        guard (4...5).contains(words.count), let accounts = Int(words[2]), accounts > SignedInHome.few,
            let pairs = Int(words[3]), pairs > 0
        else { throw Options.Wrong(description: "size takes FOLDER SUSI ACCOUNTS PAIRS [RATIO]") }
        (folder, susi, self.benchmarks, self.accounts, self.pairs) = (words[0], words[1], benchmarks, accounts, pairs)
        atMost = words.count == 5 ? Double(words[4]) : nil
    }

    private var many: String { "\(folder)/many" }
    private var few: String { "\(folder)/few" }

    /// Prints a line for each command and returns whether all of them were within the limit.
    func run() throws -> Bool {
        let start = Date()
        try SignedInHome.make(in: few, accounts: SignedInHome.few)
        try SignedInHome.make(in: many, accounts: SignedInHome.few, others: accounts - SignedInHome.few)
        // The last writes may still be in the log.
        let size = try ["", "-wal"].reduce(0) { sum, suffix in
            let path = "\(many)/store.sqlite\(suffix)"
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? any BinaryInteger
            return sum + (size.map { Int($0) } ?? 0)
        }
        print(
            "\(accounts) accounts : \(SignedInHome.few), made in \(Int(Date().timeIntervalSince(start))) s, "
                + "\(size / 1_000_000) MB; medians of \(pairs) pairs of whole processes in turn")
        let script = "\(folder)/first-line"
        try "\"$1\" accounts | head -n 1\n".write(toFile: script, atomically: true, encoding: .utf8)
        // In the large home, ten accounts belong to the default policy, and a third of the others to each other policy.
        let results = try [
            line("token", ["token"]),
            line("switch -", ["switch", "-"]),
            line("status", ["status"]),
            line("accounts -p, ten of them", ["accounts", "-p", "B2C_1_susi", "--limit", "20"]),
            line(
                "accounts -p, a third of them", ["accounts", "-p", "B2C_1_partner", "--limit", "10"],
                against: ["accounts", "-p", "B2C_1_susi", "--limit", "10"]),
            line("token -a ADDRESS", ["token", "-a", "person3@contoso.example"]),
            line("status -a UNKNOWN", "/bin/sh", unknownAccount, unknownAccount),
            line("accounts | head -n 1", "/bin/sh", [script, susi], [script, susi]),
            line("add one account", benchmarks, ["add", many], ["add", few]),
        ]
        return try results.reduce(true) { $0 && $1 } && memory()
    }

    // A command that fails: its account is unknown.
    private var unknownAccount: [String] {
        ["-c", #""$0" status -a unknown@contoso.example 2>/dev/null; test $? = 5"#, susi]
    }

    private func line(_ name: String, _ arguments: [String], against others: [String]? = nil) throws -> Bool {
        try line(name, susi, arguments, others ?? arguments)
    }

    private func line(_ name: String, _ program: String, _ a: [String], _ b: [String]) throws -> Bool {
        let result = try Timing(
            a: ["SUSI_HOME=\(many)", program] + a, b: ["SUSI_HOME=\(few)", program] + b, pairs: pairs,
            warmUps: max(2, pairs / 10), core: 0
        ).run()
        let isKept = result.ratio <= atMost ?? .infinity
        print(
            "  \(Self.padded(name)) \(result.medianA.hundredths) : \(result.medianB.hundredths) ms = "
                + "\(result.ratio.hundredths) ×   middle half \(result.spread.low.hundredths) to "
                + "\(result.spread.high.hundredths)\(isKept ? "" : "   EXCEEDED: at most \(atMost?.hundredths ?? "")")")
        return isKept
    }

    /// Measures the peak memory of the longest list.
    private func memory() throws -> Bool {
        let start = Date()
        let (a, b) = try (
            Timing.peak(["SUSI_HOME=\(many)", susi, "accounts", "--json"]),
            Timing.peak(["SUSI_HOME=\(few)", susi, "accounts", "--json"])
        )
        let ratio = Double(a) / Double(b)
        print(
            "  \(Self.padded("accounts --json, memory")) \(a / 1_024) : \(b / 1_024) MiB = \(ratio.hundredths) ×"
                + "   listed in \(Int(Date().timeIntervalSince(start))) s")
        return ratio <= atMost ?? .infinity
    }

    private static func padded(_ name: String) -> String {
        name + String(repeating: " ", count: max(0, 28 - name.count))
    }
}
