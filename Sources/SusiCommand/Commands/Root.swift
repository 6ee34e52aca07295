import ArgumentParser

struct Root: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "susi", abstract: "Manage Azure AD B2C accounts, one per policy, and their tokens.",
        discussion: """
              susi demo                 show a complete session in a few seconds
              susi emulator run         run a local tenant
              susi sign-in              sign in through the browser
              susi call hello           call an API of policies.json
              susi exec ./deploy.sh     run a program with a token
              TOKEN=$(susi token)       use a token in a script

              susi help exit-codes      exit codes and their meaning
              susi help environment     environment variables
              susi help error-codes     error codes of servers and remedies
              susi explain AADB2C90118  one of them
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Account",
                subcommands: [
                    SignInCommand.self, SignOutCommand.self, StatusCommand.self, AccountsCommand.self,
                    SwitchCommand.self, RemoveCommand.self, EditProfileCommand.self, ResetPasswordCommand.self,
                ]),
            CommandGroup(
                name: "Token",
                subcommands: [
                    TokenCommand.self, CallCommand.self, ExecCommand.self, InspectCommand.self, CompareCommand.self,
                ]),
            CommandGroup(
                name: "Setup",
                subcommands: [
                    InitCommand.self, PoliciesCommand.self, DoctorCommand.self, ExplainCommand.self,
                    CompletionCommand.self,
                ]),
            CommandGroup(
                name: "Store", subcommands: [StoreCommand.self, ExportCommand.self, ImportCommand.self]),
            CommandGroup(name: "Local tenant", subcommands: [DemoCommand.self, EmulatorCommand.self]),
        ])

    /// The same commands without the parser's own `--generate-completion-script`: to look for it takes as long as the rest.
    struct Quick: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "", _superCommandName: "susi", subcommands: Root.configuration.subcommands)
    }
}
