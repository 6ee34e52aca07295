import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// What goes wrong on purpose, and what the program makes of it.
@Suite("A tenant with faults", .inTurn, .timeLimit(.minutes(2)))
struct FaultyTenantTests {
    private static let faults: [Fault.Kind] = [
        .status(429, retryAfter: 1), .status(503), .status(500, body: "<p>Sorry</p>", contentType: "text/html"),
        .drop(.request), .drop(.answer), .drop(.body), .malformed(.html), .malformed(.cut), .malformed(.encoding),
    ]

    @Test("no fault of the token endpoint ends a session, and each is told in words")
    func tokenEndpoint() async throws {
        try await withLocalTenant { tenant in
            _ = try await tenant.interact(["sign-in"], as: .ana)
            let faults = tenant.emulator.faults
            for kind in Self.faults {
                faults.add(Fault(kind, at: .token, policy: "B2C_1_susi"))
                let outcome = try await tenant.susi.run("token", "--refresh")
                #expect((1...100).contains(outcome.status), "\(kind): \(outcome)")
                #expect(outcome.standardOutput.isEmpty, "\(kind)")
                #expect(outcome.standardError.contains("next: "), "\(kind): \(outcome.standardError)")
                #expect(faults.all.last.map { $0.struck > 0 } == true, "\(kind)")
                faults.removeAll()
            }
            #expect(try await tenant.susi.run("token", "--refresh").status == 0)
            faults.add(Fault(.delay(milliseconds: 200), at: .token))
            #expect(try await tenant.susi.run("token", "--refresh").status == 0)
            // An endpoint that nobody asks on this way has no say.
            faults.add(Fault(.drop(.request), at: .authorize))
            #expect(try await tenant.susi.run("token").status == 0)
        }
    }

    @Test("metadata and keys that cannot be read stop a sign-in before any page", arguments: [Fault.Endpoint.metadata])
    func metadata(endpoint: Fault.Endpoint) async throws {
        try await withLocalTenant { tenant in
            for form in [Fault.Malformation.html, .cut, .encoding] {
                tenant.emulator.faults.add(Fault(.malformed(form), at: endpoint))
                let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
                let outcome = try await tenant.susi.run("sign-in", "--browser", browser.command)
                #expect((1...100).contains(outcome.status) && browser.openedURLs.isEmpty, "\(form)")
                tenant.emulator.faults.removeAll()
            }
            #expect(try await tenant.interact(["sign-in"], as: .ana).status == 0)
        }
    }

    @Test("a sign-in that is answered with a forged id token fails, each flaw alone; the unchanged one passes")
    func forgedIDTokens() async throws {
        try await withLocalTenant { tenant in
            try tenant.emulator.rotateKeys(withdrawing: true)
            for flaw in TokenOrder.Flaw.allCases {
                let outcome = try await signIn(tenant, [flaw])
                #expect((1...100).contains(outcome.status), "\(flaw): \(outcome)")
                #expect(try await tenant.susi.run("token").status != 0, "\(flaw)")
            }
            let right = try await signIn(tenant, [])
            #expect(right.status == 0, "\(right)")
            #expect(try await tenant.susi.run("token").status == 0)
        }
    }

    /// Signs in while the token endpoint gives an id token with these flaws, and everything else as it should be.
    private func signIn(_ tenant: LocalTenant, _ flaws: [TokenOrder.Flaw]) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
        let emulator = tenant.emulator
        defer { emulator.faults.removeAll() }
        return try await tenant.susi.command(["sign-in", "--browser", browser.command]).start { run in
            let url = try await browser.nextURL()
            let query = URLComponents(string: url)?.queryItems ?? []
            var order = TokenOrder(user: LocalTenant.Person.ana.email, kind: .id, flaws: flaws)
            order.nonce = try #require(query.first { $0.name == "nonce" }?.value)
            let access = try emulator.forge(TokenOrder(user: LocalTenant.Person.ana.email))
            let body = """
                {"access_token":"\(access)","id_token":"\(try emulator.forge(order))","token_type":"Bearer",\
                "expires_in":3600,"refresh_token":"r","scope":"https://contoso.onmicrosoft.com/hello/demo.read"}
                """
            emulator.faults.add(Fault(.status(200, body: body), at: .token))
            // The last page is the program's own, and says what went wrong.
            let form = FormBrowser(answers: ["signInName": LocalTenant.Person.ana.email, "password": "Passw0rd!"])
            try? await form.open(url)
            return try await run.waitUntilExit()
        }
    }
}
