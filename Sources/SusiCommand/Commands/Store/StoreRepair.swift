import ArgumentParser
import Susi
import SusiEntry
import SystemPackage

extension StoreCommand {
    struct Repair: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "repair", abstract: "Rebuild a damaged store from what can still be read.",
            discussion: """
                  susi store repair --dry-run        show what would be kept and lost
                  susi store repair

                The damaged file is kept beside the new one. Values that cannot be decrypted are lost.
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        @Flag(help: "Show what would be kept and lost; change nothing")
        var dryRun = false

        @Flag(help: "Do not ask for confirmation")
        var yes = false

        func run() async throws {
            let context = try StoreContext(self)
            let key = try await context.keys.askedKey()
            if !dryRun, try isWorthAsking(context, key) {
                try await context.console.confirm(
                    "Replace the damaged store with what can be read?", otherwise: "nothing was changed", yes: yes,
                    noInput: context.noInput, command: SuggestedCommand("store repair"))
            }
            let report = try repair(context, key, isDryRun: dryRun)
            try context.console.show(StoreRepairReport(report: report, isDryRun: dryRun), json: output.json)
        }

        // Prints what would be kept and lost before the question.
        private func isWorthAsking(_ context: StoreContext, _ key: SealingKey?) throws -> Bool {
            if yes { return false }
            let preview = try repair(context, key, isDryRun: true)
            if preview.wasGood { return false }
            for line in StoreRepairReport(report: preview, isDryRun: true).lines(context.console.errStyle) {
                context.console.err(line)
            }
            return true
        }

        private func repair(
            _ context: StoreContext, _ key: SealingKey?, isDryRun: Bool
        ) throws -> StoreRepair.Report {
            do {
                return try StoreRepair.run(context.paths.store, key: key, isDryRun: isDryRun, now: context.now)
            } catch {
                throw SusiError(error)
            }
        }
    }
}

/// The result of a repair: what was kept and lost.
struct StoreRepairReport: CommandResult {
    let report: StoreRepair.Report
    let isDryRun: Bool

    private var keptAside: String? { report.keptAside?.string }

    var json: JSONObject {
        [
            "schemaVersion": 1, "isDryRun": isDryRun, "wasGood": report.wasGood,
            "endedEarlierOne": report.endedEarlierOne, "persons": report.persons, "accounts": report.accounts,
            "tokens": report.tokens, "lost": report.lost, "lostCount": report.lostCount,
            "keptAside": keptAside,
        ]
    }

    private static let most = 100

    func lines(_ style: Style) -> [String] {
        if report.wasGood { return ["Nothing to repair"] }
        let kept = KeptFiles.lines([keptAside].compactMap(\.self))
        if report.endedEarlierOne {
            let verb = isDryRun ? style.warning("Would finish") : style.good("Finished")
            return ["\(verb) a repair that was interrupted"] + kept
        }
        let verb = isDryRun ? style.warning("Would keep") : style.good("Kept")
        var lines = [
            "\(verb) \(Count.text(report.accounts, "account")) of "
                + "\(Count.text(report.persons, "person", plural: "people")) with \(Count.text(report.tokens, "token"))"
        ]
        lines += report.lost.prefix(Self.most).map { "  \(style.bad("lost")) \(Terminal.safe($0))" }
        if report.lostCount > Self.most { lines.append("  and \(report.lostCount - Self.most) more") }
        return lines + kept
    }
}
