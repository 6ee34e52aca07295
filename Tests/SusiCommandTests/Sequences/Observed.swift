import Susi
import SusiPolicies
import SusiTestSupport

/// A state with what commands say about it. Each command runs once.
final class Observed {
    let stage: Stage
    /// The actions that led here.
    let sequence: [String]
    let rows: StoreRows
    let file: PoliciesFile
    /// The tenant's sessions: tenant and object ID.
    let sessions: [String]
    let kept: Stage.Kept
    private var said: [[String]: CommandRun] = [:]
    private let typed: TypedHints

    /// Keeps the present state of the stage.
    init(_ stage: Stage, after sequence: [String], _ typed: TypedHints) throws {
        self.stage = stage
        self.typed = typed
        self.sequence = sequence
        rows = try stage.rows()
        let text = try stage.policiesFile.text()
        file = try PoliciesFile(text: text.utf8, source: "the policies of a sequence")
        sessions = try stage.sessions()
        kept = try stage.keep()
        key = Key(rows: rows, policies: text)
    }

    /// What tells states apart.
    struct Key: Hashable {
        let rows: StoreRows
        let policies: String
    }

    let key: Key

    /// Returns what a command says that changes nothing.
    func says(_ line: String) async throws -> CommandRun {
        let arguments = line.split(separator: " ").map(String.init)
        if let run = said[arguments] { return run }
        try stage.restore(kept)
        let run = await stage.run(arguments)
        said[arguments] = run
        return run
    }

    /// Whether a hint was not typed yet in such a state.
    func isNew(_ hint: Hint) -> Bool { typed.insert(hint, in: self) }

    /// Everything that was printed so far.
    var allSaid: [CommandRun] { said.values.sorted { $0.line < $1.line } }

    /// Whether it is one of the few states in which everything is asked.
    var isBeginning: Bool { [[], ["sign-in"], ["kind changed"]].contains(sequence) }

    /// Who has a current account; of a shared store, any.
    var holder: LocalTenant.Person? {
        [LocalTenant.Person.ana, .ben].first { person in
            rows.accounts.contains { $0.subject == person.subject && (rows.isShared || $0.isCurrent) }
        }
    }

    /// The applications with accounts of their own; the twin has those of the first one.
    var distinctApplications: [Application] { file.applications.filter { $0.name != "twin" } }

    /// The application in use without `-A`.
    var application: Application? { file.application(nil) }
    var unowned: [StoreRows.Row] { rows.accounts.filter { file.owner(of: $0) == nil } }

    /// Returns the accounts that commands of an application use.
    func owned(by application: Application) -> [StoreRows.Row] { rows.accounts.filter(application.owns) }
}

/// The hints that were typed, and where.
final class TypedHints {
    private var places: Set<[String]> = []

    /// Adds a hint; returns whether it is new. Other accounts change nothing about a sign-in or a list.
    func insert(_ hint: Hint, in state: Observed) -> Bool {
        let isOfAll =
            ["sign-in", "accounts", "policies", "reset-password"].contains(hint.words.first)
            || hint.words.contains("--browser-only")
        let place =
            isOfAll
            ? [state.key.policies, state.rows.isShared ? state.rows.accounts.first?.label ?? "shared" : ""]
            : ["\(state.key.hashValue)"]
        return places.insert([hint.line] + place).inserted
    }
}

/// One action, with the states before and after it.
struct Step {
    let action: Action
    let before: Observed
    let after: Observed
    /// The state afterwards as it was first reached: its rows are equal.
    let state: Observed
    let run: CommandRun?

    /// The accounts that it removed and added.
    var gone: [StoreRows.Row] { before.rows.missing(in: after.rows) }
    var new: [StoreRows.Row] { after.rows.missing(in: before.rows) }
}
