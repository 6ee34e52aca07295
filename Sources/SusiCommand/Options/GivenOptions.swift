import ArgumentParser
import Susi
import SusiStartup

/// The options of this command line that suggested commands repeat: who acts, and where. The only place that adds them.
struct GivenOptions: Sendable {
    // The command's own name; empty for a command line that cannot be parsed.
    private var command = ""
    private var namesPolicy = false
    private var namesAccount = false
    var policy: String?
    private(set) var tenant: String?
    private(set) var account: String?
    private(set) var application: String?
    private(set) var config: String?
    private var printsAddress = false

    init() {}

    init(_ command: any ParsableCommand) {
        if let command = command as? any GivenCommand { self.init(of: command) } else { self.init(named: command) }
    }

    init(of command: some GivenCommand) {
        self.init(named: command)
        application = command.global.application
        config = command.global.config.map(Self.repeatable)
        printsAddress = command.printsAddress
        (namesPolicy, namesAccount) = (command.names.contains(.policy), command.names.contains(.account))
        (policy, tenant, account) = (command.givenPolicy, command.givenTenant, command.givenAccount)
    }

    init(named command: any ParsableCommand) { self.command = type(of: command).configuration.commandName ?? "" }

    /// The same for another application, which has other policies.
    func using(application: String) -> GivenOptions {
        changed { given in (given.application, given.policy) = (application, nil) }
    }

    func using(config path: String?) -> GivenOptions { changed { $0.config = path } }

    private func changed(_ change: (inout GivenOptions) -> Void) -> GivenOptions {
        var given = self
        change(&given)
        return given
    }

    /// Returns a file's name for a suggested command. A later command does not have the open files of this one.
    static func repeatable(_ file: String) -> String {
        ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains(where: file.hasPrefix) ? "FILE" : file
    }

    /// Adds the given options that the command accepts and does not have.
    func completing(_ command: SuggestedCommand) -> SuggestedCommand {
        let type = Program.commands(in: command.name.split(separator: " ").map(String.init)).last
        let isGiven = type is any GivenCommand.Type
        let isUnderPolicy = type is any PolicyCommand.Type
        let values = [
            ("-p", policy, isUnderPolicy), ("--tenant", tenant, isUnderPolicy),
            ("-a", account, type is any AccountCommand.Type), ("-A", application, isGiven),
            ("--config", config, isGiven),
        ]
        var command = withoutUsualPolicy(command)
        for (option, value, isAccepted) in values where isAccepted && !command.settles(option) {
            command = command.option(option, value)
        }
        let opensPage = ["sign-in", "edit-profile", "reset-password"].contains(command.name)
        command = command.flag(
            "--no-browser",
            printsAddress && opensPage && !command.settles("--no-browser") && !command.settles("--username"))
        return command
    }

    // A sign-in needs no name for the default policy.
    private func withoutUsualPolicy(_ command: SuggestedCommand) -> SuggestedCommand {
        let names = command.options.map(\.name)
        guard command.name == "sign-in", names.contains("-p"), !names.contains("--api"), !names.contains("--username"),
            let named = command.options.first(where: { $0.name == "-p" })?.value, PolicyName(named) == usualPolicy
        else { return command }
        return command.leavingOut("-p")
    }

    // Read again: an error may come before the policies file was read, and most need no suggestion.
    private var usualPolicy: PolicyName? {
        let environment = ProcessEnvironment.current
        guard policy == nil, environment["SUSI_POLICY"] == nil else { return nil }
        let name = application ?? environment["SUSI_APPLICATION"]
        let paths = try? Paths(config: config, in: environment)
        return (try? paths?.read(for: name))?.file.application(name)?.defaultPolicy?.name
    }

    /// Returns the step as a person types it, with every command in it completed.
    func text(_ step: NextStep) -> String {
        switch step {
        case .words(let words): words
        case .remark(let step): "    (\(text(step)))"
        case .joined(let parts): parts.map(text).joined()
        case .underPolicy(let policy) where namesPolicy: text(.name(.policy, [policy.spelling]))
        case .correctAccount(let account) where command(step) == nil:
            "name the account \(namesAccount ? "with -a " : "")\(account.shellWord)"
        case .name(let subject, let names) where command(step) == nil: text(naming: subject, names.map(\.shellWord))
        case .narrowAccount: "type more characters or an identifier\(namesPolicy ? ", or name the policy with -p" : "")"
        case .parameter(let name): PageOptions.option(ofParameter: name)
        case .providePassphrase: "set SUSI_PASSPHRASE_FILE"
        case .run(let run) where run.means == .thisDevice: parts(of: step).map(text).joined()
        case .run(let run) where run.means == .passwordFile: "\(completing(SuggestedCommand(run))) < FILE"
        default: command(step)?.description ?? step.description
        }
    }

    /// Returns the step for a program: a command that can be typed as it is, if the step is one, and what else the step says.
    func split(_ step: NextStep) -> (command: String?, words: String) {
        let parts = parts(of: step)
        let isCommand = parts.dropFirst().first.map { if case .remark = $0 { true } else { false } } ?? true
        let typed = parts.first.flatMap(command).flatMap { isCommand && $0.isComplete ? $0.description : nil }
        let words = parts.map { if case .remark(let step) = $0 { " (\(text(step)))" } else { text($0) } }.joined()
        return (typed, words == typed ? "" : words)
    }

    // A sign-in on this device has a remark.
    private func parts(of step: NextStep) -> [NextStep] {
        step.parts.flatMap { part -> [NextStep] in
            guard case .run(let run) = part, run.means == .thisDevice else { return [part] }
            let remark = NextStep.remark("with --no-browser, open the page on any device")
            return [.run(run.by(.usual))] + (printsAddress ? [] : [remark])
        }
    }

    // The command that a step is; `nil` for instructions.
    private func command(_ step: NextStep) -> SuggestedCommand? {
        switch step {
        case .name(.api, let names) where ["call", "token"].contains(command):
            completing(SuggestedCommand(command, names))
        case .underPolicy where !namesPolicy: command(.listAccounts(nil))
        case .correctAccount(let account): correcting(account)
        case .run(let run) where run.means == .passwordFile: nil
        default: SuggestedCommand(step).map(completing)
        }
    }

    private func text(naming subject: NextStep.Subject, _ names: [String]) -> String {
        let name = names.first ?? ""
        switch subject {
        case .api where command == "inspect":
            return "\(completing(SuggestedCommand("token", [name]))) | susi inspect -"
        case .api: return "name the API with --api \(name)"
        case .policy: return "name a policy with -p, for example -p \(name)"
        case .tenant: return "name the tenant with --tenant \(name)"
        case .application: return "the right application: " + names.map { "-A \($0)" }.joined(separator: " or ")
        case .format: return "leave out --from, or use --from \(name)"
        case .keySource:
            let setting = command == "rekey" ? "susi store rekey --to " : "set SUSI_KEY_SOURCE to "
            return setting + names.joined(separator: " or ")
        }
    }

    // A command that removes is never suggested with a guessed account.
    private func correcting(_ account: String) -> SuggestedCommand? {
        if ["remove", "sign-out"].contains(command) || account.hasPrefix("-") { return command(.listAccounts(nil)) }
        return command == "switch" ? completing(SuggestedCommand("switch", account)) : nil
    }
}

extension SusiError {
    /// Returns the error with every command in its next step completed.
    func completed(by given: GivenOptions) -> SusiError {
        SusiError(
            code, what, why: why, next: NextStep(given.text(nextStep)), candidates: candidates, refusal: refusal,
            scopes: scopes)
    }
}
