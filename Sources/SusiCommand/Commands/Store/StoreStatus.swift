import ArgumentParser
import Susi
import SusiTools
import SystemPackage

extension StoreCommand {
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
            let context = try StoreContext(self)
            let status = try context.keys.status()
            try context.console.show(StoreReport(status, context), json: output.json)
        }
    }
}

struct StoreReport: CommandResult {
    private let status: StoreStatus
    private let context: StoreContext

    init(_ status: StoreStatus, _ context: StoreContext) {
        self.status = status
        self.context = context
    }

    /// How reports describe a shared store.
    static let shared = "shared: one person at a time; every sign-out empties the store"

    private var store: String { status.folder.database.string }

    var json: JSONObject {
        let (facts, protection) = (status.facts, status.source?.protection)
        var (until, problem): (Timestamp?, JSONObject?)
        let access: String
        switch status.access {
        case .none: access = "none"
        case .open: access = "open"
        case .kept(let end): (access, until) = ("kept", end.map(Timestamp.init))
        case .locked: access = "locked"
        case .unusable(let error):
            access = "unusable"
            problem = error.json(context.given)
        }
        return [
            "schemaVersion": 1, "store": store, "schema": facts?.schema, "size": facts?.size,
            "accounts": facts?.accounts, "isShared": facts?.isShared ?? false, "keySource": status.source?.rawValue,
            "keyId": status.keyID?.description, "access": access, "keptUntil": until,
            "protectsAgainst": protection?.against, "doesNotProtectAgainst": protection?.notAgainst,
            "keyringRefusal": status.keyringRefusal, "problem": problem,
        ]
    }

    func lines(_ style: Style) -> [String] {
        var rows = [["store", Terminal.safe(style.path(store))]]
        if let facts = status.facts {
            let size = ProgressLine.size(facts.size)
            rows.append(["accounts", "\(facts.accounts); \(size), schema \(facts.schema)"])
            if facts.isShared { rows.append(["sharing", Self.shared]) }
        }
        rows.append(["key", status.source?.name ?? (status.isUnusable ? "missing or invalid" : "none yet")])
        if let state = state(style) { rows.append(["state", state]) }
        if let protection = status.source?.protection {
            rows += [["protects", "against \(protection.against)"], ["", "not against \(protection.notAgainst)"]]
        }
        if let refusal = status.keyringRefusal, let source = status.source, source != .file {
            rows.append(["keyring", style.warning("unavailable (\(refusal)): every command asks for the key")])
        }
        return Table.lines(rows.map { [style.faint($0[0]), $0[1]] }, style) + next(style)
    }

    private func state(_ style: Style) -> String? {
        switch status.access {
        case .none: nil
        case .open: "open: the key is in the key file"
        case .kept(let end?): "unlocked for another \(Timestamp.span(from: context.now, to: end))"
        case .kept(nil): "unlocked until the machine restarts"
        case .locked: style.warning("locked")
        case .unusable(let error): style.bad(Terminal.safe("\(error.what): \(error.why)"))
        }
    }

    private func next(_ style: Style) -> [String] {
        switch status.access {
        case .none, .open, .kept: []
        case .locked: [style.next(context.given.completing(SuggestedCommand("store unlock")).description)]
        case .unusable(let error): [style.next(context.given.text(error.nextStep))]
        }
    }
}
