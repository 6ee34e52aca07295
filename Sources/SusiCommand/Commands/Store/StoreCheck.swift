import ArgumentParser
import Susi
import SystemPackage

extension StoreCommand {
    /// `susi store check`.
    struct Check: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check the store: files, schema, references, encryption.",
            discussion: """
                  susi store check
                  susi store check --json

                Decrypts every value and writes nothing. The exit code is 6 if anything is wrong.
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        func run() async throws {
            let context = StoreContext(self)
            let check: StoreCheck
            let key = try await context.keys.askedKey()
            do { check = try StoreCheck.run(context.paths.store, key: key) } catch { throw SusiError(error) }
            try context.console.show(StoreCheckReport(check, context), json: output.json)
            guard check.isGood else { throw CommandEnded(code: .store) }
        }
    }
}

/// The result of a check of the store.
struct StoreCheckReport: CommandResult {
    let schemaVersion = 1
    let store: String
    let isGood: Bool
    let storeSchema: Int64?
    let accounts: Int
    let goodAccounts: Int
    let persons: Int
    let tokens: Int
    let imported: Int
    /// The first findings.
    let findings: [Finding]
    let findingCount: Int
    /// Damaged files that a repair kept.
    let keptAside: [String]
    // The command that shows what a repair would keep; nil if no repair helps.
    private let repair: String?

    struct Finding: Encodable {
        let kind: String
        let what: String
        let next: String?
    }

    private enum CodingKeys: CodingKey {
        case schemaVersion, store, isGood, storeSchema, accounts, goodAccounts, persons, tokens, imported, findings
        case findingCount, keptAside
    }

    init(_ check: StoreCheck, _ context: StoreContext) {
        store = context.paths.store.database.string
        isGood = check.isGood
        storeSchema = check.schema
        accounts = check.accounts
        goodAccounts = check.goodAccounts
        persons = check.persons
        tokens = check.tokens
        imported = check.imported
        findings = check.findings.map {
            Finding(kind: $0.kind.rawValue, what: $0.what, next: $0.next.map(context.given.text))
        }
        findingCount = check.findingCount
        keptAside = check.keptAside
        let command = SuggestedCommand("store repair").flag("--dry-run")
        repair = check.isRepairable ? context.given.completing(command).description : nil
    }

    private static let most = 100

    func lines(_ style: Style) -> [String] {
        let schema = storeSchema.map { "schema \($0), " } ?? ""
        var lines = [
            "\(Terminal.safe(store)): \(schema)\(Count.text(persons, "person", plural: "people")), \(Count.text(accounts, "account")), "
                + "\(Count.text(tokens, "token"))\(imported == 0 ? "" : ", \(imported) imported")"
        ]
        for finding in findings.prefix(Self.most) {
            lines.append("  \(style.bad("problem:")) \(Terminal.safe(finding.what))")
            if let next = finding.next {
                lines.append("    \(style.faint("next:")) \(style.strong(Terminal.safe(next)))")
            }
        }
        if findingCount > Self.most { lines.append("    and \(findingCount - Self.most) more") }
        lines.append(
            isGood
                ? style.good("No problems found.")
                : style.bad("\(goodAccounts) of \(Count.text(accounts, "account")) are intact."))
        if let repair { lines.append("  \(style.faint("next:")) \(style.strong(repair))") }
        return lines + KeptFiles.lines(keptAside)
    }
}

/// A number with its noun.
enum Count {
    /// `plural` is needed only if it is irregular.
    static func text(_ count: Int, _ word: String, plural: String? = nil) -> String {
        "\(count) \(count == 1 ? word : plural ?? "\(word)s")"
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
