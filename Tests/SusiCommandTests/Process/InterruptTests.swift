import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Ctrl-C on a pseudo-terminal: it ends every read at once, and later input is ignored.
@Suite("Interrupted reads", .inTurn, .timeLimit(.minutes(5)))
struct InterruptTests {
    /// Types Ctrl-C and an answer after it when `text` appears. The command must end by itself.
    private func interrupt(_ program: SusiTestSupport.Program, at text: String) async throws {
        try await program.inTerminal().start { run in
            try await run.type("\u{3}", at: text)
            // The program and its terminal may already be closed.
            try? await run.type("y\n")
            try await run.waitUntilExit().exits(128 + SIGINT, printing: "cancelled", hiding: "broken off")
        }
    }

    @Test("Ctrl-C at a question: nothing is removed, written or trusted")
    func interruptedQuestionsChangeNothing() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let (susi, home) = (tenant.susi, tenant.susi.home)
            let file = home.work("cache.json").string
            for command in [
                ["remove", "ana@contoso.example"], ["sign-out"], ["export", "--format", "msal", "-o", file],
            ] {
                try await interrupt(susi.command(command + ["--no-color"]), at: "[y/N] ")
            }
            #expect(try await susi.run("accounts").standardOutput.contains("Ana Lima"))
            #expect(try home.workingFolder.names().isEmpty)
            try home.writeLocalPolicies(try String(contentsOfFile: TrustTests.repository, encoding: .utf8))
            try await interrupt(susi.command(["policies", "trust"]), at: "[y/N] ")
            #expect(try await susi.run("accounts", "-A", "staging").status == 7)
        }
    }

    @Test("the end of the input means no")
    func treatsEndOfInputAsNo() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let command = try tenant.susi.command(["remove", "ana@contoso.example"]).inTerminal()
            try await command.start { run in
                try await run.type("\u{4}", at: "[y/N] ")
                try await run.waitUntilExit().exits(2, printing: "not removed")
            }
        }
    }

    @Test(
        "Ctrl-C at standard input: nothing is sent and nothing is stored",
        arguments: [["import", "-"], ["inspect", "-"], ["call", "POST", "hello", "-d", "@-", "-o", "answer"]])
    func interruptedInputSendsNothing(_ arguments: [String]) async throws {
        try await withLocalTenant { tenant in
            let home = tenant.susi.home
            try await interrupt(tenant.susi.command(arguments), at: "Reading standard input until Ctrl-D.")
            #expect(tenant.requestLines.isEmpty)
            #expect(try home.workingFolder.names().isEmpty)
            #expect(try home.susiHome.names() == ["policies.json"])
        }
    }

    @Test("a signal ends a read from a pipe without data")
    func signalEndsReadFromPipe() async throws {
        try await withSusi { susi in
            let pipe = susi.home.work("pipe").string
            _ = try await SusiTestSupport.Program("/usr/bin/mkfifo", [pipe]).run()
            for arguments in [["inspect", "@\(pipe)"], ["import", pipe], ["sign-in", "--claims", "@\(pipe)"]] {
                try await susi.command(arguments).start { run in
                    // Opening the pipe waits for the other end; after that the command reads.
                    let line = "exec > '\(pipe)'; echo both >&2; exec cat"
                    try await SusiTestSupport.Program("/bin/sh", ["-c", line], input: .open).start { writer in
                        try await writer.waitForText("both")
                        try await run.interrupt()
                        let outcome = try await run.waitUntilExit()
                        #expect(outcome.signal == SIGINT, "\(outcome)")
                        #expect(outcome.standardError == "susi: cancelled\n", "\(outcome)")
                    }
                }
            }
        }
    }
}
