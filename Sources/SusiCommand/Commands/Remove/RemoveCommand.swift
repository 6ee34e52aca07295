import ArgumentParser
import Susi

struct RemoveCommand: AsyncParsableCommand, PolicyCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an account and its tokens from this machine.",
        discussion: """
              susi remove ana@contoso.example -p B2C_1_susi
              susi remove ana --person --dry-run
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Argument(help: "Email or identifier; on a terminal, the start of one", completion: LiveNames.accounts)
    var account: String

    @Flag(help: "Every account of the person, under every policy")
    var person = false

    @Flag(help: "Show what would be removed; remove nothing")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation")
    var yes = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
        if person, policy.text != nil { throw ValidationError("-p and --person cannot be combined") }
    }

    func run() async throws {
        let context = try Context(self)
        let name = try policy.name(in: context, exactly: yes)
        let places = try await context.places()
        let accounts = try await chosen(under: name, of: places, context)
        if dryRun { return try context.show(RemovalReport(preview: accounts, context, places), json: output.json) }
        let names = places.question(accounts)
        try await context.confirm(
            "Remove \(names)?", yes: yes, command: await command(naming: accounts[0], under: name, context),
            otherwise: "not removed: \(names)")
        let removed = try await context.client.remove(accounts)
        let remaining = try await context.client.storedCount().all
        try context.show(RemovalReport(removed, context, places, remaining: remaining), json: output.json)
    }

    // With --yes, names are complete.
    private func command(
        naming chosen: StoredAccount, under policy: PolicyName?, _ context: Context
    ) async -> SuggestedCommand {
        SuggestedCommand("remove", await context.client.completeName(of: chosen)).flag("--person", person)
            .option("-p", policy?.spelling)
    }

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    private var again: SuggestedCommand { SuggestedCommand("remove", account) }

    // The application in use comes first, with the names that a person may shorten; then everything else, by complete names.
    private func chosen(
        under name: PolicyName?, of places: AccountPlaces, _ context: Context
    ) async throws -> [StoredAccount] {
        let policy = name.flatMap { context.application.policy($0) }
        if name == nil || policy != nil {
            let found = try await context.accounts(named: account, under: policy, exactly: yes)
            if person, let first = found.ofOnePerson { return try await context.client.accounts(ofPersonOf: first) }
            if !found.isEmpty { return [try await only(found, under: policy, context)] }
        }
        let isOfOne = global.namedApplication != nil || self.policy.tenant.text != nil
        let found = places.accounts.filter { account in
            account.isNamed(self.account) && (name == nil || name == account.account.policy)
                && (!isOfOne || places.application(of: account) == context.application.name)
                // That of another tenant is removed where it belongs.
                && context.application.otherTenant(of: account) == nil
        }
        // At an address that moved, a person has the same identifier.
        if person, Set(found.map(\.account.person.subject)).count == 1 { return found }
        if found.count == 1 { return found }
        if !found.isEmpty {
            throw SusiError(
                .ambiguousAccount, "“\(account)” matches \(found.count) accounts",
                next: "\(again.option("-p", found[0].account.policy.spelling)), or --person for all of one person",
                candidates: found.map { "\($0.title)  \(places.text($0))  \($0.account.person.subject)" })
        }
        let known = try name.map { try context.client.policy($0) }
        return [try await context.client.finding { [account] in try $0.only([], named: account, under: known) }]
    }

    private func only(
        _ found: [StoredAccount], under policy: Policy?, _ context: Context
    ) async throws -> StoredAccount {
        if found.count > 1, found.ofOnePerson != nil {
            throw SusiError(
                .ambiguousAccount, "\(found[0].title) has accounts under \(found.count) policies",
                next: "\(again.option("-p", found[0].account.policy.spelling)), or --person for all of them",
                candidates: found.map { "\($0.label)  \($0.account.policy)" })
        }
        return try await context.client.finding { [account] in try $0.only(found, named: account, under: policy) }
    }
}
