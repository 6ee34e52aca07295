import ArgumentParser
import Susi
import SusiBase
import SusiStartup

/// The options that have the same meaning in every command.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: [.customShort("A"), .long], help: "Application of policies.json (SUSI_APPLICATION)",
        completion: LiveNames.applications)
    var application: String?

    @Option(help: ArgumentHelp("Policies file (SUSI_CONFIG)", valueName: "file"), completion: .file())
    var config: String?

    @Flag(help: "Never ask on the terminal")
    var noInput = false

    @Flag(name: [.short, .long], help: "Log the exchanges on standard error, without secrets")
    var verbose = false

    @Flag(help: "Log headers too, with every secret hidden")
    var debug = false

    @Flag(help: "Print without colors")
    var noColor = false

    /// The application named by the flag or the environment.
    var namedApplication: String? { application ?? ProcessEnvironment.current["SUSI_APPLICATION"] }
}

struct JSONOption: ParsableArguments {
    @Flag(help: "Print the result as one JSON object")
    var json = false
}

/// `--json` for commands whose result is not their own: the body of an API's response, or a token for another program.
struct JSONErrorsOption: ParsableArguments {
    @Flag(help: "Print an error as one JSON object; the result is unchanged")
    var json = false
}

struct PolicyOption: ParsableArguments {
    @Option(
        name: [.customShort("p"), .customLong("policy")],
        help: "Policy; on a terminal, a unique part is enough (SUSI_POLICY)",
        completion: LiveNames.policies)
    var text: String?

    @OptionGroup var tenant: TenantOption

    /// Returns the policy from the flag, else from the environment, else that of `api`; `nil` means the application's default.
    /// `exactly` takes a typed name as it is.
    func name(in context: Context, api: String? = nil, exactly: Bool = false) throws -> PolicyName? {
        try text.map { try context.policyName($0, exactly: exactly) }
            ?? ProcessEnvironment.current["SUSI_POLICY"].map { PolicyName($0) }
            ?? api.flatMap { context.application.api($0)?.policy }
    }
}

struct AccountOption: ParsableArguments {
    @Option(
        name: [.customShort("a"), .customLong("account")],
        help: "Account: email or identifier; on a terminal, the start of one (SUSI_ACCOUNT)",
        completion: LiveNames.accounts)
    var text: String?

    /// The account from the flag, else from the environment; `nil` means the current account.
    var chosen: String? { text ?? ProcessEnvironment.current["SUSI_ACCOUNT"] }
}

/// A duration in seconds, parsed from a number with a unit.
struct Seconds {
    let value: Int64

    static func parse(_ text: String) throws -> Seconds {
        guard let value = Duration.seconds(in: text) else {
            throw ValidationError("expected a time such as 90s, 5m or 1h")
        }
        return Seconds(value: value)
    }

    static func positive(_ text: String) throws -> Seconds {
        guard let seconds = try? parse(text), seconds.value > 0 else {
            throw ValidationError("expected a time of one second or more such as 30s, 5m, 2h or 14d")
        }
        return seconds
    }
}
