import ArgumentParser
import Susi
import SystemPackage

extension StoreCommand {
    /// `susi store status`.
    struct Status: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show where the store and its key are.",
            discussion: """
                  susi store status
                  susi store status --json
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        func run() async throws {
            let context = StoreContext(self)
            let status = try context.keys.status()
            try context.console.show(StoreReport(status, context), json: output.json)
        }
    }
}

/// What is known of the store.
struct StoreReport: CommandResult {
    let schemaVersion = 1
    let store: String
    let schema: Int64?
    let size: Int64?
    let accounts: Int?
    let imported: Int?
    let keySource: String?
    let keyId: String?
    let access: String
    let keptUntil: Timestamp?
    let protectsAgainst: String?
    let doesNotProtectAgainst: String?
    let keyringRefusal: String?
    let problem: ProblemRecord?
    private let source: KeySource?
    private let now: Int64
    private let unlock: String

    private enum CodingKeys: CodingKey {
        case schemaVersion, store, schema, size, accounts, imported, keySource, keyId, access, keptUntil
        case protectsAgainst, doesNotProtectAgainst, keyringRefusal, problem
    }

    /// Why the key cannot be used.
    struct ProblemRecord: Encodable {
        let what: String
        let why: String
        let next: String
    }

    init(_ status: StoreStatus, _ context: StoreContext) {
        now = context.now
        unlock = context.given.completing(SuggestedCommand("store unlock")).description
        store = status.folder.database.string
        schema = status.facts?.schema
        size = status.facts?.size
        accounts = status.facts?.accounts
        imported = status.facts?.imported
        source = status.source
        keySource = status.source?.rawValue
        keyId = status.keyID?.description
        protectsAgainst = status.source?.protection.against
        doesNotProtectAgainst = status.source?.protection.notAgainst
        keyringRefusal = status.keyringRefusal
        var (until, problem): (Timestamp?, ProblemRecord?)
        switch status.access {
        case .none: access = "none"
        case .open: access = "open"
        case .kept(let end):
            access = "kept"
            until = end.map(Timestamp.init)
        case .locked: access = "locked"
        case .unusable(let error):
            access = "unusable"
            problem = ProblemRecord(what: error.what, why: error.why, next: context.given.text(error.nextStep))
        }
        (keptUntil, self.problem) = (until, problem)
    }

    func lines(_ style: Style) -> [String] {
        var rows = [["store", Terminal.safe(style.path(store))]]
        if let accounts, let imported, let size, let schema {
            let waiting = imported == 0 ? "" : ", \(imported) imported"
            rows.append(["accounts", "\(accounts)\(waiting); \(ProgressLine.size(size)), schema \(schema)"])
        }
        rows.append(["key", source.map(\.name) ?? "none yet"])
        if let state = state(style) { rows.append(["state", state]) }
        if let protectsAgainst, let doesNotProtectAgainst {
            rows += [["protects", "against \(protectsAgainst)"], ["", "not against \(doesNotProtectAgainst)"]]
        }
        if let keyringRefusal, let source, source != .file {
            rows.append([
                "keyring", style.warning("unavailable (\(keyringRefusal)): every command asks for the key"),
            ])
        }
        return Table.lines(rows.map { [style.faint($0[0]), $0[1]] }, style) + next(style)
    }

    private func state(_ style: Style) -> String? {
        switch access {
        case "open": "open: the key is in the key file"
        case "kept":
            keptUntil.map { "unlocked for another \(Timestamp.span(from: now, to: $0.epoch))" }
                ?? "unlocked until the machine restarts"
        case "locked": style.warning("locked")
        case "unusable": style.bad(Terminal.safe(problem.map { "\($0.what): \($0.why)" } ?? ""))
        default: nil
        }
    }

    private func next(_ style: Style) -> [String] {
        let command = problem?.next ?? (access == "locked" ? unlock : nil)
        return command.map { ["  \(style.faint("next:")) \(style.strong(Terminal.safe($0)))"] } ?? []
    }
}
