import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// The result page in the browser, and its order with the terminal's output.
@Suite("Result page", .inTurn, .timeLimit(.minutes(5)))
struct ResultPageTests {
    /// Starts a command and passes the redirect address and the state of its request to `body`.
    static func start<T>(
        _ tenant: LocalTenant, _ arguments: [String],
        _ body: (_ run: RunningProgram, _ redirect: String, _ state: String) async throws -> T
    ) async throws -> T {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        return try await tenant.susi.command(arguments + ["--browser", browser.command]).start { run in
            let fields = queryFields(try await browser.nextURL())
            return try await body(run, try #require(fields["redirect_uri"]), try #require(fields["state"]))
        }
    }

    @Test("the error is printed before the page, and the page is served afterwards")
    func reportsErrorBeforeServingPage() async throws {
        try await withLocalTenant { tenant in
            try await Self.start(tenant, ["sign-in"]) { run, redirect, state in
                let end = "\(redirect)?state=\(state)&error=access_denied&error_description=AADB2C90091%3A%20x"
                let response = try await PlainVisit.get(end)
                #expect(response.status == 303)
                try await run.waitForLine(containing: "cancelled")
                let page = try await response.followed(from: end)
                #expect(page.status == 200 && page.body.contains("<main class=\"cancelled\">"), "\(page)")
                #expect(page.body.contains("Nothing was stored."))
                #expect(try await run.waitUntilExit().status == 2)
            }
        }
    }

    @Test("Ctrl-C ends the wait for the browser at once", .timeLimit(.minutes(5)))
    func interruptEndsWaitForBrowser() async throws {
        try await withLocalTenant { tenant in
            try await Self.start(tenant, ["sign-in"]) { run, redirect, state in
                #expect(try await PlainVisit.get("\(redirect)?state=\(state)&error=server_error").status == 303)
                try await run.waitForLine(containing: "next:")
                try await run.interrupt()
                let outcome = try await run.waitUntilExit()
                #expect(outcome.signal == SIGINT && !outcome.standardError.contains("broken off"), "\(outcome)")
            }
        }
    }
}
