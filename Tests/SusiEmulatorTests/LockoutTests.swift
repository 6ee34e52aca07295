import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Accounts that may not sign in: locked by wrong passwords, or closed by somebody.
@Suite("Locked and blocked accounts", .inTurn, .timeLimit(.minutes(2)))
struct LockoutTests {
    private static let locked = "Your account is temporarily locked to prevent unauthorized use. Try again later."

    private func ask(_ scene: Scene, _ name: String, _ password: String = "Passw0rd!") async throws -> Received {
        try await scene.redeem(
            nil, policy: "B2C_1_ropc",
            ["grant_type": "password", "username": name, "password": password, "scope": "openid offline_access"])
    }

    private func withPolicies(
        _ change: (inout TenantConfiguration) -> Void = { _ in }, _ body: (Scene) async throws -> Void
    ) async throws {
        try await withScene {
            $0.policies.append(Policy(name: PolicyName("B2C_1_ropc"), kind: .resourceOwner))
            for policy in ["B2C_1_susi", "B2C_1_ropc"] {
                $0.change(policy) {
                    $0.lockoutFailures = 2
                    $0.lockoutSeconds = 60
                }
            }
            change(&$0)
        } _: {
            try await body($0)
        }
    }

    @Test("wrong passwords in a row lock an account for its time, on the page and in ROPC; a right one forgets them")
    func locks() async throws {
        try await withPolicies { scene in
            let wrong = try await scene.signIn(scene.browser(), password: "wrong")
            #expect(wrong.alerts == ["Your email address or your password is incorrect."])
            #expect(try await ask(scene, "ana@contoso.example").status == 200)
            #expect(try await ask(scene, "ana@contoso.example", "wrong").json.code == 90225)
            #expect(try await ask(scene, "ana@contoso.example", "wrong").json.code == 90114)
            // The right password does not help now; other accounts are as they were.
            #expect(try await scene.signIn(scene.browser()).alerts == [Self.locked])
            #expect(try await ask(scene, "ben@contoso.example").status == 200)
            scene.emulator.clock.advance(by: 59)
            #expect(try await ask(scene, "ana@contoso.example").json.code == 90114)
            scene.emulator.clock.advance(by: 1)
            #expect(try await ask(scene, "ana@contoso.example").status == 200)
        }
    }

    @Test("passwords tried at the same time count one by one")
    func together() async throws {
        try await withPolicies { scene in
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 1...4 {
                    group.addTask { try await ask(scene, "ana@contoso.example", "wrong").json.code }
                }
                var codes: [Int?] = []
                for try await code in group { codes.append(code) }
                #expect(codes.count { $0 == 90225 } == 1 && codes.count { $0 == 90114 } == 3)
            }
            #expect(try await scene.signIn(scene.browser()).alerts == [Self.locked])
        }
    }

    @Test("a name that nobody has is never locked: it is wrong, each time")
    func unknown() async throws {
        try await withPolicies { scene in
            for _ in 1...3 {
                let code = try await ask(scene, "nobody@contoso.example").json.code
                #expect(code == 90225)
            }
        }
    }

    @Test("a policy without a limit locks nobody")
    func off() async throws {
        try await withPolicies({ $0.change { $0.lockoutFailures = 0 } }) { scene in
            for _ in 1...3 { _ = try await scene.signIn(scene.browser(), password: "wrong") }
            #expect(try await scene.signIn(scene.browser()).redirect["code"] != nil)
        }
    }

    @Test("a blocked account: no sign-in, no session, no refresh; only the right password is told why")
    func blocked() async throws {
        try await withPolicies { scene in
            let browser = scene.browser()
            let tokens = try await scene.redeem(try await scene.signIn(browser).redirect["code"]).json
            #expect(try scene.database.change(Scene.ana) { $0.isBlocked = true } != nil)
            #expect(try await scene.refresh(tokens["refresh_token"]?.string).json.code == 90129)
            // The browser's session does not let her in either.
            let page = try await browser.get(scene.authorize())
            #expect(page.status == 200 && page.text.contains("id=\"password\""))
            let right = try await scene.signIn(scene.browser())
            #expect(right.alerts.first?.contains("Contact your support person") == true)
            let wrong = try await scene.signIn(scene.browser(), password: "wrong")
            #expect(wrong.alerts == ["Your email address or your password is incorrect."])
            #expect(try await ask(scene, "ana@contoso.example").json.code == 90111)
        }
    }

    @Test("a password that has expired: a new one first, and another one; ROPC refuses")
    func mustReset() async throws {
        try await withPolicies { scene in
            #expect(try scene.database.change(Scene.ana) { $0.mustResetPassword = true } != nil)
            let refused = try await ask(scene, "ana@contoso.example")
            #expect(try refused.json.code == 90225 && refused.text.contains("expired"))
            let browser = scene.browser()
            let page = try await scene.signIn(browser)
            #expect(page.text.contains("Your password has expired"))
            // No session yet, and no way around.
            let around = try await browser.get(scene.authorize())
            #expect(around.text.contains("id=\"password\""))
            let same = try await scene.submit(
                page, browser, ["newPassword": "Passw0rd!", "reenterPassword": "Passw0rd!"])
            #expect(same.alerts == ["The new password must differ from the old one."])
            let done = try await scene.submit(
                same, browser, ["newPassword": "Brand-new-1", "reenterPassword": "Brand-new-1"])
            #expect(try await scene.idToken(done)["oid"] == .string(Scene.ana))
            #expect(try await ask(scene, "ana@contoso.example", "Brand-new-1").status == 200)
            #expect(try await ask(scene, "ana@contoso.example").json.code == 90225)
        }
    }
}
