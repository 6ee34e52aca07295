import Foundation
import Susi
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// `--code-command`, and the questions for password and code on a terminal.
@Suite("Code command", .inTurn, .enabled("curl is missing", { NativeStage.canReadOutbox }), .timeLimit(.minutes(5)))
struct CodeCommandTests {
    private static let ana = LocalTenant.Person.ana.email
    private static let mia = NativeStage.mia.signInName

    private static func code(_ stage: NativeStage) throws -> String {
        try #require(try stage.tenant.emulator.site.tenants.first?.database.outbox(limit: 1).first?.code)
    }

    @Test(
        "a command that fails, prints nothing or no code is an error that does not show its output",
        arguments: [
            "echo secret-12; exit 3", "true", "echo", "echo 'two words'", "printf 'a\\033[31mb\\n'",
            "head -c 65 /dev/zero | tr '\\0' 7", "head -c 3000000 /dev/zero | tr '\\0' 7", "echo ä", "no-such-command",
            "kill -9 $$",
        ])
    func reportsUnusableCode(command: String) async throws {
        let error = await #expect(throws: SusiError.self) { try await CodeCommand(command).code() }
        let said = error.map { "\($0) \($0.next)" } ?? ""
        #expect(said.contains("code command") && error?.next.isEmpty == false, "\(said)")
        #expect(!said.contains("secret-12") && !said.contains("777777") && !said.contains("\u{1b}"), "\(said)")
    }

    @Test("without a usable code nothing is sent or stored")
    func sendsNoUnusableCode() async throws {
        try await NativeStage.with { stage in
            try await stage.signIn(Self.mia, code: "echo secret-12; exit 3").exits(1, hiding: "secret-12")
            #expect(stage.steps().allSatisfy { $0 != "token" }, "something was sent")
            #expect(try await stage.accounts().isEmpty)
        }
    }

    @Test("the first line, trimmed, is the code; the command's standard error is shown, and later lines are not")
    func readsFirstLine() async throws {
        try await NativeStage.with { stage in
            let command = "printf '  %s \\t\\r\\nsecond line\\n' \"$(sh code.sh)\""
            try await stage.signIn(Self.mia, code: command).exits(0, hiding: "second line")
        }
    }

    @Test("the command gets no password on its standard input")
    func keepsPasswordFromCommand() async throws {
        try await NativeStage.with(configure: {
            $0.changeSettings { $0.multiFactor = .always }
            $0.users[0].factorEmail = "ana@home.example"
        }) { stage in
            try await stage.signIn(
                Self.ana, password: "\(NativeStage.password)\nsecond line", code: "cat > input; env > env; sh code.sh"
            ).exits(0)
            #expect(stage.read("input").isEmpty && stage.read("env").contains("SUSI_EMULATOR_ADMIN"))
            #expect(!stage.read("env").contains(NativeStage.password))
        }
    }

    @Test(
        "a signal ends the command with its children, also one that kills susi at once",
        arguments: [SIGINT, SIGHUP, SIGKILL])
    func endsCommandAtSignal(_ signal: Int32) async throws {
        try await NativeStage.with { stage in
            // The lock shows whether the innermost process has ended; it ignores a friendly signal. The pause is for the
            // watchdog, which learns of the command a moment after its start: nothing shows that from outside.
            let command = """
                sh -c 'exec 9>held; flock 9; trap "" TERM HUP; sleep 1; echo waiting >&2; while :; do sleep 0.05; done'
                true
                """
            var program = stage.command(Self.mia, code: command)
            program.limit = .seconds(20)
            let outcome = try await program.start { run in
                try await run.waitForLine(containing: "waiting")
                try await run.send(signal)
                let lock = Program.waitingForLock(on: stage.tenant.susi.home.work("held"))
                #expect(try await lock.run().status == 0, "the command still runs")
                return try await run.waitUntilExit()
            }
            #expect(outcome.signal == signal && outcome.standardOutput.isEmpty, "\(outcome)")
            #expect(try await stage.accounts().isEmpty)
        }
    }

    @Test("on a terminal the password is hidden and the code is visible")
    func asksOnTerminal() async throws {
        try await NativeStage.with(configure: {
            $0.changeSettings { $0.multiFactor = .always }
            $0.users[0].factorEmail = "ana@home.example"
        }) { stage in
            try await stage.command(Self.ana, ["--no-color"]).inTerminal().start { run in
                try await run.type("\(NativeStage.password)\n", at: "Password for \(Self.ana): ")
                try await run.waitForText("a***@home.example")
                let code = try Self.code(stage)
                try await run.type("\(code)\n")
                let outcome = try await run.waitUntilExit().exits(0, printing: "Signed in as Ana Lima")
                #expect(!outcome.standardOutput.contains(NativeStage.password))
                #expect(outcome.standardOutput.contains(code), "the code is not visible: \(outcome)")
            }
            #expect(stage.openedURLs.isEmpty)
        }
    }

    @Test("a wrong code is asked for again, three times in all")
    func asksAgainAfterWrongCode() async throws {
        try await NativeStage.with { stage in
            for isRightAtLast in [true, false] {
                let before = stage.steps().count
                try await stage.command(Self.mia, ["--no-color"]).inTerminal().start { run in
                    try await run.waitForText("Code: ")
                    for wrong in 1...2 {
                        try await run.type("1234\(wrong)\n")
                        try await run.waitForLine(containing: "The server refused the code", times: wrong)
                    }
                    try await run.type(isRightAtLast ? "\(try Self.code(stage))\n" : "54321\n")
                    try await run.waitUntilExit().exits(isRightAtLast ? 0 : 4)
                }
                let steps = stage.steps(after: before)
                #expect(steps.count { $0 == "token" } == 3 && steps.count { $0 == "challenge" } == 1, "\(steps)")
            }
            #expect(stage.openedURLs.isEmpty)
        }
    }
}
