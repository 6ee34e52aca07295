import SusiTestSupport
import SystemPackage
import Testing

/// The runner of programs in the test support.
@Suite(.inTurn, .timeLimit(.minutes(5)))
struct ProgramTests {
    private func shell(
        _ script: String, environment: [String: String] = [:], input: Program.Input = .none,
        limit: Duration = .seconds(20)
    ) -> Program {
        Program(
            "/bin/sh", ["-c", script], environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }, input: input,
            limit: limit)
    }

    @Test func reportsStatusAndBothStreams() async throws {
        let outcome = try await shell("echo out; echo err >&2; exit 7").run().exits(7)
        withKnownIssue { outcome.exits(0) }
        #expect(outcome.status == 7)
        #expect(outcome.standardOutput == "out\n")
        #expect(outcome.standardError == "err\n")
    }

    @Test func passesInputToItsEnd() async throws {
        #expect(try await shell("cat", input: .text("Ä\nb")).run().standardOutput == "Ä\nb")
        #expect(try await shell("cat").run().standardOutput == "")
    }

    @Test func acceptsUnreadInput() async throws {
        let much = String(repeating: "x", count: 1 << 20)
        #expect(try await shell("exit 3", input: .text(much)).run().status == 3)
    }

    @Test func passesOnlyTheGivenEnvironment() async throws {
        let variables = try await shell("env", environment: ["ONE": "1"]).run().standardOutput
            .split(separator: "\n").map { String($0.prefix { $0 != "=" }) }
        #expect(Set(variables).subtracting(["PWD", "OLDPWD", "_", "SHLVL"]) == ["ONE", "PATH"])
    }

    @Test func timeLimitKillsTheWholeGroup() async throws {
        let error = await #expect(throws: ProgramError.self) {
            try await shell("echo begun; sleep 1000 & sleep 1000", limit: .milliseconds(500)).run()
        }
        #expect(error?.description.contains("still ran after") == true)
        #expect(error?.description.contains("begun") == true)
    }

    @Test func awaitsLineAndSendsInterrupt() async throws {
        let script = "trap 'echo caught; exit 2' INT; echo ready; while :; do sleep 0.05; done"
        try await shell(script).start { program in
            #expect(try await program.waitForLine(containing: "rea") == "ready")
            try await program.interrupt()
            let outcome = try await program.waitUntilExit()
            #expect(outcome.status == 2)
            #expect(outcome.standardOutput == "ready\ncaught\n")
        }
    }

    @Test func missingLineFailsWhenTheProgramEnds() async throws {
        try await shell("printf 'no newline at the end'").start { program in
            let error = await #expect(throws: ProgramError.self) {
                try await program.waitForLine(containing: "newline")
            }
            #expect(error?.description.contains("ended before it wrote a line") == true)
        }
    }

    @Test func passesTypedLines() async throws {
        try await shell("read a; echo got $a; read b || echo end", input: .open).start { program in
            try await program.type("one\n")
            try await program.waitForLine(containing: "got one")
            try await program.closeInput()
            #expect(try await program.waitUntilExit().standardOutput == "got one\nend\n")
        }
    }

    @Test func killsProgramAtTheEndOfItsScope() async throws {
        let number = try await shell("echo $$; sleep 1000").start { program in
            try await program.waitForLine(containing: "")
        }
        #expect(try await shell("kill -0 \(number)").run().status != 0)
    }

    @Test func endsScopeWhenAnEscapedChildHoldsTheOutput() async throws {
        let child = try await shell("setsid sleep 1000 & echo $!; wait").start { program in
            try await program.waitForLine(containing: "")
        }
        // The child still runs: nothing waited for it.
        #expect(try await shell("kill \(child)").run().status == 0)
    }

    @Test func reportsSignalOfKilledProgram() async throws {
        try await shell("echo on; exec sleep 1000").start { program in
            try await program.waitForLine(containing: "on")
            try await program.kill()
            #expect(try await program.waitUntilExit().status == 137)
        }
    }

    @Test func showsTerminalAndKeepsStatus() async throws {
        let test = "test -t 0 && test -t 1 && test -t 2 && stty size; echo \"it's\"; exit 5"
        let outcome = try await shell(test).inTerminal().run()
        #expect(outcome.standardOutput == "40 100\r\nit's\r\n")
        #expect(outcome.status == 5)
        #expect(try await shell("test -t 1").run().status == 1)
    }

    @Test func reportsMissingProgram() async throws {
        await #expect(throws: ProgramError.self) { try await Program("/nowhere/at-all", []).run() }
    }
}
