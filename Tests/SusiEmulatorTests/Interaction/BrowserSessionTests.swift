import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("The browser's session", .inTurn, .timeLimit(.minutes(5)))
struct BrowserSessionTests {
    private func isSilent(
        _ fixture: EmulatorFixture, _ browser: Browser, _ policy: String = "B2C_1_susi",
        client: String = EmulatorFixture.client
    ) async throws -> Bool {
        let address = fixture.authorize(policy, ["prompt": "none", "client_id": client])
        return try await browser.get(address).redirect["code"] != nil
    }

    private func sessionCookie(_ response: Received) -> String? {
        response.headers["set-cookie"].first { $0.hasPrefix("susi_session_") }
    }

    @Test(
        "shares the session in the tenant, an application, a policy, or not at all",
        arguments: zip(
            PolicySettings.Session.Scope.allCases,
            [[true, true, true], [true, true, false], [true, false, true], [false, false, false]]))
    func sharesSessionInScope(scope: PolicySettings.Session.Scope, expected: [Bool]) async throws {
        try await withFixture { configuration in
            configuration.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
            configuration.register("another")
            for policy in configuration.policies {
                configuration.settings[policy.name, default: PolicySettings()].session.scope = scope
            }
        } _: { fixture in
            let browser = fixture.browser()
            _ = try await fixture.signIn(browser)
            #expect(
                try await [
                    isSilent(fixture, browser), isSilent(fixture, browser, "B2C_1_other"),
                    isSilent(fixture, browser, client: "another"),
                ] == expected)
            // A secret is not valid in the cookie of another session.
            for (name, secret) in browser.cookies where name.hasPrefix("susi_session_") {
                let thief = fixture.browser()
                let plain = name.split(separator: "_").prefix(4).joined(separator: "_")
                thief.cookies[plain] = secret
                #expect(try await isSilent(fixture, thief) == (scope == .tenant))
            }
            // A session of an application ends only if the sign-out names that one, by client or by token.
            let (kept, logout) = (browser.cookies, "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout")
            for query in ["", "?client_id=another"] {
                _ = try await browser.get(logout + query)
                #expect(try await isSilent(fixture, browser) == (scope == .application), "\(query)")
            }
            let hint = try #require(try await fixture.tokens()["id_token"]?.string)
            _ = try await browser.get(logout + "?id_token_hint=\(hint)")
            // The sessions have ended even for a browser that keeps the cookies.
            #expect(!browser.cookies.keys.contains { $0.hasPrefix("susi_session_") })
            browser.cookies = kept
            #expect(try await !isSilent(fixture, browser))
        }
    }

    @Test("renews the lifetime with each use, unless the policy counts from the sign-in")
    func renewsRollingSession() async throws {
        try await withFixture({ $0.change("b2c_1_SUSI") { $0.session.seconds = 3_600 } }) { fixture in
            let browser = fixture.browser()
            _ = try await fixture.signIn(browser)
            for _ in 1...3 {
                fixture.emulator.clock.advance(by: 3_599)
                #expect(try await isSilent(fixture, browser))
            }
            fixture.emulator.clock.advance(by: 3_600)
            #expect(try await !isSilent(fixture, browser))
        }
        try await withFixture({ $0.change { $0.session.isRolling = false } }) { fixture in
            let browser = fixture.browser()
            _ = try await fixture.signIn(browser)
            fixture.emulator.clock.advance(by: 86_399)
            #expect(try await isSilent(fixture, browser))
            fixture.emulator.clock.advance(by: 1)
            #expect(try await !isSilent(fixture, browser))
        }
    }

    @Test("keeps the cookie after the browser closes if the policy and the user choose so")
    func keepsSessionAfterBrowser() async throws {
        let day: Int64 = 86_400
        try await withFixture({ $0.change { $0.session.keepSeconds = 30 * day } }) { fixture in
            let browser = fixture.browser()
            func signIn(_ filled: [String: String]) async throws -> Received {
                let page = try await browser.get(fixture.authorize(["prompt": "login"]))
                return try await browser.submit(page, EmulatorFixture.answers.merging(filled) { $1 })
            }
            let plain = try #require(sessionCookie(try await signIn([:])))
            #expect(!plain.contains("Max-Age"))
            let old = browser.cookies
            let ticked = try #require(sessionCookie(try await signIn(["rememberMe": "1"])))
            #expect(ticked.contains("; Max-Age=2592000") && ticked.contains("; HttpOnly; SameSite=Lax"))
            fixture.emulator.clock.advance(by: 29 * day)
            let silent = try await browser.get(fixture.authorize())
            #expect(sessionCookie(silent)?.contains("; Max-Age=2592000") == true)
            fixture.emulator.clock.advance(by: 29 * day)
            #expect(try await isSilent(fixture, browser))
            // The second sign-in voided the secret of the first one.
            let thief = fixture.browser()
            thief.cookies = old
            #expect(try await !isSilent(fixture, thief))
        }
    }

    @Test("shares the session cookie with frames of other sites over https, not the form cookie")
    func sharesSessionWithFramesOverHTTPS() async throws {
        for isSecure in [false, true] {
            try await withFixture(ports: [EmulatorPort(0, isSecure: isSecure)]) { fixture in
                let browser = fixture.browser()
                let page = try await browser.get(fixture.authorize())
                #expect(page.headers["set-cookie"].allSatisfy { $0.contains("; SameSite=Lax") })
                let response = try await browser.submit(
                    page, ["signInName": "ana@contoso.example", "password": "Passw0rd!", "rememberMe": "1"])
                let cookie = try #require(sessionCookie(response))
                #expect(cookie.hasSuffix(isSecure ? "; SameSite=None; Secure" : "; SameSite=Lax"))
            }
        }
    }
}
