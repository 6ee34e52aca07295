import ArgumentParser
import Susi
import SusiEntry

/// The options of this command line that suggested commands repeat. The only place that adds them.
struct GivenOptions: Sendable {
    private let again: SuggestedCommand?
    private let options: [GivenOption]

    /// No options, for a command line that cannot be parsed.
    static let none = GivenOptions(again: nil, options: [])

    private init(again: SuggestedCommand?, options: [GivenOption]) { (self.again, self.options) = (again, options) }

    init(_ command: any ParsableCommand) {
        guard let command = command as? any SuggestingCommand else {
            self = .none
            return
        }
        self.init(again: command.again, options: command.given)
    }

    /// The same with `--rehearse`, for a command that uses a copy without that option.
    var rehearsing: GivenOptions {
        let option = GivenOption(meaning: .rehearse, value: nil)
        return options.contains(option) ? self : GivenOptions(again: again, options: options + [option])
    }

    /// The same for another application, which has other policies.
    func using(application: String) -> GivenOptions {
        let kept = options.filter { ![.application, .policy].contains($0.meaning) }
        return GivenOptions(again: again, options: [GivenOption(meaning: .application, value: application)] + kept)
    }

    /// The same with another policies file.
    func using(config path: String) -> GivenOptions {
        let kept = options.filter { $0.meaning != .config }
        return GivenOptions(again: again, options: kept + [GivenOption(meaning: .config, value: path)])
    }

    /// Adds the given options that the command accepts and does not have.
    func completing(_ command: SuggestedCommand) -> SuggestedCommand {
        options.reduce(withoutUsualPolicy(command)) { command, given in
            let meaning = given.meaning
            guard meaning.isAccepted(by: command) else { return command }
            guard let value = given.value else { return command.flag(meaning.option) }
            if command.options.contains(where: { $0.name == meaning.option && $0.value == value }) { return command }
            guard meaning == .api else { return command.option(meaning.option, value) }
            return command.arguments.isEmpty ? Self.naming(value, in: command) : command
        }
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
        let value = { (meaning: GivenOption.Meaning) in options.first { $0.meaning == meaning }?.value }
        let environment = ProcessEnvironment.current
        guard value(.policy) == nil, environment["SUSI_POLICY"] == nil else { return nil }
        let name = value(.application) ?? environment["SUSI_APPLICATION"]
        let rehearses = options.contains { $0.meaning == .rehearse } || environment.rehearses
        let paths = try? Paths(config: value(.config), rehearses: rehearses, in: environment)
        return (try? paths?.read(for: name))?.file.application(name)?.defaultPolicy?.name
    }

    /// Returns the text of a next step, with every command in it completed.
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
            if let again, GivenOption.Meaning.api.isAccepted(by: again.name) {
                completing(Self.naming(api, in: again)).description
            } else {
                intent.description
            }
        case .correctAccount: completing(SuggestedCommand("accounts")).description
        case .namePolicy(let policy): "name a policy with -p, for example -p \(policy.shellWord)"
        // `Program.corrected` repeats the words of the command line, unless they name a policy or cannot.
        case .repeatUnder(let policy):
            again.map { GivenOption.Meaning.policy.isAccepted(by: $0.name) } ?? false
                ? text(.namePolicy(policy.spelling)) : text(.listAccounts(policy: nil))
        case .useKeySource(let sources): Self.using(sources, again)
        case .narrowAccount: "type more characters or an identifier, or name the policy with -p"
        case .nameTenant(let tenant): "name the tenant with --tenant \(tenant.shellWord)"
        case .nameApplication(let names):
            "the right application: " + names.map { "-A \($0.shellWord)" }.joined(separator: " or ")
        case .nameFormat(let format): "leave out --from, or use --from \(format)"
        case .parameter(let name): PageOptions.option(ofParameter: name)
        case .providePassphrase: "set SUSI_PASSPHRASE_FILE"
        case .run(let run) where run.means == .thisDevice:
            "\(completing(SuggestedCommand(run)))    (with --no-browser, open the page on any device)"
        case .run(let run) where run.means == .passwordFile: "\(completing(SuggestedCommand(run))) < FILE"
        default: SuggestedCommand(intent).map { completing($0).description } ?? intent.description
        }
    }

    // Only `store rekey` has an option for the source.
    private static func using(_ sources: [KeySource], _ again: SuggestedCommand?) -> String {
        let isRekey = again?.name == "store rekey"
        let setting = isRekey ? "\(SuggestedCommand("store rekey")) --to " : "set SUSI_KEY_SOURCE to "
        return setting + sources.map(\.rawValue).joined(separator: " or ")
    }

    private static func naming(_ api: String, in command: SuggestedCommand) -> SuggestedCommand {
        ["call", "token"].contains(command.name) ? command.naming([api]) : command.option("--api", api)
    }
}

extension SusiError {
    /// Returns the error with every command completed. If its next step corrects `arguments`, that becomes the next
    /// step.
    func completed(by given: GivenOptions, of arguments: [String] = []) -> SusiError {
        let step = Program.corrected(arguments, by: nextStep) ?? nextStep
        return SusiError(
            code, what, why: why, next: NextStep(given.text(step)), candidates: candidates, refusal: refusal,
            scopes: scopes)
    }
}
