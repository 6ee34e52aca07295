import Susi

/// Where stored accounts belong: the application in use, another one of the file, or none.
struct AccountPlaces {
    let groups: [AccountGroup]
    private let context: Context
    private let numbers: [Account: Int]

    init(_ groups: [AccountGroup], _ context: Context) {
        self.groups = groups
        self.context = context
        numbers = Dictionary(
            groups.enumerated().flatMap { number, group in group.accounts.map { ($0.account, number) } }
        ) { first, _ in first }
    }

    /// Everything in the store.
    var accounts: [StoredAccount] { groups.flatMap(\.accounts) }
    var count: Int { numbers.count }

    private func group(of account: StoredAccount) -> AccountGroup? { numbers[account.account].map { groups[$0] } }

    /// Returns the name of the application that an account belongs to; `nil` if it belongs to no application.
    func application(of account: StoredAccount) -> String? { group(of: account)?.application }

    /// The name of the application in use.
    var applicationInUse: String { context.application.name }

    /// Returns a policy with its application, if that is another one than that in use; safe for a terminal.
    func policy(_ name: PolicyName, of application: String) -> String {
        Terminal.safe(name.spelling + (application == applicationInUse ? "" : " of “\(application)”"))
    }

    func policy(_ account: StoredAccount) -> String {
        policy(account.account.policy, of: application(of: account) ?? applicationInUse)
    }

    /// The account in JSON as `accounts --all` shows it.
    func json(_ account: StoredAccount) -> JSONObject {
        let group = group(of: account)
        var account = account
        if group?.unowned != nil { account.isCurrent = false }
        return account.json(of: group?.application, unowned: group?.unowned)
    }

    func isInNoApplication(_ account: StoredAccount) -> Bool { application(of: account) == nil }

    /// Returns the policy of an account, with what tells it from those of the application in use.
    func text(_ account: StoredAccount) -> String {
        guard let group = group(of: account), group.application != context.application.name else {
            return context.place(of: account)
        }
        return account.safePolicy + Terminal.safe(group.application.map { " of “\($0)”" } ?? " at \(group.origin)")
    }

    /// Returns accounts as a question names them: a few by name, many by their number in each application.
    func question(_ accounts: [StoredAccount]) -> String {
        guard accounts.count > 5 else {
            return accounts.map { "\(Terminal.safe($0.title)) under \(text($0))" }.joined(separator: ", ")
        }
        let parts = Dictionary(grouping: accounts) { numbers[$0.account] ?? 0 }.sorted { $0.key < $1.key }
        let names = parts.map { number, part in
            "\(part.count) \(groups[number].application.map { "of “\($0)”" } ?? "at \(groups[number].origin)")"
        }
        return "\(accounts.count) accounts"
            + (names.count > 1 ? Terminal.safe(" (\(names.joined(separator: ", ")))") : "")
    }
}
