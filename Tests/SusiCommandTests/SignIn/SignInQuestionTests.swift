import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// The question “Sign in now?” on a terminal.
@Suite("Question for a sign-in", .inTurn, .timeLimit(.minutes(5)))
struct SignInQuestionTests {
    /// Runs a command on a terminal, answers the question, and signs in as often as the browser opens. Without an answer, the input
    /// ends.
    private static func run(
        _ command: Program, answer: String?, as people: [LocalTenant.Person], _ tenant: LocalTenant
    ) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        var command = command
        command.environment.merge(["BROWSER": browser.command, "NO_COLOR": "1"]) { $1 }
        return try await command.inTerminal().start { run in
            try await run.type(answer.map { "\($0)\n" } ?? "\u{4}", at: "Sign in now? [Y/n] ")
            for person in people { try await FormBrowser(answers: person.answers).open(try await browser.nextURL()) }
            return try await run.waitUntilExit()
        }
    }

    @Test(arguments: [["token", "hello"], ["call", "hello", "-i"]])
    func signsInAndContinues(_ arguments: [String]) async throws {
        try await withLocalTenant { tenant in
            let outcome = try await Self.run(tenant.susi.command(arguments), answer: "", as: [.ana], tenant).exits(
                0, printing: "Signed in as Ana Lima")
            let end = arguments[0] == "token" ? #/eyJ[A-Za-z0-9_.-]+\s*$/# : #/Hello, Ana Lima/#
            #expect(outcome.standardOutput.contains(end), "\(outcome)")
        }
    }

    @Test func writesNothingButTheResultToStandardOutput() async throws {
        try await withLocalTenant { tenant in
            let command = tenant.susi.shell("\"$0\" token > result; exit $?")
            try await Self.run(command, answer: "yes", as: [.ana], tenant).exits(0, printing: "Ana Lima")
            let result = try tenant.susi.home.work("result").text()
            #expect(result.wholeMatch(of: #/eyJ[A-Za-z0-9_.-]+\n/#) != nil, "\(result)")
        }
    }

    @Test func startsTheCommandOfExecAfterwards() async throws {
        try await withLocalTenant { tenant in
            let command = tenant.susi.command(["exec", "sh", "-c", "echo started ${SUSI_ACCESS_TOKEN%%.*}"])
            try await Self.run(command, answer: "y", as: [.ana], tenant).exits(0, printing: "started eyJ")
        }
    }

    @Test func requiresTheSamePersonAndKeepsTheCurrentAccount() async throws {
        try await withLocalTenant { tenant in
            for person in [LocalTenant.Person.ana, .ben] { try await tenant.signIn(person) }
            tenant.emulator.clock.advance(by: 15 * 86_400)
            let later = ["SUSI_CLOCK": "+15d"]
            let command = tenant.susi.command(["token", "-a", "ana@contoso.example"], environment: later)
            try await Self.run(command, answer: "y", as: [.chi], tenant).exits(7, hiding: "eyJ")
            try await Self.run(command, answer: "y", as: [.ana], tenant).exits(0, printing: "ben@contoso.example")
            let status = try await tenant.susi.run("status", environment: later)
            #expect(status.standardOutput.contains("Ben"), "\(status)")
        }
    }

    @Test(arguments: ["n", "maybe", nil] as [String?])
    func failsWithoutAYes(_ answer: String?) async throws {
        try await withLocalTenant { tenant in
            let outcome = try await Self.run(tenant.susi.command(["token"]), answer: answer, as: [], tenant).exits(4)
            let end = "B2C_1_susi\r\n  Sign in now? [Y/n] \(answer ?? "")\r\n  next: susi sign-in\r\n"
            #expect(outcome.standardOutput.hasSuffix(end), "\(outcome)")
        }
    }

    @Test func asksOnlyOnATerminal() async throws {
        try await withLocalTenant { _, susi in
            for arguments in [["token", "--no-input"], ["token", "--json"], ["exec", "--json", "ls"]] {
                try await susi.command(arguments).inTerminal().run().exits(4, hiding: "[Y/n]")
            }
            try await susi.run("token", input: "y\n").exits(4, hiding: "[Y/n]")
            try await susi.shell("\"$0\" token 2> error; exit $?").inTerminal().run().exits(4)
        }
    }
}
