import Susi
import SusiEntry

// The one place that completes names. A shortened name needs a person who sees what it chose: it is accepted only if it was
// typed on a command line whose standard error is a terminal, and not together with `--yes`. What it chose is printed there.
extension Application {
    /// Returns the policy that a typed name may mean, complete or shortened; for completions and early checks, which use
    /// no account.
    func policy(typed name: PolicyName) -> Policy? {
        if let policy = policy(name) { return policy }
        let meant = policies(shortenedTo: name, of: nil)
        return meant.count == 1 ? meant[0] : nil
    }
}

extension Context {
    /// Returns the complete name of a typed policy; `exactly` takes it as it is.
    func policyName(_ text: String, of kind: PolicyKind? = nil, exactly: Bool = false) throws -> PolicyName {
        let typed = PolicyName(text)
        guard console.errIsTerminal, !exactly else { return typed }
        let ofKind = application.policies(shortenedTo: typed, of: kind)
        let meant = ofKind.isEmpty ? application.policies(shortenedTo: typed, of: nil) : ofKind
        guard let first = meant.first else { return typed }
        guard meant.count == 1 else {
            throw SusiError(
                .unknownName, "“\(text)” matches \(meant.count) policies of the application “\(application.name)”",
                next: NextStep(.namePolicy(first.name.spelling)), candidates: meant.map(\.name.spelling))
        }
        note(text, isShortFor: first.name.spelling)
        return first.name
    }

    /// Returns the selection of the option, else of the environment; without both, the current account of the policy. The policy
    /// is that of the API if none is named.
    func selection(
        _ account: AccountOption, under policy: PolicyName?, api: String? = nil, exactly: Bool = false
    ) async throws -> AccountSelection {
        guard let text = account.text else {
            return AccountSelection(policy: policy, text: ProcessEnvironment.current["SUSI_ACCOUNT"])
        }
        return try await selection(text, under: policy, api: api, exactly: exactly)
    }

    /// Returns the selection of a typed account.
    func selection(
        _ text: String, under name: PolicyName?, api: String? = nil, exactly: Bool = false
    ) async throws -> AccountSelection {
        let typed = AccountSelection(policy: name, text: text)
        let policy = (try? application.target(api: api, policy: name))?.policy ?? (try? client.policy(name))
        guard console.errIsTerminal, !exactly, let policy else { return typed }
        let meanings = try await client.meanings(of: text, under: policy)
        guard !meanings.isEmpty else { return typed }
        let account = try await client.single(meanings, named: text, under: policy)
        note(text, isShortFor: account.title)
        return AccountSelection(account)
    }

    /// Returns the accounts that a typed name means under one policy or under all: with the same name, or the same person if it is
    /// shortened.
    func accounts(named text: String, under policy: Policy?, exactly: Bool = false) async throws -> [StoredAccount] {
        let found = try await client.find(text, policy)
        guard found.isEmpty, console.errIsTerminal, !exactly else { return found }
        let meant = try await client.meanings(of: text, under: policy)
        if let first = meant.first, Set(meant.map(\.account.person)).count == 1 {
            note(text, isShortFor: first.title)
        }
        return meant
    }

    /// Returns the person whom a typed name means for a sign-in; the person may be known at home, or under another policy of the
    /// same authority.
    func expectedPerson(_ text: String, under name: PolicyName?, api: String?) async throws -> ExpectedPerson? {
        var selection = try await selection(text, under: name, api: api)
        if console.errIsTerminal, let policy = (try? application.target(api: api, policy: name))?.policy {
            let scope = ApplicationScope(application, policy)
            let others = try await client.meanings(of: text, under: nil).filter { account in
                application.policy(account.account.policy).map { ApplicationScope(application, $0) } == scope
            }
            if selection == AccountSelection(policy: name, text: text), let known = others.first {
                if Set(others.map(\.account.person)).count > 1 {
                    _ = try await client.single(others, named: text, under: nil)
                }
                note(text, isShortFor: known.title)
                selection = AccountSelection(known).under(policy)
            }
        }
        return try await client.expectedPerson(selection, api: api)
    }

    private func note(_ text: String, isShortFor name: String) {
        console.err(console.errStyle.faint(Terminal.safe("“\(text)” is short for \(name)")))
    }
}
