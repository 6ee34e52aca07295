import ArgumentParser
import Susi
import SystemPackage

/// `susi exec`.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run a command with an access token in its environment; never opens a browser.",
        discussion: """
            susi exec -- sh -c 'curl -H "Authorization: Bearer $SUSI_ACCESS_TOKEN" http://localhost:8480/api/hello'
            susi exec --api hello --env API_TOKEN --min-valid 10m -- ./deploy.sh

            The token is in SUSI_ACCESS_TOKEN, its end in SUSI_ACCESS_TOKEN_EXPIRATION. The command takes the place of susi:
            streams, signals and the exit status are its own.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption

    @Option(help: "The API that the token is for; else the one of the policy.")
    var api: String?

    @Option(help: ArgumentHelp("One more variable for the token; may be repeated.", valueName: "name"))
    var env: [String] = []

    @Option(help: ArgumentHelp("How long the token must still be valid, for instance 5m.", valueName: "time"))
    var minValid: Seconds?

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command with its arguments.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("A command stands behind “--”: susi exec -- CMD") }
        for name in env where !Self.isName(name) { throw ValidationError("“\(name)” cannot be a variable's name.") }
    }

    func run() async throws {
        let context = try Context(global)
        let token = try await context.working("getting a token") { _ in
            try await context.client.token(
                api: api, of: AccountSelection(policy: policy.name, text: account.chosen),
                options: TokenRequestOptions(minimum: minValid?.value))
        }
        let reason = Surroundings.become(command, adding: TokenVariable.all(of: token, names: env))
        context.console.report(
            SusiError(.failed, "“\(command[0])” was not started", why: "\(reason)", next: "check the command's name"))
        // The codes of env(1) and of shells.
        throw CommandEnded(code: reason == .noSuchFileOrDirectory ? .notFound : .notExecutable)
    }

    // IEEE Std 1003.1, chapter 8.1.
    private static func isName(_ text: String) -> Bool {
        let isDigit = text.first?.isNumber ?? true
        return !isDigit && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
