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
                let refused = try await tenant.susi.refusal("token", "--refresh")
                #expect((1...100).contains(refused.status) && !refused.next.isEmpty, "\(kind): \(refused)")
                #expect(faults.all.last.map { $0.hits > 0 } == true, "\(kind)")
                faults.removeAll()
            }
            #expect(try await tenant.susi.run("token", "--refresh").status == 0)
            faults.add(Fault(.delay(milliseconds: 200), at: .token))
            let client = try tenant.client()
            _ = try await client.token(
                api: nil, of: AccountSelection(), options: TokenRequestOptions(forcesRefresh: true))
            // A fault of an endpoint that is not used has no effect.
            faults.add(Fault(.drop(.request), at: .authorize))
            _ = try await client.token(api: nil, of: AccountSelection())
        }
    }

    @Test("unreadable metadata stops a sign-in before the browser opens")
    func stopsBeforeBrowserWithoutMetadata() async throws {
        try await withLocalTenant { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            for form in [Fault.Malformation.html, .cut, .encoding] {
                tenant.emulator.faults.add(Fault(.malformed(form), at: .metadata))
                let refused = try await tenant.susi.refusal("sign-in", "--browser", browser.command)
                #expect((1...100).contains(refused.status), "\(form)")
                tenant.emulator.faults.removeAll()
            }
            #expect(browser.openedURLs.isEmpty)
            try await tenant.signIn(.ana)
        }
    }

    @Test("each forged id token fails the sign-in; the unchanged one passes")
    func rejectsForgedIDTokens() async throws {
        try await withLocalTenant { tenant in
            try tenant.emulator.rotateKeys(withdrawing: true)
            for flaw in TokenOrder.Flaw.allCases {
                await #expect(throws: SusiError.self, "\(flaw)") { try await signIn(tenant, [flaw]) }
                #expect(try await tenant.client().accounts().isEmpty, "\(flaw)")
            }
            try await signIn(tenant, [])
            #expect(try await tenant.susi.run("token").status == 0)
        }
    }

    /// Signs in while the token endpoint returns an id token with these flaws; the rest of the response is valid.
    private func signIn(_ tenant: LocalTenant, _ flaws: [TokenOrder.Flaw]) async throws {
        defer { tenant.emulator.faults.removeAll() }
        let surface = SignInSurface(browser: ForgingBrowser(emulator: tenant.emulator, flaws: flaws))
        _ = try await tenant.client().signIn(SignInRequest(), through: surface)
    }
}

/// A browser in which Ana signs in, after the token endpoint was made to return a forged id token.
private struct ForgingBrowser: Susi.Browser {
    let emulator: RunningEmulator
    let flaws: [TokenOrder.Flaw]
    let isOnlyWay = true

    func open(_ url: String) async throws(BrowserFailure) {
        do {
            // The program's own address leads to the authority.
            let url = try await PlainVisit.get(url).location ?? url
            let (ana, query) = (LocalTenant.Person.ana, URLComponents(string: url)?.queryItems ?? [])
            var order = TokenOrder(user: ana.email, kind: .id, flaws: flaws)
            order.nonce = query.first { $0.name == "nonce" }?.value
            let body = """
                {"access_token":"\(try emulator.forge(TokenOrder(user: ana.email)))","id_token":"\(try emulator.forge(order))",\
                "token_type":"Bearer","expires_in":3600,"refresh_token":"r",\
                "scope":"https://contoso.onmicrosoft.com/hello/demo.read"}
                """
            emulator.faults.add(Fault(.status(200, body: body), at: .token))
            // The result page is the program's own and shows the error.
            try? await FormBrowser(answers: ["signInName": ana.email, "password": ana.user.password]).open(url)
        } catch { throw BrowserFailure(reason: "\(error)") }
    }
}
