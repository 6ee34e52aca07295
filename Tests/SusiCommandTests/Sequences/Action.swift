import SusiEmulator
import SusiTestSupport

/// One step of a sequence: a command that a person types, or a change of the policies file.
struct Action: CustomStringConvertible {
    enum Kind: Hashable {
        case signIn(switches: Bool), choosing, removal, importing, other
        case change(SequencePolicies.Change)
    }

    let kind: Kind
    let arguments: [String]
    /// Who signs in on the pages.
    let person: LocalTenant.Person
    let description: String

    private init(_ kind: Kind, _ line: String, _ person: LocalTenant.Person = .ana) {
        self.kind = kind
        self.person = person
        arguments = line.split(separator: " ").map(String.init)
        description = line + (person == .ana ? "" : " [\(person)]")
    }

    private init(_ change: SequencePolicies.Change) {
        (kind, person, arguments, description) = (.change(change), .ana, [], change.rawValue)
    }

    var isSignIn: Bool { if case .signIn = kind { true } else { false } }
    var isChange: Bool { if case .change = kind { true } else { false } }
    /// A new password takes long, and changes nothing here without an account.
    func isWorthwhile(in state: Observed) -> Bool {
        arguments.first != "reset-password" || !state.rows.accounts.isEmpty
    }

    var endsSession: Bool { arguments.contains("--browser") || arguments.contains("--browser-only") }

    static let all: [Action] =
        [
            Action(.signIn(switches: true), "sign-in"),
            Action(.signIn(switches: true), "sign-in", .ben),
            Action(.signIn(switches: false), "sign-in --no-switch", .ben),
            Action(.signIn(switches: true), "sign-in -p \(SequencePolicies.partner)"),
            Action(.signIn(switches: true), "sign-in -p \(SequencePolicies.partner)", .ben),
            Action(.signIn(switches: true), "sign-in -A other"),
            Action(.other, "edit-profile"),
            Action(.other, "reset-password"),
            Action(.choosing, "switch \(ana)"),
            Action(.choosing, "switch \(ben)"),
            Action(.choosing, "switch -"),
            Action(.removal, "remove \(ana)"),
            Action(.removal, "remove \(ben)"),
            Action(.removal, "remove \(ana) -p \(SequencePolicies.partner)"),
            Action(.removal, "remove \(ana) -A other"),
            Action(.removal, "remove \(ana) -A twin"),
            Action(.removal, "remove \(ana) --person"),
            Action(.removal, "sign-out"),
            Action(.removal, "sign-out -p \(SequencePolicies.partner)"),
            Action(.removal, "sign-out -a \(ben)"),
            Action(.removal, "sign-out -A other"),
            Action(.removal, "sign-out --person"),
            Action(.removal, "sign-out --all"),
            Action(.removal, "sign-out --all -A other"),
            Action(.removal, "sign-out --browser"),
            Action(.removal, "sign-out --all --browser"),
            Action(.removal, "sign-out --browser-only -p \(SequencePolicies.susi)"),
            Action(.other, "token --refresh"),
            Action(.other, "token --refresh -p \(SequencePolicies.partner)"),
            Action(.importing, "import FILE"),
            Action(.other, "store share"),
        ] + SequencePolicies.Change.allCases.map(Action.init)

    private static let (ana, ben) = (LocalTenant.Person.ana.email, LocalTenant.Person.ben.email)
}

extension LocalTenant.Person {
    var subject: String { user.objectID }
}
