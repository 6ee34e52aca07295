import ArgumentParser
import Susi
import SusiStartup
import SusiTools
import SystemPackage

extension StoreCommand {
    struct Repair: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "repair", abstract: "Rebuild a damaged store from what can still be read.",
            discussion: """
                  susi store repair --dry-run        show what would be kept and lost
                  susi store repair

                The damaged file is kept beside the new one. Rows that cannot be read or decrypted are lost.
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
            let preview = try repair(context, key, isDryRun: true)
            if dryRun || preview.wasGood { return try show(preview, context) }
            if !yes {
                let lines = StoreRepairReport(report: preview, isDryRun: true).lines(context.console.errStyle)
                for line in lines { context.console.err(line) }
            }
            try await context.console.confirm(
                "Replace the damaged store with what can be read?", otherwise: "nothing was changed", yes: yes,
                noInput: context.noInput, command: SuggestedCommand("store repair"))
            try show(repair(context, key, isDryRun: false), context)
        }

        private func show(_ report: StoreRepair.Report, _ context: StoreContext) throws {
            try context.console.show(StoreRepairReport(report: report, isDryRun: dryRun), json: output.json)
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
            "countsAsShared": report.countsAsShared, "keptAside": keptAside,
        ]
    }

    private func sharing(_ style: Style) -> [String] {
        guard report.countsAsShared else { return [] }
        let command = SuggestedCommand("store unshare")
        return [style.warning("  shared from now on, because it cannot be read whether it was; \(command) ends that")]
    }

    func lines(_ style: Style) -> [String] {
        if report.wasGood { return ["Nothing to repair"] }
        let kept = KeptFiles.lines([keptAside].compactMap(\.self))
        if report.endedEarlierOne {
            let verb = isDryRun ? style.warning("Would finish") : style.good("Finished")
            return ["\(verb) a repair that was interrupted"] + kept
        }
        let verb = isDryRun ? style.warning("Would keep") : style.good("Kept")
        let people = Count.text(report.persons, "person", plural: "people")
        let all =
            "\(verb) \(Count.text(report.accounts, "account")) of \(people) with \(Count.text(report.tokens, "token"))"
        return [all] + report.lost.map { "  \(style.bad("lost")) \($0)" } + sharing(style) + kept
    }
}
