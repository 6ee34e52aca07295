public import SusiPolicies
public import SusiStore

/// How a suggested command names a known person.
struct PersonReference: Hashable, Sendable {
    /// What `-a` takes: the account's label, or the subject where several accounts have that label.
    let text: String
    /// What `--username` takes; nil where the store knows no user name.
    let userName: String?
}

extension PublicClient {
    /// The same step with sign-ins that demand the person of an account: the command ends with
    /// ``SusiError/Code/differentPerson`` for anybody else.
    public func demanding(_ account: StoredAccount, in step: NextStep) -> NextStep {
        step.demanding(reference(to: account))
    }

    /// How suggested commands name the account.
    func reference(to account: StoredAccount) -> PersonReference {
        let policy = application.policy(account.account.policy)
        let found = policy.flatMap { policy in
            try? existingStore()?.find(
                account.label, in: [scope(of: policy)], policy: policy.name, matching: .exactly)
        }
        let isUnique = found?.map(\.account) == [account.account]
        return PersonReference(
            text: isUnique ? account.label : account.account.person.subject, userName: account.profile.hint)
    }

    /// The label of the person with that whole address, name or identifier, if the store knows exactly one; else the text.
    func label(of text: String) -> String {
        let found = (try? existingStore()?.find(text, in: scopes, policy: nil, matching: .exactly)) ?? []
        return Set(found.map(\.account.person)).count == 1 ? found[0].label : text
    }
}

extension NextStep {
    /// The same step with sign-ins that demand that person.
    func demanding(_ person: PersonReference) -> NextStep {
        changingCommands { command in
            guard ["sign-in", "edit-profile"].contains(command.name) else { return command }
            let names = Set(command.options.map(\.name))
            if names.contains("--username"), let userName = person.userName {
                return command.replacing("--username", with: userName)
            }
            return names.contains("-a") ? command : command.option("-a", person.text)
        }
    }
}

extension SusiError {
    /// The same error with suggested sign-ins that demand that person.
    func demanding(_ person: PersonReference) -> SusiError {
        var error = self
        error.nextStep = nextStep.demanding(person)
        return error
    }
}
