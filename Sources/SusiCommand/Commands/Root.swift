import ArgumentParser

/// `susi`.
struct Root: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "susi", abstract: "Accounts of Azure AD B2C, one per policy, on the command line.",
        discussion: """
            susi demo                          see all of it in a few seconds, without any set-up
            susi emulator run                  a local tenant for development and tests
            susi sign-in                       sign in through the browser
            susi call hello                    call an API of policies.json
            susi exec -- ./deploy.sh           a token for another program, in its environment only
            TOKEN=$(susi token)                a token for anything else

            susi help exit-codes               what each exit code means
            susi help environment              the variables that are read
            susi help error-codes              what the codes of a server's refusal mean
            """,
        version: "0.1.0",
        subcommands: [
            SignInCommand.self, EditProfileCommand.self, ResetPasswordCommand.self, AccountsCommand.self,
            StatusCommand.self, SwitchCommand.self, TokenCommand.self, CallCommand.self, ExecCommand.self,
            InspectCommand.self, RemoveCommand.self, SignOutCommand.self, ImportCommand.self, ExportCommand.self,
            InitCommand.self, PoliciesCommand.self, StoreCommand.self, EmulatorCommand.self, DoctorCommand.self,
            DemoCommand.self,
        ])
}
