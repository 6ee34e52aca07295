import Susi
import SusiEntry

/// The question “Sign in now?” for an error that a sign-in resolves.
struct SignInQuestion {
    private let error: SusiError
    private let next: String
    private let command: SignInCommand

    /// Returns `nil` unless a sign-in alone resolves the error and the user can answer on a terminal.
    init?(_ error: any Error, of arguments: [String], _ given: GivenOptions) {
        let own = Program.ownWords(arguments)
        guard let error = error as? SusiError, ExitCodes(error.code) == .signInNeeded,
            let step = error.nextStep.onlyCommand,
            ProcessEnvironment.current.canAsk, Console.standard.errIsTerminal, !Program.wantsJSON(arguments),
            // Standard input cannot be read a second time.
            Set(own).isDisjoint(with: ["--no-input", "--sign-in", "-", "@-"])
        else { return nil }
        let suggested = given.completing(step)
        guard suggested.name == "sign-in", Program.commands(in: arguments).last != SignInCommand.self,
            let parsed = try? Program.parse(Self.words(of: suggested)), let command = parsed as? SignInCommand,
            // “NAME” is a placeholder that the user must replace.
            command.username != SuggestedCommand.unknownUserName
        else { return nil }
        self.error = error
        self.command = command
        next = suggested.description
    }

    // An account named for one command must not become the current one.
    private static func words(of command: SuggestedCommand) -> [String] {
        let isNamed = command.options.contains { $0.name == "-a" }
        return [command.name] + command.arguments
            + command.options.flatMap { [$0.name] + ($0.value.map { [$0] } ?? []) }
            + (isNamed ? ["--no-switch"] : [])
    }

    /// Asks, and signs in if the answer is yes. Otherwise throws the exit code of the command.
    func signIn() async throws {
        let console = Console.standard
        console.report(SusiError(error.code, error.what, why: error.why, candidates: error.candidates))
        console.ask("  Sign in now? [Y/n] ")
        let answer = try await StandardInput.firstLine()
        // End of input leaves the cursor on the question's line.
        if answer == nil { console.err("") }
        guard let answer, ["", "y", "yes"].contains(answer.lowercased()) else {
            console.advise(next)
            throw CommandEnded(code: .signInNeeded)
        }
        let (context, result) = try await command.perform()
        for line in SignInReport(result, context).lines(console.errStyle) { console.err(line) }
    }
}
