import SusiOAuth
import SusiPolicies
package import SusiStore

/// The name of a stored person in a next step.
package struct PersonReference: Hashable, Sendable {
    /// The account's label, or the subject if several accounts have that label.
    let text: String
    /// The user name; `nil` if the store knows none.
    let userName: String?
}

extension PublicClient {
    /// Returns the same step with sign-ins that demand the person of an account. For another person they fail with
    /// ``SusiError/Code/differentPerson``.
    package func demanding(_ account: StoredAccount, in step: NextStep) -> NextStep {
        step.demanding(reference(to: account))
    }

    /// Returns a complete name that selects the account: the label, or the subject if it does not.
    package func completeName(of account: StoredAccount) -> String { reference(to: account).text }

    /// Returns how next steps name the account.
    func reference(to account: StoredAccount) -> PersonReference {
        AccountFinder(context: context, store: try? session.peek()).reference(to: account)
    }
}

extension AccountFinder {
    /// Returns how next steps name the account.
    func reference(to account: StoredAccount) -> PersonReference {
        let policy = context.application.policy(account.account.policy)
        let found = policy.flatMap { try? named(account.label, .exactly, in: context.area(of: $0)) }
        let isUnique = found?.map(\.account) == [account.account]
        return PersonReference(
            text: isUnique ? account.label : account.account.person.subject, userName: account.profile.hint)
    }
}

extension NextStep {
    /// Returns the same step with sign-ins that demand that person.
    func demanding(_ person: PersonReference) -> NextStep {
        changingRuns { run in
            guard run.kind != .passwordReset else { return run }
            var run = run
            if run.kind == .resourceOwner, let userName = person.userName {
                run.userName = userName
            } else {
                run.account = run.account ?? person.text
            }
            return run
        }
    }
}

extension SusiError {
    /// Returns the same error with suggested sign-ins that demand that person.
    func demanding(_ person: PersonReference) -> SusiError {
        var error = self
        error.nextStep = nextStep.demanding(person)
        return error
    }
}

extension PolicyRun {
    func asking(_ prompt: Prompt) -> PolicyRun {
        var run = self
        run.prompt = prompt.rawValue
        return run
    }
}

extension StoredAccount {
    /// What distinguishes the account from those of other people with its label: the identity provider, if the token named it,
    /// and the person's identifier.
    package var distinction: String {
        [profile.identityProvider, account.person.subject].compactMap(\.self).joined(separator: ", ")
    }

    /// The account's name and label, "Ana Lima <ana@contoso.example>"; without an address or a user name, the identity provider and
    /// the beginning of the identifier: "Ana Lima (google.com, a0a0a0a0)".
    package var title: String {
        if profile.hint == nil, damage == nil {
            let subject = account.person.subject
            let beginning = label == subject ? nil : subject.isGUID ? String(subject.prefix(8)) : subject
            let details = [profile.identityProvider, beginning].compactMap(\.self)
            return details.isEmpty ? label : "\(label) (\(details.joined(separator: ", ")))"
        }
        guard let name = profile.name, name != label else { return label }
        return "\(name) <\(label)>"
    }
}
