import NIOHTTP1
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("The browser's session", .inTurn, .timeLimit(.minutes(2)))
struct BrowserSessionTests {
    private func isSilent(
        _ scene: Scene, _ browser: Browser, _ policy: String = "B2C_1_susi", client: String = Scene.client
    ) async throws -> Bool {
        let address = scene.authorize(policy, ["prompt": "none", "client_id": client])
        return try await browser.get(address).redirect["code"] != nil
    }

    private func sessionCookie(_ answer: Received) -> String? {
        answer.headers["set-cookie"].first { $0.hasPrefix("susi_session_") }
    }

    @Test(
        "who shares it: the tenant, an application, a policy, nobody",
        arguments: zip(
            PolicySettings.Session.Scope.allCases,
            [[true, true, true], [true, true, false], [true, false, true], [false, false, false]]))
    func scopes(scope: PolicySettings.Session.Scope, expected: [Bool]) async throws {
        try await withScene { configuration in
            configuration.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
            configuration.applications.append(
                RegisteredApplication(clientID: "another", redirectAddresses: ["http://localhost:8400/"]))
            for policy in configuration.policies {
                configuration.settings[policy.name, default: PolicySettings()].session.scope = scope
            }
        } _: { scene in
            let browser = scene.browser()
            _ = try await scene.signIn(browser)
            #expect(
                try await [
                    isSilent(scene, browser), isSilent(scene, browser, "B2C_1_other"),
                    isSilent(scene, browser, client: "another"),
                ] == expected)
            // A secret is worth nothing under the name of another session.
            for (name, secret) in browser.cookies where name.hasPrefix("susi_session_") {
                let thief = scene.browser()
                let plain = name.split(separator: "_").prefix(4).joined(separator: "_")
                thief.cookies[plain] = secret
                #expect(try await isSilent(scene, thief) == (scope == .tenant))
            }
            // Signing out ends all of them.
            let kept = browser.cookies
            _ = try await browser.get("\(scene.tenant)/B2C_1_susi/oauth2/v2.0/logout")
            #expect(!browser.cookies.keys.contains { $0.hasPrefix("susi_session_") })
            browser.cookies = kept
            #expect(try await !isSilent(scene, browser))
        }
    }

    @Test("renews the lifetime with each use, unless the policy counts from the sign-in")
    func renewsRollingSession() async throws {
        try await withScene { configuration in
            configuration.settings[PolicyName("b2c_1_SUSI"), default: PolicySettings()].session.seconds = 3_600
        } _: { scene in
            let browser = scene.browser()
            _ = try await scene.signIn(browser)
            for _ in 1...3 {
                scene.emulator.clock.advance(by: 3_599)
                #expect(try await isSilent(scene, browser))
            }
            scene.emulator.clock.advance(by: 3_600)
            #expect(try await !isSilent(scene, browser))
        }
        try await withScene { configuration in
            configuration.settings[PolicyName("B2C_1_susi"), default: PolicySettings()].session.isRolling = false
        } _: { scene in
            let browser = scene.browser()
            _ = try await scene.signIn(browser)
            scene.emulator.clock.advance(by: 86_399)
            #expect(try await isSilent(scene, browser))
            scene.emulator.clock.advance(by: 1)
            #expect(try await !isSilent(scene, browser))
        }
    }

    @Test("keeps the cookie after the browser closes if the policy and the user choose so")
    func keepsSessionAfterBrowser() async throws {
        let day: Int64 = 86_400
        try await withScene { configuration in
            configuration.settings[PolicyName("B2C_1_susi"), default: PolicySettings()].session.keepSeconds = 30 * day
        } _: { scene in
            let browser = scene.browser()
            func signIn(_ filled: [String: String]) async throws -> Received {
                let page = try await browser.get(scene.authorize("B2C_1_susi", ["prompt": "login"]))
                let person = ["signInName": "ana@contoso.example", "password": "Passw0rd!"]
                return try await browser.submit(
                    page, at: scene.emulator.origin, person.merging(filled) { $1 })
            }
            let plain = try #require(sessionCookie(try await signIn([:])))
            #expect(!plain.contains("Max-Age"))
            let old = browser.cookies
            let ticked = try #require(sessionCookie(try await signIn(["keepMeSignedIn": "1"])))
            #expect(ticked.contains("; Max-Age=2592000") && ticked.contains("; HttpOnly; SameSite=Lax"))
            scene.emulator.clock.advance(by: 29 * day)
            let silent = try await browser.get(scene.authorize())
            #expect(sessionCookie(silent)?.contains("; Max-Age=2592000") == true)
            scene.emulator.clock.advance(by: 29 * day)
            #expect(try await isSilent(scene, browser))
            // The first sign-in's secret died with the second sign-in.
            let thief = scene.browser()
            thief.cookies = old
            #expect(try await !isSilent(scene, thief))
        }
    }

    @Test("shares the session cookie with frames of other sites over https, not the form cookie")
    func sharesSessionWithFramesOverHTTPS() async throws {
        for isSecure in [false, true] {
            try await withScene(ports: [EmulatorPort(0, isSecure: isSecure)]) { scene in
                let browser = scene.browser()
                let page = try await browser.get(scene.authorize())
                #expect(page.headers["set-cookie"].allSatisfy { $0.contains("; SameSite=Lax") })
                let answer = try await browser.submit(
                    page, at: scene.emulator.origin, ["signInName": "ana@contoso.example", "password": "Passw0rd!"])
                let cookie = try #require(sessionCookie(answer))
                #expect(cookie.hasSuffix(isSecure ? "; SameSite=None; Secure" : "; SameSite=Lax"))
            }
        }
    }

    @Test("keeps no session if the policy does not offer it")
    func keepsNoSessionWithoutOffer() async throws {
        try await withScene { scene in
            let browser = scene.browser()
            let page = try await browser.get(scene.authorize())
            let filled = ["signInName": "ana@contoso.example", "password": "Passw0rd!", "keepMeSignedIn": "1"]
            let answer = try await browser.submit(page, at: scene.emulator.origin, filled)
            let cookie = try #require(sessionCookie(answer))
            #expect(!cookie.contains("Max-Age"))
        }
    }
}
