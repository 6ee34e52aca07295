import Susi
import SusiEmulator
import SusiTestSupport
import Synchronization
import Testing

@testable import SusiCommand

@Suite("Spinner", .inTurn, .timeLimit(.minutes(5)))
struct SpinnerTests {
    @Test("it moves until it is stopped, erases its line, and can be started again with another text")
    func startsAgain() async throws {
        let (drawn, feed) = AsyncStream<String>.makeStream()
        let spinner = Spinner("asking", draw: { feed.yield($0) })
        var frames = drawn.makeAsyncIterator()
        let (first, second) = (await frames.next(), await frames.next())
        #expect(first?.hasPrefix("\r") ?? false && first?.hasSuffix(" asking") ?? false)
        #expect(first != second)
        spinner.stop()
        spinner.start("waiting")
        var frame = await frames.next()
        while let drawn = frame, !drawn.hasSuffix(" waiting") { frame = await frames.next() }
        #expect(frame?.hasSuffix(" waiting") ?? false)
        spinner.stop()
        spinner.stop()
        feed.finish()
        var last: String?
        while let frame = await frames.next() { last = frame }
        #expect(last == "\r" + String(repeating: " ", count: "x waiting".count) + "\r")
    }

    /// Signs in on a terminal, and runs `body` while the spinner moves and the page is open.
    private func signIn(_ body: (RunningProgram) async throws -> Void) async throws -> ProgramOutcome {
        try await withLocalTenant { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let command = try tenant.susi.command(
                ["sign-in", "--browser", browser.command], environment: ["TERM": "xterm"], input: .open
            ).inTerminal(columns: 100)
            return try await command.start { run in
                try await run.waitForText("waiting for the browser")
                try await body(run)
                try await FormBrowser(answers: LocalTenant.Person.ana.answers)
                    .open(try await browser.nextURL())
                return try await run.waitUntilExit()
            }
        }
    }

    @Test("it moves while the browser is open, and its line is gone afterwards")
    func movesWhileBrowserIsOpen() async throws {
        let outcome = try await signIn { _ in }
        let gone = "\r" + String(repeating: " ", count: "x waiting for the browser".count) + "\r"
        #expect(outcome.status == 0 && outcome.standardOutput.contains(gone), "\(outcome)")
    }

    @Test("it does not move while a person may be pasting")
    func restsWhilePasting() async throws {
        let outcome = try await signIn { run in
            try await run.type("http://localhost/nonsense\n")
            try await run.waitForText("Still waiting.")
        }
        let output = outcome.standardOutput
        let refused = try #require(output.firstRange(of: "Still waiting."))
        #expect(outcome.status == 0 && !output[refused.upperBound...].contains("waiting for"), "\(outcome)")
    }

    @Test func drawsNothingForShortWaits() {
        let drawn = Mutex<[String]>([])
        let spinner = Spinner("asking", draw: { frame in drawn.withLock { $0.append(frame) } })
        spinner.stop()
        #expect(drawn.withLock { $0 } == [])
    }
}
