import ArgumentParser
import Susi
import SusiStartup

struct SwitchCommand: AsyncParsableCommand, PolicyCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch", abstract: "Choose the current account of a policy.",
        discussion: """
              susi switch                          choose from a list
              susi switch ben@contoso.example
              susi switch -                        the previous account
              susi switch ben --person             under every policy
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Argument(
        help: "Email or identifier; on a terminal, the start of one; - is the previous account",
        completion: LiveNames.accounts)
    var account: String?

    @Flag(help: "Switch to the person's accounts under every policy")
    var person = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }

    func validate() throws {
        guard person else { return }
        if policy.text != nil { throw ValidationError("-p and --person cannot be combined") }
        if account == "-" {
            throw ValidationError("--person needs an account\n“-” is the previous account under one policy")
        }
    }

    func run() async throws {
        let context = try Context(self)
        if account == "-" {
            let result = try await context.client.switchBack(policy: try policy.name(in: context))
            return try show([result], context)
        }
        var switched: [(account: StoredAccount, previous: StoredAccount?)] = []
        for account in try await accounts(context) {
            switched.append(try await context.client.switchTo(AccountSelection(account)))
        }
        try show(switched, context)
    }

    private func show(_ switched: [(account: StoredAccount, previous: StoredAccount?)], _ context: Context) throws {
        try context.show(SwitchReport(switched: switched, context: context), json: output.json)
        guard let named = ProcessEnvironment.current["SUSI_ACCOUNT"],
            !switched.contains(where: { $0.account.label.lowercased() == named.lowercased() })
        else { return }
        let style = context.console.errStyle
        context.console.err(
            style.warning("SUSI_ACCOUNT=\(Terminal.safe(named)) is over the current account in this shell"))
        context.advise("unset SUSI_ACCOUNT")
    }

    /// Returns the accounts to switch to: one, or all of a person under policies that sign in.
    private func accounts(_ context: Context) async throws -> [StoredAccount] {
        guard let account else {
            let one = try await AccountPicker(try policy.name(in: context), context).choose(json: output.json)
            return person ? try await all(of: one, context) : [one]
        }
        guard person else {
            let selection = try await context.selection(account, under: try policy.name(in: context))
            return [try await context.client.account(selection)]
        }
        return try await all(of: try await context.accounts(ofPersonNamed: account)[0], context)
    }

    private func all(of account: StoredAccount, _ context: Context) async throws -> [StoredAccount] {
        try await context.client.accounts(ofPersonOf: account).filter { account in
            context.application.policy(account.account.policy)?.kind.keepsAccounts ?? false
        }
    }
}

/// A picker for the accounts of a policy. Without a terminal, it prints the accounts.
struct AccountPicker {
    private let policy: Policy
    private let context: Context

    init(_ policy: PolicyName?, _ context: Context) throws {
        self.policy = try context.client.policy(policy)
        self.context = context
    }

    func choose(json: Bool) async throws -> StoredAccount {
        let accounts = try await context.client.list(policy: policy.name).accounts
        // If there is no account, throws the error that says how to sign in.
        if accounts.isEmpty { return try await context.client.account(AccountSelection(policy: policy.name)) }
        guard ProcessEnvironment.current.canAsk, context.console.errMoves, !context.noInput else {
            throw unanswered(accounts, json: json)
        }
        let title = "Switch to, under \(Terminal.safe(policy.name.spelling))"
        let cells = zip(accounts, AccountLines.titles(of: accounts, in: context)).map { account, title in
            ["\(account.isCurrent ? "*" : " ") \(title)", account.sessionStatus(now: context.now)]
        }
        let chosen = await Picker.choose(title, from: accounts, cells: cells, on: context.console) { $0.matches($1) }
        if let chosen { return chosen }
        try Task.checkCancellation()
        throw SusiError(.cancelled, "cancelled", why: "the current account is unchanged")
    }

    private func unanswered(_ accounts: [StoredAccount], json: Bool) -> UsageError {
        let console = context.console
        if !json { for line in AccountLines.of(accounts, in: context, console.errStyle) { console.err(line) } }
        return UsageError(
            "no account named", why: "choosing from the list needs a terminal",
            next: "\(SuggestedCommand("switch", "ACCOUNT").option("-p", policy.name.spelling))",
            candidates: json ? AccountLines.titles(of: accounts, in: context, \.label) : [])
    }
}

/// The result of `switch`: the accounts that became current, each with the one before it.
struct SwitchReport: CommandResult {
    let switched: [(account: StoredAccount, previous: StoredAccount?)]
    let context: Context

    var json: JSONObject {
        [
            "schemaVersion": 1, "account": switched.first?.account.json, "previous": switched.first?.previous?.label,
            "others": switched.dropFirst().map(\.account.json),
        ]
    }

    func lines(_ style: Style) -> [String] {
        Table.lines(
            switched.map { account, previous in
                let names = AccountLines.names(of: account, before: previous, in: context)
                let before = names.previous.map { " (before: \($0))" } ?? ""
                return [
                    "\(style.strong(names.account)) is the current account under \(context.place(of: account))\(before)"
                ]
            }, style)
    }
}
