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

    // What the protocols below have: a cast to each of them would search all conformances of the program.
    var names: GivenNames { get }
    var givenPolicy: String? { get }
    var givenTenant: String? { get }
    var givenAccount: String? { get }
    /// Whether it prints the address of a page instead of opening it.
    var printsAddress: Bool { get }
}

/// Which options of a command name who acts.
struct GivenNames: OptionSet {
    let rawValue: Int
    static let policy = GivenNames(rawValue: 1)
    static let account = GivenNames(rawValue: 2)
}

extension GivenCommand {
    var usesCopy: Bool { false }
    var needsTrust: Bool { true }
    var worksWithoutTrust: Bool { false }
    var longestSilence: Seconds? { nil }
    var names: GivenNames { [] }
    var givenPolicy: String? { nil }
    var givenTenant: String? { nil }
    var givenAccount: String? { nil }
    var printsAddress: Bool { false }
}

/// A command whose `-p` names the policy of an account.
protocol PolicyCommand: GivenCommand {}

extension PolicyCommand { var names: GivenNames { .policy } }

/// A command whose `-a` names the account that is used.
protocol AccountCommand: GivenCommand {}

extension AccountCommand { var names: GivenNames { .account } }

extension PolicyCommand where Self: AccountCommand { var names: GivenNames { [.policy, .account] } }

/// A command that may open a page of the provider.
protocol PageCommand: GivenCommand {
    var browser: BrowserOptions { get }
}

extension PageCommand { var printsAddress: Bool { browser.noBrowser } }
