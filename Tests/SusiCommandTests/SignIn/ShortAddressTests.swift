import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Synchronization
import SystemPackage
import Testing

/// The short address in a browser's arguments, which everybody on the machine can read in the process list.
@Suite("Short address", .inTurn, .timeLimit(.minutes(5)))
struct ShortAddressTests {
    /// A sign-in that waits for its browser.
    private struct Waiting {
        let run: RunningProgram
        let argument: String
    }

    private static func signIn<T>(
        _ tenant: LocalTenant, _ more: [String] = [], _ body: (Waiting) async throws -> T
    ) async throws -> T {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        return try await tenant.susi.command(["sign-in", "--browser", browser.command] + more).start { run in
            try await body(Waiting(run: run, argument: try await browser.nextArgument()))
        }
    }

    private static func enter(_ person: LocalTenant.Person, at url: String) async throws {
        try await FormBrowser(answers: person.answers).open(url)
    }

    @Test("the short address hides state and nonce and works once; a second visit of the same user is reported")
    func acceptsOneVisit() async throws {
        try await withLocalTenant { tenant in
            try await Self.signIn(tenant) { waiting in
                #expect(waiting.argument.wholeMatch(of: #/http://localhost:\d+/go/[a-z2-9]{8}/#) != nil)
                let visit = try await PlainVisit.get(waiting.argument)
                #expect(visit.status == 302 && visit.header("Cache-Control") == "no-store")
                let page = try #require(visit.location)
                let sent = queryFields(page)
                #expect(sent["state"]?.isEmpty == false && sent["nonce"]?.isEmpty == false)
                let second = try await PlainVisit.get(waiting.argument)
                #expect(second.status == 410 && second.location == nil, "\(second)")
                #expect(second.body.contains("without opening a browser") && !second.body.contains("state="))
                try await waiting.run.waitForLine(containing: "opened a second time")
                try await Self.enter(.ana, at: page)
                try await waiting.run.waitUntilExit().exits(0)
            }
        }
    }

    @Test("a visit of another user is refused and reported, and the address still works", .enabled(if: getuid() == 0))
    func refusesAnotherUser() async throws {
        try await withLocalTenant { tenant in
            try await Self.signIn(tenant) { waiting in
                let curl = SusiTestSupport.Program(
                    "/usr/bin/env",
                    ["setpriv", "--reuid=23456", "--clear-groups", "curl", "-s", "-i", waiting.argument],
                    environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
                let stolen = try await curl.run()
                #expect(stolen.standardOutput.hasPrefix("HTTP/1.1 403"), "\(stolen)")
                #expect(!stolen.standardOutput.lowercased().contains("location:"))
                try await waiting.run.waitForLine(containing: "23456")
                try await Self.enter(.ana, at: waiting.argument)
                try await waiting.run.waitUntilExit().exits(0)
            }
        }
    }

    @Test(
        "a second visit of an unknown user while the code is redeemed ends the sign-in too",
        .enabled(if: getuid() == 0))
    func endsAfterLateSecondVisit() async throws {
        let argument = Mutex<String?>(nil)
        let arrived = { @Sendable (request: String) async in
            guard request.hasPrefix("POST"), request.contains("/token"),
                let address = argument.withLock({ $0 })
            else { return }
            _ = try? await PlainVisit.get(address)
        }
        try await withLocalTenant(arrived: arrived) { tenant in
            try await Self.signIn(tenant, asUser: 12_345) { waiting in
                let page = try #require(try await PlainVisit.get(waiting.argument).location)
                argument.withLock { $0 = waiting.argument }
                try await Self.enter(.ana, at: page)
                try await waiting.run.waitUntilExit().exits(
                    7, saying: "opened twice", "next: susi sign-in --no-browser")
            }
            #expect(tenant.requests("POST", "/token") == 1)
            #expect(try await tenant.susi.run("accounts").standardOutput.isEmpty)
        }
    }

    /// Runs a sign-in as another user. A system service may connect for a browser, so root, who visits, counts as unknown.
    private static func signIn(
        _ tenant: LocalTenant, asUser user: Int, _ body: (Waiting) async throws -> Void
    ) async throws {
        let home = tenant.susi.home
        let browser = try await BrowserCommand.capture(in: home.folder)
        let files = FileManager.default
        let below = (files.subpaths(atPath: home.folder.string) ?? []).map { home.folder.appending($0).string }
        for file in [home.folder.string] + below {
            try files.setAttributes([.ownerAccountID: user], ofItemAtPath: file)
        }
        var command = tenant.susi.command(["sign-in", "--browser", browser.command])
        command.arguments = ["--reuid=\(user)", "--clear-groups", command.path.string] + command.arguments
        command.path = try #require(TestEnvironment.program("setpriv"))
        try await command.start { run in
            try await body(Waiting(run: run, argument: try await browser.nextArgument()))
        }
    }

    @Test("a sign-out over two policies redirects the browser by itself; the short address gives no second id token")
    func signOutGivesIDTokenOnce() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let command = tenant.susi.command(
                ["sign-out", "--all", "--browser", "--yes"], environment: ["BROWSER": browser.command])
            try await command.start { run in
                let argument = try await browser.nextArgument()
                let first = try #require(try await PlainVisit.get(argument).location)
                #expect(first.contains("id_token_hint=eyJ"))
                let landing = try #require(try await PlainVisit.get(first).location)
                let second = try await PlainVisit.get(landing)
                #expect(second.status == 302 && second.location?.contains("id_token_hint=eyJ") == true, "\(second)")
                let stolen = try await PlainVisit.get(argument)
                #expect(stolen.status == 410 && stolen.location == nil, "\(stolen)")
                let next = try #require(second.location)
                let end = try #require(try await PlainVisit.get(next).location)
                let page = try await PlainVisit.get(end).followed(from: end)
                #expect(page.status == 200 && page.body.contains("Signed out"), "\(page)")
                try await run.waitUntilExit().exits(0)
            }
        }
    }

    @Test("a password reset redirects the browser by itself: no second short address or message")
    func passwordResetNeedsNoSecondAddress() async throws {
        try await withLocalTenant { tenant in
            try await Self.signIn(tenant) { waiting in
                let page = try #require(try await PlainVisit.get(waiting.argument).location)
                let sent = queryFields(page)
                let (redirect, state) = (try #require(sent["redirect_uri"]), try #require(sent["state"]))
                let forgotten = "\(redirect)?error=access_denied&error_description=AADB2C90118%3A%20x&state=\(state)"
                let reset = try await PlainVisit.get(forgotten)
                #expect(reset.status == 302 && reset.location?.lowercased().contains("b2c_1_reset") == true, "\(reset)")
                #expect(try await PlainVisit.get(waiting.argument).status == 410)
                try await waiting.run.waitForLine(containing: "Forgotten password")
                let error = await waiting.run.text(.error)
                #expect(error.components(separatedBy: "/go/").count == 2, "\(error)")
                #expect(error.components(separatedBy: "authorize?").count == 1, "\(error)")
                let other = queryFields(try #require(reset.location))
                #expect(other["state"] != state && other["nonce"] != sent["nonce"])
            }
        }
    }

    @Test("a port that the policies file does not list leads to a warning, and the response goes to another address")
    func warnsAboutUnlistedPort() async throws {
        let edit = { (text: String) in text.replacing("[0]", with: "[20411, 20412]") }
        try await withLocalTenant(policies: edit) { tenant in
            try await Self.signIn(tenant, ["--port", "0"]) { waiting in
                let url = try #require(try await PlainVisit.get(waiting.argument).location)
                try await waiting.run.waitForLine(containing: "is not one of the redirect addresses in policies.json")
                let error = await waiting.run.text(.error)
                #expect(
                    error.contains("http://localhost:20411/") && error.contains("http://localhost:20412/"), "\(error)")
                let page = try await PlainVisit.get(url)
                #expect(
                    page.location?.hasPrefix("http://localhost:20411/?error=redirect_uri_mismatch") == true, "\(page)")
            }
        }
        try await withLocalTenant { tenant in
            try await Self.signIn(tenant, ["--port", "0"]) { waiting in
                try await waiting.run.waitForLine(containing: "/go/")
                #expect(await !waiting.run.text(.error).contains("redirect addresses"))
            }
        }
    }

    @Test func reportsAnUnlistedPortAtSignOut() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let file = tenant.susi.home.policiesFile
            let text = try file.text()
            try tenant.susi.home.writePolicies(text.replacing("[0]", with: "[20411]"))
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let command = tenant.susi.command(
                ["sign-out", "--browser", "--yes", "--port", "0"], environment: ["BROWSER": browser.command])
            let outcome = try await command.start { run in
                var next: String? = try await browser.nextArgument()
                while let address = next, address.hasPrefix("http") {
                    next = try await PlainVisit.get(address).location
                }
                return try await run.waitUntilExit().exits(0)
            }
            #expect(outcome.standardError.contains("is not one of the redirect addresses"), "\(outcome)")
            #expect(outcome.standardError.contains("http://localhost:20411/"), "\(outcome)")
        }
    }

    @Test(.enabled(if: getuid() == 0, "another user needs root"))
    func survivesVisitsThatCloseTheConnection() async throws {
        try await withLocalTenant { tenant in
            try await Self.signIn(tenant) { waiting in
                let address = try #require(URLComponents(string: waiting.argument))
                let port = try #require(address.port)
                // bash reads no response and closes its connection at once.
                let visits = """
                    for n in {1..20}; do
                      exec 3<>/dev/tcp/127.0.0.1/\(port) || exit 1
                      printf 'GET \(address.path) HTTP/1.1\\r\\nHost: localhost:\(port)\\r\\n\\r\\n' >&3; exec 3>&-
                    done
                    """
                let stranger = SusiTestSupport.Program(
                    "/usr/bin/env", ["setpriv", "--reuid=23456", "--clear-groups", "bash", "-c", visits],
                    environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
                try await stranger.run().exits(0)
                try await Self.enter(.ana, at: waiting.argument)
                try await waiting.run.waitUntilExit().exits(0)
            }
        }
    }
}
