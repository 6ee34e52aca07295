import ArgumentParser
import Susi

/// The options that mean the same everywhere.
struct GlobalOptions: ParsableArguments {
    @Option(name: [.customShort("A"), .long], help: "The application of policies.json (SUSI_APPLICATION).")
    var application: String?

    @Option(help: ArgumentHelp("The policies file to use (SUSI_CONFIG).", valueName: "file"))
    var config: String?

    @OptionGroup var rehearsal: RehearsalOption

    @Flag(help: "Never ask on the terminal.")
    var noInput = false

    @Flag(name: [.short, .long], help: "Say on standard error what is exchanged, without secrets.")
    var verbose = false

    @Flag(help: "Say all that is exchanged, headers too, with every secret hidden.")
    var debug = false

    @Flag(help: "No colours.")
    var noColor = false

    /// What the next command has to have too.
    var given: [GivenOption] {
        [GivenOption(.application, application), GivenOption(.config, config)].compactMap(\.self) + rehearsal.given
    }
}

/// `--json`.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print one JSON object instead of text.")
    var json = false
}

/// `--json` of a command whose result is not its own: the answer of an API, a token for another program.
struct JSONErrorsOption: ParsableArguments {
    @Flag(help: "Tell an error as one JSON object; the result stays as it is.")
    var json = false
}

/// `-p`.
struct PolicyOption: ParsableArguments {
    @Option(name: [.customShort("p"), .customLong("policy")], help: "The policy (SUSI_POLICY).")
    var text: String?

    /// The flag, else the environment; nil leaves it to the application's default.
    var name: PolicyName? {
        (text ?? Surroundings.current["SUSI_POLICY"]).map { PolicyName($0) }
    }

    /// What the next command has to have too.
    var given: [GivenOption] { [GivenOption(.policy, text)].compactMap(\.self) }
}

/// `-a`.
struct AccountOption: ParsableArguments {
    @Option(
        name: [.customShort("a"), .customLong("account")],
        help: "The account: an email address, a name, or the beginning of an identifier (SUSI_ACCOUNT).")
    var text: String?

    /// The flag, else the environment; nil means the current account.
    var chosen: String? { text ?? Surroundings.current["SUSI_ACCOUNT"] }

    /// What the next command has to have too.
    var given: [GivenOption] { [GivenOption(.account, text)].compactMap(\.self) }
}

/// A number of seconds written with a unit.
struct Seconds: ExpressibleByArgument {
    let value: Int64

    init?(argument: String) {
        guard let value = Duration.seconds(in: argument) else { return nil }
        self.value = value
    }
}
