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
        // In the large home, ten accounts belong to the default policy, and a third of the others to each other policy.
        let results = try [
            line("token", susi, ["token"], isConstant: true),
            line("switch -", susi, ["switch", "-"]),
            line("status", susi, ["status"]),
            line("accounts", susi, ["accounts"]),
            line("accounts person12", susi, ["accounts", "person12"]),
            line("accounts --json", susi, ["accounts", "--json"]),
            line("token -a ADDRESS", susi, ["token", "-a", "person3@contoso.example"]),
            line(
                "the picker's list", "/bin/sh", shell("switch -p B2C_1_partner", status: 64),
                few: shell("switch", status: 64)),
            line(
                "completion of an account", "/bin/sh",
                shell("---completion switch -- positional@0 2 4 susi switch pers")),
            line("status -a UNKNOWN", "/bin/sh", shell("status -a unknown@contoso.example", status: 5)),
            line("add one account", benchmarks, ["add", many], few: ["add", few]),
        ]
        return results.allSatisfy(\.self)
    }

    // A command that may fail, as its words.
    private func shell(_ words: String, status: Int = 0) -> [String] {
        ["-c", "\"$0\" \(words) 2>/dev/null; test $? = \(status)", susi]
    }

    /// The time in milliseconds that a person does not feel.
    private static let most = 500.0

    /// Measures one command. With a limit, it may take half a second; a constant one may take the limit times its time with ten
    /// accounts.
    private func line(
        _ name: String, _ program: String, _ a: [String], few b: [String]? = nil, isConstant: Bool = false
    ) throws -> Bool {
        let result = try Timing(
            a: ["SUSI_HOME=\(many)", program] + a, b: ["SUSI_HOME=\(few)", program] + (b ?? a), pairs: pairs,
            warmUps: max(2, pairs / 10), core: 0
        ).run()
        let isKept = atMost.map { isConstant ? result.ratio <= $0 : result.medianA <= Self.most } ?? true
        print(
            "  \(Self.padded(name)) \(result.medianA.hundredths) : \(result.medianB.hundredths) ms = "
                + "\(result.ratio.hundredths) ×   middle half \(result.spread.low.hundredths) to "
                + "\(result.spread.high.hundredths)\(isKept ? "" : "   EXCEEDED")")
        return isKept
    }

    private static func padded(_ name: String) -> String {
        name + String(repeating: " ", count: max(0, 28 - name.count))
    }
}
