import ArgumentParser
import Susi
import SusiStartup
import SusiTools
import SystemPackage

extension StoreCommand {
    struct Check: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check the store: schema, pages, references, encryption.",
            discussion: """
                  susi store check
                  susi store check --json

                Decrypts every value and writes nothing. The exit code is 6 if anything is wrong.
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        func run() async throws {
            let context = try StoreContext(self)
            let check: StoreCheck
            let key = try await context.keys.askedKey()
            do { check = try StoreCheck.run(context.paths.store, key: key) } catch { throw SusiError(error) }
            try context.console.show(StoreCheckReport(check: check, context: context), json: output.json)
            guard check.isGood else { throw CommandEnded(code: .store) }
        }
    }
}

struct StoreCheckReport: CommandResult {
    let check: StoreCheck
    let context: StoreContext

    private var store: String { context.paths.store.database.string }

    /// The problems, and what to do about each if a repair does not help.
    private var findings: [(kind: String, what: String, next: NextStep)] {
        let key = check.keyError.map(SusiError.init)
        return check.findings.map { ($0.kind.rawValue, $0.what, "") }
            + (key.map { [("key", $0.why, $0.nextStep)] } ?? [])
    }

    var json: JSONObject {
        let findings = findings.map {
            SusiError(.store, $0.what, next: $0.next).json(context.given) + ["kind": $0.kind]
        }
        return [
            "schemaVersion": 1, "store": store, "isGood": check.isGood, "accounts": check.accounts,
            "goodAccounts": check.goodAccounts, "persons": check.persons, "tokens": check.tokens,
            "findings": findings, "keptAside": check.keptAside,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let accounts = Count.text(check.accounts, "account")
        var lines = [
            "\(Terminal.safe(store)): \(Count.text(check.persons, "person", plural: "people")), \(accounts), "
                + Count.text(check.tokens, "token")
        ]
        for finding in findings {
            lines.append("  \(style.bad("problem:")) \(Terminal.safe(finding.what))")
            if !finding.next.isEmpty { lines.append("  \(style.next(context.given.text(finding.next)))") }
        }
        lines.append(
            check.isGood
                ? style.good("No problems found.")
                : style.bad("\(check.goodAccounts) of \(accounts) were found intact."))
        if check.isRepairable {
            let preview = SuggestedCommand("store repair").flag("--dry-run")
            lines.append(style.next(context.given.completing(preview).description))
        }
        return lines + KeptFiles.lines(check.keptAside)
    }
}

/// A number with its noun.
enum Count {
    /// Returns a number with its noun; `plural` is needed only if it is irregular.
    static func text(_ count: Int, _ word: String, plural: String? = nil) -> String {
        "\(count) \(count == 1 ? word : plural ?? "\(word)s")"
    }
}

/// The damaged files that repairs kept, before a command and after it.
struct Leftovers {
    private let folder: StoreFolder
    /// The paths of those that are gone.
    private(set) var deleted: [String] = []
    /// The paths of those that are there.
    private(set) var kept: [String]

    init(_ context: Context) { self.init(context.paths.store) }

    init(_ folder: StoreFolder) {
        self.folder = folder
        kept = folder.damagedFiles.map(\.string)
    }

    /// The same, after the command.
    var now: Leftovers {
        var now = Leftovers(folder)
        now.deleted = kept.filter { !now.kept.contains($0) }
        return now
    }

    /// The same, after a command that deletes them.
    var allDeleted: Leftovers {
        var after = self
        (after.deleted, after.kept) = (kept, [])
        return after
    }

    func lines(isDryRun: Bool = false, _ style: Style) -> [String] {
        deleted.map { path in
            "  \(isDryRun ? "would delete" : "deleted") \(Terminal.safe(path)), a damaged file that a repair kept, with its tokens"
        } + KeptFiles.lines(kept)
    }
}

/// Lines about damaged files that a repair kept.
enum KeptFiles {
    static func lines(_ paths: [String]) -> [String] {
        paths.flatMap { path in
            [
                "  \(Terminal.safe(path)) is the damaged file that a repair replaced; it still contains encrypted tokens",
                "  when you no longer need it: rm \(Terminal.safe(path.shellWord))*",
            ]
        }
    }
}
