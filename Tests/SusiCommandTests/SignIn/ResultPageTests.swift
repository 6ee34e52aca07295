import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// The result page in the browser, and its order with the terminal's output.
@Suite("Result page", .inTurn, .timeLimit(.minutes(5)))
struct ResultPageTests {
    /// Starts a command and passes the redirect address and the state of its request to `body`.
    private static func start<T>(
        _ tenant: LocalTenant, _ arguments: [String],
        _ body: (_ run: RunningProgram, _ redirect: String, _ page: String) async throws -> T
    ) async throws -> T {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        return try await tenant.susi.command(arguments + ["--browser", browser.command]).start { run in
            let page = try await browser.nextURL()
            let items = URLComponents(string: page)?.queryItems ?? []
            let redirect = try #require(items.first { $0.name == "redirect_uri" }?.value)
            let state = try #require(items.first { $0.name == "state" }?.value)
            return try await body(run, "\(redirect)?state=\(state)", page)
        }
    }

    @Test("the error is printed before the page, and the page is served afterwards")
    func reportsErrorBeforeServingPage() async throws {
        try await withLocalTenant { tenant in
            try await Self.start(tenant, ["sign-in"]) { run, redirect, _ in
                let end = redirect + "&error=access_denied&error_description=AADB2C90091%3A%20x"
                let answer = try await PlainVisit.get(end)
                #expect(answer.status == 303)
                try await run.waitForLine(containing: "cancelled")
                let page = try await answer.followed(from: end)
                #expect(page.status == 200 && page.body.contains("<main class=\"cancelled\">"), "\(page)")
                #expect(page.body.contains("Nothing was stored."))
                #expect(try await run.waitUntilExit().status == 2)
            }
        }
    }

    @Test("a browser that never follows the redirect delays neither the result nor, for long, the exit")
    func limitsWaitForBrowser() async throws {
        try await withLocalTenant { tenant in
            try await Self.start(tenant, ["sign-in"]) { run, redirect, _ in
                #expect(try await PlainVisit.get(redirect + "&error=server_error").status == 303)
                try await run.waitForLine(containing: "next:")
                // The command ends by itself; a killed one would have another status.
                #expect(try await run.waitUntilExit().status == 1)
                #expect(RedirectListener.usualPatience <= .seconds(10))
            }
        }
    }

    @Test("Ctrl-C ends the wait for the browser at once", .timeLimit(.minutes(5)))
    func interruptEndsWaitForBrowser() async throws {
        try await withLocalTenant { tenant in
            try await Self.start(tenant, ["sign-in"]) { run, redirect, _ in
                #expect(try await PlainVisit.get(redirect + "&error=server_error").status == 303)
                try await run.waitForLine(containing: "next:")
                try await run.interrupt()
                let outcome = try await run.waitUntilExit()
                #expect(outcome.signal == SIGINT && !outcome.standardError.contains("broken off"), "\(outcome)")
            }
        }
    }

    @Test("the page of a failure suggests the next command")
    func failurePageSuggestsCommand() async throws {
        try await withLocalTenant { tenant in
            try await Self.start(tenant, ["sign-in", "-a", "chi@contoso.example"]) { run, _, url in
                let ben = LocalTenant.Person.ben.user
                let answers = ["signInName": ben.signInName, "password": ben.password]
                let page = try await WebClient.with { web in
                    try await FormVisitor(answers: answers, client: web).visit(url)
                }
                #expect(page.contains("<main class=\"failure\">") && page.contains("<h1>Not signed in</h1>"), "\(page)")
                #expect(page.contains("ben@contoso.example"))
                #expect(page.contains("<code>susi sign-in"))
                #expect(try await run.waitUntilExit().status == 7)
            }
        }
    }
}
