import Susi

// The library's intents as commands of the program.
extension SuggestedCommand {
    /// Makes the command for an intent; returns `nil` for one that is an instruction.
    init?(_ intent: NextStep.Intent) {
        switch intent {
        case .run(let run): self.init(run)
        case .signOut: self = SuggestedCommand("sign-out").without("-a", "-p")
        case .listPolicies: self.init("policies list")
        case .listAccounts(let policy): self = SuggestedCommand("accounts").option("-p", policy?.spelling)
        case .switchAccount(let account, let policy):
            self = SuggestedCommand("switch", account).option("-p", policy.spelling)
        case .readClaims(let policy):
            self = SuggestedCommand("status").flag("--claims").option("-p", policy.spelling)
        case .callAPI(let api, let path): self.init("call", api, path ?? "/PATH")
        case .unlockStore: self.init("store unlock")
        case .checkStore: self.init("store check")
        case .repairStore: self.init("store repair")
        case .dropDamagedRecords: self = SuggestedCommand("store rekey").flag("--drop-damaged")
        case .startEmulator: self.init("emulator run")
        case .nameAPI, .namePolicy, .repeatUnder, .useKeySource, .correctAccount, .narrowAccount, .nameTenant,
            .nameApplication,
            .nameFormat, .parameter, .providePassphrase:
            return nil
        }
    }

    init(_ run: PolicyRun) {
        let name =
            switch run.kind {
            case .signUpOrSignIn, .resourceOwner: "sign-in"
            case .editProfile: "edit-profile"
            case .passwordReset: "reset-password"
            }
        let userName = run.kind == .resourceOwner ? run.userName ?? Self.unknownUserName : nil
        let command = SuggestedCommand(name).option("-p", run.policy?.spelling).option("--username", userName)
            .option("--api", run.api).option("--prompt", run.prompt)
        self =
            switch run.means {
            case .usual: command.option("-a", run.account)
            case .page: command.option("-a", run.account).without("--username", "--password-stdin", "--code-command")
            case .thisDevice: command.option("-a", run.account).without("--device")
            case .printedAddress: command.without("--browser").flag("--no-browser").option("-a", run.account)
            case .passwordFile: command.option("-a", run.account).flag("--password-stdin")
            case .codeCommand: command.option("-a", run.account).option("--code-command", Self.unknownCommand)
            }
    }

    /// The placeholder for a user name that the person has to fill in.
    static let unknownUserName = "NAME"
    /// The placeholder for a command that the person has to fill in.
    static let unknownCommand = "COMMAND"
}

extension NextStep {
    init(_ command: SuggestedCommand) { self.init(custom: CustomStep(command)) }

    /// The command, if the step consists of it alone.
    var onlyCommand: SuggestedCommand? { pieces.count == 1 ? pieces[0].command : nil }
}

extension NextStep.StringInterpolation {
    mutating func appendInterpolation(_ command: SuggestedCommand) {
        appendInterpolation(custom: NextStep.CustomStep(command))
    }
}

extension NextStep.Piece {
    /// The command of this part; `nil` for words and instructions.
    var command: SuggestedCommand? {
        switch self {
        case .words: nil
        case .intent(let intent): SuggestedCommand(intent)
        case .custom(let step): step.value as? SuggestedCommand
        }
    }
}
