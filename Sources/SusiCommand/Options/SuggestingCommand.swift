import ArgumentParser

/// A command that uses an application of policies.json.
protocol GivenCommand: ParsableCommand {
    var global: GlobalOptions { get }
    /// Whether it means the local copy of the application's tenant.
    var usesCopy: Bool { get }
    /// Whether the policies file must be trusted; not if nothing is sent to the application's servers.
    var needsTrust: Bool { get }
    /// Whether it works without the policies file, if that was found and is not trusted or cannot be read.
    var worksWithoutTrust: Bool { get }
    /// The time for which a called API may be silent; `nil` for the usual one.
    var longestSilence: Seconds? { get }
}

extension GivenCommand {
    var usesCopy: Bool { false }
    var needsTrust: Bool { true }
    var worksWithoutTrust: Bool { false }
    var longestSilence: Seconds? { nil }
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

/// A command that may open a page of the provider.
protocol PageCommand: GivenCommand {
    var browser: BrowserOptions { get }
}
