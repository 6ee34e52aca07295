import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// The program's behavior with faults of the emulator.
@Suite("A tenant with faults", .inTurn, .timeLimit(.minutes(5)))
struct FaultyTenantTests {
    private static let faults: [Fault.Kind] = [
        .status(429, retryAfter: 1), .status(503), .status(500, body: "<p>Sorry</p>", contentType: "text/html"),
        .drop(.request), .drop(.answer), .drop(.body), .malformed(.html), .malformed(.cut), .malformed(.encoding),
    ]

    @Test("no fault of the token endpoint ends a session, and each is reported")
    func keepsSessionAfterTokenEndpointFaults() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let faults = tenant.emulator.faults
            for kind in Self.faults {
                faults.add(Fault(kind, at: .token, policy: "B2C_1_susi"))
                let outcome = try await tenant.susi.run("token", "--refresh")
                #expect((1...100).contains(outcome.status), "\(kind): \(outcome)")
                #expect(outcome.standardOutput.isEmpty, "\(kind)")
                #expect(outcome.standardError.contains("next: "), "\(kind): \(outcome.standardError)")
                #expect(faults.all.last.map { $0.hits > 0 } == true, "\(kind)")
                faults.removeAll()
            }
            #expect(try await tenant.susi.run("token", "--refresh").status == 0)
            faults.add(Fault(.delay(milliseconds: 200), at: .token))
            #expect(try await tenant.susi.run("token", "--refresh").status == 0)
            // A fault of an endpoint that is not used has no effect.
            faults.add(Fault(.drop(.request), at: .authorize))
            #expect(try await tenant.susi.run("token").status == 0)
        }
    }

    @Test("unreadable metadata and keys stop a sign-in before the browser opens", arguments: [Fault.Endpoint.metadata])
    func stopsBeforeBrowserWithoutMetadata(endpoint: Fault.Endpoint) async throws {
        try await withLocalTenant { tenant in
            for form in [Fault.Malformation.html, .cut, .encoding] {
                tenant.emulator.faults.add(Fault(.malformed(form), at: endpoint))
                let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
                let outcome = try await tenant.susi.run("sign-in", "--browser", browser.command)
                #expect((1...100).contains(outcome.status) && browser.openedURLs.isEmpty, "\(form)")
                tenant.emulator.faults.removeAll()
            }
            try await tenant.signIn(.ana)
        }
    }

    @Test("each forged id token fails the sign-in; the unchanged one passes")
    func rejectsForgedIDTokens() async throws {
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

    /// Signs in while the token endpoint returns an id token with these flaws; the rest of the response is valid.
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
            // The result page is the program's own and shows the error.
            let form = FormBrowser(answers: ["signInName": LocalTenant.Person.ana.email, "password": "Passw0rd!"])
            try? await form.open(url)
            return try await run.waitUntilExit()
        }
    }
}
