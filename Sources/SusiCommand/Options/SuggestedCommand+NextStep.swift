import Susi

extension NextStep.StringInterpolation {
    /// Keeps a command apart from the words.
    mutating func appendInterpolation(_ command: SuggestedCommand) {
        appendInterpolation(NextStep.program(ProgramStep(command)))
    }
}

// The library's steps as commands of the program.
extension SuggestedCommand {
    /// Makes the command for a step; returns `nil` for words and instructions.
    init?(_ step: NextStep) {
        switch step {
        case .program(let step):
            guard let command = step.value as? SuggestedCommand else { return nil }
            self = command
        case .run(let run): self.init(run)
        case .signOut: self = SuggestedCommand("sign-out").without("-a", "-p")
        case .removePerson: self = SuggestedCommand("remove", "ACCOUNT").flag("--person")
        case .listPolicies: self.init("policies list")
        case .listAccounts(let policy): self = SuggestedCommand("accounts").option("-p", policy?.spelling)
        case .listEverything: self = SuggestedCommand("accounts").flag("--all").without("-A", "-p", "--tenant")
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
        case .words, .remark, .joined, .name, .underPolicy, .correctAccount, .narrowAccount, .parameter,
            .providePassphrase:
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
            .flag("--no-browser", run.means == .printedAddress).option("-a", run.account)
        self =
            switch run.means {
            case .usual, .thisDevice, .printedAddress: command
            case .otherDevice: command.flag("--device")
            case .passwordFile: command.flag("--password-stdin")
            case .codeCommand: command.option("--code-command", Self.unknownCommand)
            }
    }

    /// Whether nothing in it has to be filled in.
    var isComplete: Bool {
        let placeholders: Set = [
            "/PATH", "ACCOUNT", "ADDRESS", "FILE", "ID", "KIND", "SCOPE", Self.unknownCommand, Self.unknownUserName,
        ]
        return placeholders.isDisjoint(with: arguments + options.compactMap(\.value))
    }

    /// The placeholder for a user name that the person has to fill in.
    static let unknownUserName = "NAME"
    /// The placeholder for a command that the person has to fill in.
    static let unknownCommand = "COMMAND"
}
