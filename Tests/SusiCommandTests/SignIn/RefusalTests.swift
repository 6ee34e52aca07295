import Susi
import SusiEmulator
import SusiTestSupport
import Testing

@testable import SusiCommand

/// Refused commands: the exit code, the next command, and no side effect.
@Suite("Refusals", .inTurn, .timeLimit(.minutes(5)))
struct RefusalTests {
    @Test func contactsNoUnknownAuthority() async throws {
        let edit = { (text: String) in
            text.replacing(
                "\"knownAuthorities\": [\"http://localhost:8480/contoso.onmicrosoft.com\"]",
                with: "\"knownAuthorities\": [\"login.contoso.example\"]")
        }
        try await withLocalTenant(policies: edit) { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let refused = try await tenant.susi.run("sign-in", "--browser", browser.command).exits(7)
            let entry = "\(tenant.emulator.origin)/contoso.onmicrosoft.com"
            #expect(refused.standardError.contains("add \"\(entry)\" to knownAuthorities"))
            #expect(tenant.requestLines.isEmpty)
            #expect(browser.openedURLs.isEmpty)
            // The suggested entry allows it.
            let file = tenant.susi.home.policiesFile
            let text = try file.text()
            try tenant.susi.home.writePolicies(text.replacing("login.contoso.example", with: entry))
            try await tenant.signIn(.ana)
        }
    }

    @Test("an unreachable server is reported before the browser opens, whatever is cached")
    func findsServerOutageBeforeBrowserOpens() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home) { tenant in try await tenant.signIn(.ana) }
            let capture = try await BrowserCommand.capture(in: home.folder)
            try await SusiBinary(home: home).run("sign-in", "--browser", capture.command).exits(3)
            #expect(capture.openedURLs.isEmpty)
        }
    }

    @Test("an unusable store is reported before the browser opens")
    func checksStoreBeforeBrowser() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let database = tenant.susi.home.file("store.sqlite")
            try database.write("not a database, but long enough to be read as one")
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let before = tenant.requestLines.count
            try await tenant.susi.run("sign-in", "--browser", browser.command).exits(6)
            #expect(browser.openedURLs.isEmpty)
            #expect(tenant.requestLines.count == before)
            #expect(try await tenant.susi.run("token").status == 6)
        }
    }

    @Test("an entry for this machine without a scheme means https; both commands explain it in the same words")
    func entryWithoutSchemeMeansHTTPS() async throws {
        try await withLocalTenant { tenant in
            let (susi, origin) = (tenant.susi, tenant.emulator.origin)
            let entry = origin.replacing("http://", with: "")
            try susi.home.changePolicies { $0.replacing("[\"\(origin)", with: "[\"\(entry)") }
            let whole = "\(entry)/contoso.onmicrosoft.com"
            let said = "the entry “\(whole)” has no scheme and means https://\(entry), not \(origin)"
            try await susi.run("policies", "check", "-p", "B2C_1_susi").exits(7, printing: said)
            try await susi.run("policies", "explain", "\(origin)/contoso.onmicrosoft.com/B2C_1_susi").exits(
                7, printing: said)
            #expect(try await susi.run("sign-in").standardError.contains(said))
        }
    }

    @Test("with --json an error is one JSON object on standard error, with the server's message")
    func printsRefusalsAsJSON() async throws {
        try await withLocalTenant { tenant in
            let outcome = try await tenant.interact(["sign-in", "--json"], as: .ana, presses: ["cancel"]).exits(
                2, output: "")
            let start = try #require(outcome.standardError.firstIndex(of: "{"))
            let report = try JSONNode(parsing: outcome.standardError[start...].utf8)
            #expect(report["schemaVersion"]?.lenientInteger == 1)
            let error = try #require(report["error"])
            #expect(error["code"]?.string == "cancelled" && error["exitCode"]?.lenientInteger == 2)
            let server = try #require(error["server"])
            #expect(server["error"]?.string == "access_denied" && server["code"]?.string == "AADB2C90091")
            #expect(server["correlationId"]?.string?.isEmpty == false && server["timestamp"]?.string?.isEmpty == false)
            #expect(try await tenant.client().accounts().isEmpty)
            let wrong = try await tenant.susi.run("accounts", "--jsonn", "--json")
            let usage = try #require(try JSONNode(parsing: wrong.standardError.utf8)["error"])
            #expect(wrong.status == 64 && usage["code"]?.string == "usage")
            #expect(usage["what"]?.string == "unknown option “--jsonn”")
            #expect(usage["why"]?.string == "did you mean “--json”?")
            #expect(usage["next"]?.string == "susi help accounts")
            try await tenant.signIn(.ana)
            try await tenant.susi.run("token", "--json").exits(
                0, output: (try await tenant.susi.run("token", "-f", "json").standardOutput))
            try await tenant.susi.run("call", "hello", "--json").exits(
                0, output: (try await tenant.susi.run("call", "hello").standardOutput))
            let answered = try await tenant.susi.run("call", "DELETE", "hello", "--json")
            let api = try JSONNode(parsing: answered.standardError.utf8)["error"]
            #expect(answered.status == 8 && api?["code"]?.string == "api" && api?["status"]?.lenientInteger == 405)
            #expect(api?["what"]?.string == "the API “hello” responded with 405 Method Not Allowed")
        }
    }
}
