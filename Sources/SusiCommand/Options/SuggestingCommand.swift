import ArgumentParser

/// A command that suggests other ones, and accepts `--rehearse`.
protocol SuggestingCommand: ParsableCommand {
    /// Whether `--rehearse` was typed.
    var repeatsRehearsal: Bool { get }
}

/// A command that uses an application of policies.json.
protocol GivenCommand: SuggestingCommand {
    var global: GlobalOptions { get }
}

extension GivenCommand {
    var repeatsRehearsal: Bool { global.rehearse }
}

/// A command whose `-p` names the policy of an account.
protocol PolicyCommand: GivenCommand {
    var givenPolicy: String? { get }
    var givenTenant: String? { get }
}

/// A command whose `-a` names the account that is used.
protocol AccountCommand: GivenCommand {
    var givenAccount: String? { get }
}
