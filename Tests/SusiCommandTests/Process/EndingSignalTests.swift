import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// A signal that asks `susi` to end: it cleans up, then it ends by this signal, so that a script ends too.
@Suite("Ending by a signal", .inTurn, .timeLimit(.minutes(5)))
struct EndingSignalTests {
    @Test(
        "a waiting sign-in frees its port, then ends by the signal that it received",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func endsByTheSignal(_ signal: Int32) async throws {
        try await withLocalTenant { tenant in
            let line = "ulimit -c unlimited; exec \"$0\" sign-in --no-browser"
            let outcome = try await tenant.susi.shell(line, limit: .seconds(60)).start { run in
                try await run.waitForLine(containing: "http://localhost:")
                try await run.send(signal)
                return try await run.waitUntilExit()
            }
            #expect(outcome.signal == signal && outcome.standardError.hasSuffix("susi: cancelled\n"), "\(outcome)")
            let address = try #require(outcome.standardError.firstMatch(of: #/localhost%3A(\d+)/#)).1
            let listener = try await SusiTestSupport.Program(
                "/bin/bash", ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(address)"]
            ).run()
            #expect(listener.status != 0, "something still listens on the port")
            // A core file would contain tokens.
            #expect(try tenant.susi.home.workingFolder.names() == [])
        }
    }

    #if os(Linux)
        @Test("a signal that came before the command could handle it ends it")
        func handlesEarlySignal() async throws {
            try await withSusi { susi in
                let line = "exec env --block-signal=INT sh -c 'kill -INT $$; exec \"$0\" inspect -' \"$0\""
                let outcome = try await susi.shell(line, input: .open, limit: .seconds(60)).start { run in
                    try await run.waitUntilExit()
                }
                #expect(outcome.signal == SIGINT && outcome.standardError == "susi: cancelled\n", "\(outcome)")
            }
        }
    #endif

    @Test("Ctrl-C ends a shell's loop over susi")
    func endsLoop() async throws {
        try await withSusi { susi in
            let line = "for i in 1 2 3; do \"$0\" inspect -; echo \"after $i: $?\"; done"
            try await susi.shell(line, by: "/bin/bash", limit: .seconds(60)).inTerminal().start { run in
                try await run.type("\u{3}", at: "Reading standard input until Ctrl-D.")
                try await run.waitUntilExit().exits(128 + SIGINT, hiding: "after 1")
            }
        }
    }

    @Test("under nohup, closing the terminal does not end the command")
    func continuesUnderNohup() async throws {
        try await withLocalTenant { tenant in
            let line = "trap '' HUP; exec \"$0\" sign-in --no-browser"
            try await tenant.susi.shell(line, limit: .seconds(60)).start { run in
                try await run.waitForLine(containing: "http://localhost:")
                try await run.send(SIGHUP)
                try await run.send(SIGTERM)
                let outcome = try await run.waitUntilExit()
                #expect(outcome.signal == SIGTERM, "\(outcome)")
            }
        }
    }

    @Test("a command of emulator exec that a signal ends: susi ends by the same signal; a status is kept")
    func endsAsItsCommand() async throws {
        try await withSusi { susi in
            for (script, status, signal) in [
                ("kill -INT $$", 128 + SIGINT, SIGINT), ("kill -TERM $$", 128 + SIGTERM, SIGTERM),
                ("kill -KILL $$", 128 + SIGKILL, nil), ("trap 'exit 7' INT; kill -INT $$", 7, nil),
                ("exit 130", 130, nil),
            ] as [(String, Int32, Int32?)] {
                let outcome = try await susi.run("emulator", "exec", "--", "sh", "-c", script)
                #expect(outcome.status == status && outcome.signal == signal, "\(script): \(outcome)")
            }
        }
    }

    @Test("an emulator that is asked to stop has done its work: exit code 0", arguments: [SIGINT, SIGTERM])
    func emulatorStops(_ signal: Int32) async throws {
        try await withSusi { susi in
            try await susi.start("emulator", "run", "--port", "0") { run in
                try await run.waitForLine(containing: "Ctrl-C stops")
                try await run.send(signal)
                let outcome = try await run.waitUntilExit()
                #expect(outcome.status == 0 && outcome.signal == nil, "\(outcome)")
                #expect(outcome.standardError.hasSuffix("Emulator stopped.\n"), "\(outcome)")
            }
        }
    }
}
