import ArgumentParser
import Susi

/// A command whose options are repeated in the commands that it suggests.
protocol SuggestingCommand: ParsableCommand {
    /// Those of its own options that the next command needs too.
    var given: [GivenOption] { get }
    /// Those of the options that mean the same everywhere.
    var givenEverywhere: [GivenOption] { get }
    /// The command itself, without them.
    var again: SuggestedCommand { get }
}

extension SuggestingCommand {
    var given: [GivenOption] { [] }
    var again: SuggestedCommand { SuggestedCommand(Self.configuration.commandName ?? "") }
}

/// A command that uses an application of policies.json.
protocol GivenCommand: SuggestingCommand {
    /// The options that mean the same everywhere.
    var global: GlobalOptions { get }
}

extension GivenCommand {
    var givenEverywhere: [GivenOption] { global.given }
}

/// An option that was given, by what it means: `-p` of `edit-profile` is another policy than that of `token`.
struct GivenOption: Equatable {
    let meaning: Meaning
    /// The value; nil for a flag.
    let value: String?

    /// Nil when it was not given.
    init?(_ meaning: Meaning, _ value: String?) {
        guard let value else { return nil }
        (self.meaning, self.value) = (meaning, value)
    }

    /// Nil when the flag was not given.
    init?(_ meaning: Meaning, isSet: Bool) {
        guard isSet else { return nil }
        (self.meaning, value) = (meaning, nil)
    }

    /// The options `--scope`, one for each.
    static func scopes(_ scopes: [String]) -> [GivenOption] { scopes.compactMap { GivenOption(.scope, $0) } }

    /// What an option means.
    enum Meaning: CaseIterable {
        case policy, editPolicy, resetPolicy, account, api, scope, username, passwordStdin, device
        case noBrowser, browser, port
        case application, config, rehearse

        /// The option as it is typed.
        var option: String {
            switch self {
            case .policy, .editPolicy, .resetPolicy: "-p"
            case .account: "-a"
            case .api: "--api"
            case .scope: "--scope"
            case .username: "--username"
            case .passwordStdin: "--password-stdin"
            case .device: "--device"
            case .noBrowser: "--no-browser"
            case .browser: "--browser"
            case .port: "--port"
            case .application: "-A"
            case .config: "--config"
            case .rehearse: "--rehearse"
            }
        }

        /// Whether that command takes the option in this meaning, beside what it says itself.
        func isTaken(by command: SuggestedCommand) -> Bool {
            let own = Set(command.options.map(\.name))
            // That one may be repeated.
            let isFree = self == .scope || !own.contains(option)
            guard isTaken(by: command.name), isFree, !command.refused.contains(option) else { return false }
            switch self {
            // There is no page on this machine then.
            case .device: return !own.contains("--username")
            case .noBrowser, .browser, .port: return own.isDisjoint(with: ["--username", "--device"])
            default: return true
            }
        }

        /// Whether that command takes the option, and takes it in this meaning.
        func isTaken(by command: String) -> Bool {
            switch self {
            case .policy:
                [
                    "sign-in", "accounts", "status", "switch", "token", "call", "exec", "inspect", "remove", "sign-out",
                    "export", "policies check",
                ].contains(command)
            case .editPolicy: command == "edit-profile"
            case .resetPolicy: command == "reset-password"
            case .account:
                [
                    "sign-in", "edit-profile", "status", "token", "call", "exec", "inspect", "sign-out", "export",
                ].contains(command)
            case .api, .scope: ["sign-in", "exec", "token", "call"].contains(command)
            case .username, .passwordStdin, .device: command == "sign-in"
            case .noBrowser, .browser, .port:
                ["sign-in", "edit-profile", "reset-password"].contains(command)
            // Trust is of a file, whichever application it is used for.
            case .application: command != "policies trust" && Self.readsPolicies(command)
            case .config: Self.readsPolicies(command)
            case .rehearse:
                command != "policies trust" && Self.readsPolicies(command) || command.hasPrefix("store ")
                    || ["emulator reset", "emulator trust"].contains(command)
            }
        }

        private static func readsPolicies(_ command: String) -> Bool {
            !command.hasPrefix("help") && !command.hasPrefix("store ")
                && ![
                    "completion", "demo", "init", "policies schema", "emulator trust", "emulator exec",
                    "emulator reset",
                    "emulator schema",
                ].contains(command)
        }
    }
}

/// What was given on the command line: the one place where a command that is to be typed gets what it needs of that.
struct GivenOptions: Sendable {
    private let again: SuggestedCommand?
    private let options: [GivenOption]

    /// Of a command line that could not be read: nothing.
    static let none = GivenOptions(again: nil, options: [])

    private init(again: SuggestedCommand?, options: [GivenOption]) { (self.again, self.options) = (again, options) }

    init(_ command: any ParsableCommand) {
        guard let command = command as? any SuggestingCommand else {
            self = .none
            return
        }
        self.init(again: command.again, options: command.given + command.givenEverywhere)
    }

    /// The same with `--rehearse`, for a command that uses a copy without that option.
    var rehearsing: GivenOptions {
        guard let option = GivenOption(.rehearse, isSet: true), !options.contains(option) else { return self }
        return GivenOptions(again: again, options: options + [option])
    }

    /// The command with what was given, where it takes that and says nothing else.
    func completing(_ command: SuggestedCommand) -> SuggestedCommand {
        options.reduce(command) { command, given in
            let meaning = given.meaning
            guard meaning.isTaken(by: command) else { return command }
            guard let value = given.value else { return command.flag(meaning.option) }
            if command.options.contains(where: { $0.name == meaning.option && $0.value == value }) { return command }
            guard meaning == .api else { return command.option(meaning.option, value) }
            return command.arguments.isEmpty ? Self.naming(value, in: command) : command
        }
    }

    /// What to do, with every command in it completed.
    func text(_ step: NextStep) -> String {
        step.text { piece in
            switch piece {
            case .words(let words): words
            case .intent(let intent): text(intent)
            case .custom(let step): piece.command.map { completing($0).description } ?? step.value.description
            }
        }
    }

    private func text(_ intent: NextStep.Intent) -> String {
        switch intent {
        case .nameAPI(let api):
            if let again, GivenOption.Meaning.api.isTaken(by: again.name) {
                completing(Self.naming(api, in: again)).description
            } else {
                intent.description
            }
        case .correctAccount: completing(SuggestedCommand("accounts")).description
        case .namePolicy(let policy): "name a policy with -p, for example -p \(policy.shellWord)"
        case .nameAccount(let account, let policy):
            "name one: -p \(policy.spelling.shellWord) -a \(account.shellWord)"
        case .narrowAccount: "type more characters, or name the policy with -p"
        default: SuggestedCommand(intent).map { completing($0).description } ?? intent.description
        }
    }

    private static func naming(_ api: String, in command: SuggestedCommand) -> SuggestedCommand {
        ["call", "token"].contains(command.name) ? command.naming([api]) : command.option("--api", api)
    }
}

extension SusiError {
    /// The same error with every command completed, and the command line `arguments` again where it corrects that.
    func completed(by given: GivenOptions, of arguments: [String] = []) -> SusiError {
        let step = Program.corrected(arguments, by: nextStep) ?? nextStep
        return SusiError(
            code, what, why: why, next: NextStep(given.text(step)), candidates: candidates, refusal: refusal,
            scopes: scopes)
    }
}
