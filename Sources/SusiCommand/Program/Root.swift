import ArgumentParser

struct Root: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "susi", abstract: "Manage Azure AD B2C accounts, one per policy, and their tokens.",
        discussion: """
              susi demo                 show a complete session in a few seconds
              susi emulator run         run a local tenant; then: susi sign-in
              susi help exit-codes      also: environment, error-codes
              susi help --json          the same and all commands, for programs
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Daily",
                subcommands: [
                    SignInCommand.self, CallCommand.self, TokenCommand.self, ExecCommand.self, StatusCommand.self,
                    AccountsCommand.self, SwitchCommand.self, SignOutCommand.self,
                ]),
            CommandGroup(
                name: "Account and token",
                subcommands: [
                    EditProfileCommand.self, ResetPasswordCommand.self, RemoveCommand.self, InspectCommand.self,
                    CompareCommand.self,
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
}
