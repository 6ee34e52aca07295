import Susi
import SusiStartup

// The one place that lets names be completed. A shortened name needs a person who sees what it chose: it is accepted only if it
// was typed on a command line whose standard error is a terminal, and not together with `--yes`. What it chose is printed there.
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
        guard completes(exactly: exactly) else { return typed }
        let ofKind = application.policies(shortenedTo: typed, of: kind)
        let meant = ofKind.isEmpty ? application.policies(shortenedTo: typed, of: nil) : ofKind
        guard let first = meant.first else { return typed }
        guard meant.count == 1 else {
            throw SusiError(
                .ambiguousName, "“\(text)” matches \(meant.count) policies of the application “\(application.name)”",
                next: .name(.policy, [first.name.spelling]), candidates: meant.map(\.name.spelling))
        }
        note(text, isShortFor: first.name.spelling)
        return first.name
    }

    /// Returns the selection of the option, else of the environment; without both, the current account of the policy.
    func selection(
        _ account: AccountOption, under policy: PolicyName?, exactly: Bool = false
    ) async throws -> AccountSelection {
        guard let text = account.text else {
            return AccountSelection(policy: policy, text: ProcessEnvironment.current["SUSI_ACCOUNT"])
        }
        return try await selection(text, under: policy, exactly: exactly)
    }

    /// Returns the selection of a typed account.
    func selection(
        _ text: String, under name: PolicyName?, exactly: Bool = false
    ) async throws -> AccountSelection {
        let typed = AccountSelection(policy: name, text: text)
        guard completes(exactly: exactly), let policy = try? client.policy(name),
            let account = try await client.finding({ try $0.account(shortenedTo: text, under: policy) })
        else { return typed }
        note(text, isShortFor: account.title)
        return AccountSelection(account).under(policy)
    }

    /// Returns the accounts that a typed name means under one policy or under all: with the same name, or the same person if it is
    /// shortened.
    func accounts(named text: String, under policy: Policy?, exactly: Bool = false) async throws -> [StoredAccount] {
        let completing = completes(exactly: exactly)
        let found = try await client.finding { try $0.accounts(named: text, under: policy, completing: completing) }
        if found.isShortened, let first = found.accounts.ofOnePerson { note(text, isShortFor: first.title) }
        return found.accounts
    }

    /// Returns the accounts of the one person whom a typed name means, under any policy. Throws if there is none or several.
    func accounts(ofPersonNamed text: String, exactly: Bool = false) async throws -> [StoredAccount] {
        let found = try await accounts(named: text, under: nil, exactly: exactly)
        if found.ofOnePerson != nil { return found }
        return [try await client.finding { try $0.only(found, named: text, under: nil) }]
    }

    /// Returns the person whom a typed name means for a sign-in; the person may be known at home, or under another policy of the
    /// same authority.
    func expectedPerson(_ text: String, under name: PolicyName?, api: String?) async throws -> ExpectedPerson? {
        let typed = AccountSelection(policy: name, text: text)
        let (person, shortFor) = try await client.expectedPerson(
            typed, api: api, completing: completes(exactly: false))
        if let shortFor { note(text, isShortFor: shortFor.title) }
        return person
    }

    // Names are completed only where a person sees what they chose.
    private func completes(exactly: Bool) -> Bool { console.errIsTerminal && !exactly }

    private func note(_ text: String, isShortFor name: String) {
        console.err(console.errStyle.faint(Terminal.safe("“\(text)” is short for \(name)")))
    }
}
