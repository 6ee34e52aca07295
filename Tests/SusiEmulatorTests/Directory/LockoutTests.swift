import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Accounts that may not sign in: locked by wrong passwords, or blocked by an administrator.
@Suite("Locked and blocked accounts", .inTurn, .timeLimit(.minutes(5)))
struct LockoutTests {
    private static let wrong = "Your email address or your password is incorrect."
    private static let locked = "Your account is temporarily locked to prevent unauthorized use. Try again in 1 min."

    private func withPolicies(
        _ change: (inout TenantConfiguration) -> Void = { _ in }, _ body: (EmulatorFixture) async throws -> Void
    ) async throws {
        try await withFixture(
            {
                $0.addPasswordPolicy()
                for policy in ["B2C_1_susi", "B2C_1_ropc"] {
                    $0.change(policy) {
                        $0.lockoutFailures = 2
                        $0.lockoutSeconds = 60
                    }
                }
                change(&$0)
            }, body)
    }

    @Test("locks an account after wrong passwords in a row, on the page and in ROPC; a right one resets the count")
    func locksAccount() async throws {
        try await withPolicies { fixture in
            let wrong = try await fixture.signIn(fixture.browser(), password: "wrong")
            #expect(wrong.alerts == [Self.wrong])
            #expect(try await fixture.password().status == 200)
            // ROPC does not tell the two apart.
            for _ in 1...2 { #expect(try await fixture.password("ana@contoso.example", "wrong").json.code == 90225) }
            // The right password is refused while the account is locked; other accounts are not affected.
            #expect(try await fixture.signIn(fixture.browser()).alerts == [Self.locked])
            #expect(try await fixture.password("ben@contoso.example").status == 200)
            fixture.emulator.clock.advance(by: 59)
            let refused = try await fixture.password()
            #expect(try refused.json.code == 90225 && !refused.text.contains("locked"), "\(refused.text)")
            fixture.emulator.clock.advance(by: 1)
            #expect(try await fixture.password().status == 200)
            // An unknown name is never locked.
            for _ in 1...3 { #expect(try await fixture.password("unknown@contoso.example").json.code == 90225) }
        }
    }

    @Test("after a lock has ended, wrong passwords are counted from the beginning")
    func countsAgainAfterLock() async throws {
        try await withPolicies { fixture in
            for seconds: Int64 in [60, 0] {
                let first = try await fixture.signIn(fixture.browser(), password: "wrong").alerts
                let second = try await fixture.signIn(fixture.browser(), password: "wrong").alerts
                #expect(first == [Self.wrong] && second == [Self.locked])
                fixture.emulator.clock.advance(by: seconds)
            }
        }
    }

    @Test(
        "says on the page for how many minutes the account is locked, by the emulator's clock; the token endpoint does not"
    )
    func saysForHowLong() async throws {
        try await withPolicies({ $0.change { $0.lockoutSeconds = 600 } }) { fixture in
            let start = fixture.authorize(["ui_locales": "de"])
            for _ in 1...2 { _ = try await fixture.signIn(fixture.browser(), password: "wrong") }
            for (seconds, minutes) in [(0, "10"), (1, "10"), (59, "9"), (539, "1")] {
                fixture.emulator.clock.advance(by: Int64(seconds))
                let browser = fixture.browser()
                let page = try await browser.submit(try await browser.get(start), EmulatorFixture.answers)
                #expect(page.alerts == [Words(language: .german)[.accountLocked, minutes]], "after \(seconds) s")
                #expect(page.alerts.first?.contains(minutes) == true)
                #expect(fixture.log.lines.last?.hasSuffix("Try again in \(minutes) min.") == true)
            }
            let refused = try await fixture.password()
            #expect(refused.status == 400 && !refused.text.contains(" min"))
        }
    }

    @Test("counts simultaneous attempts one by one")
    func countsSimultaneousAttempts() async throws {
        try await withPolicies { fixture in
            try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 1...4 {
                    group.addTask { try await fixture.signIn(fixture.browser(), password: "wrong").alerts }
                }
                var alerts: [[String]] = []
                for try await shown in group { alerts.append(shown) }
                #expect(alerts.count { $0 == [Self.wrong] } == 1 && alerts.count { $0 == [Self.locked] } == 3)
            }
            #expect(try await fixture.signIn(fixture.browser()).alerts == [Self.locked])
        }
    }

    @Test func locksNothingWithoutLimit() async throws {
        try await withPolicies({ $0.change { $0.lockoutFailures = 0 } }) { fixture in
            for _ in 1...3 { _ = try await fixture.signIn(fixture.browser(), password: "wrong") }
            #expect(try await fixture.signIn(fixture.browser()).redirect["code"] != nil)
        }
    }

    @Test("refuses sign-in, session and refresh of a blocked account; only the right password gets the reason")
    func refusesBlockedAccount() async throws {
        try await withPolicies { fixture in
            let browser = fixture.browser()
            let tokens = try await fixture.redeem(try await fixture.signIn(browser).redirect["code"]).json
            #expect(try fixture.database.change(EmulatorFixture.ana) { $0.isBlocked = true } != nil)
            #expect(try await fixture.refresh(tokens["refresh_token"]?.string).json.code == 90129)
            // The browser's session is not accepted either.
            let page = try await browser.get(fixture.authorize())
            #expect(page.status == 200 && page.text.contains("id=\"password\""))
            let right = try await fixture.signIn(fixture.browser())
            #expect(right.alerts.first?.contains("Contact your support person") == true)
            let wrong = try await fixture.signIn(fixture.browser(), password: "wrong")
            #expect(wrong.alerts == [Self.wrong])
            #expect(try await fixture.password().json.code == 90111)
        }
    }

    @Test("requires another password after one has expired; ROPC refuses")
    func requiresNewPassword() async throws {
        try await withPolicies { fixture in
            #expect(try fixture.database.change(EmulatorFixture.ana) { $0.mustResetPassword = true } != nil)
            let refused = try await fixture.password()
            #expect(try refused.json.code == 90225 && refused.text.contains("expired"))
            let browser = fixture.browser()
            let page = try await fixture.signIn(browser)
            #expect(page.text.contains("Your password has expired"))
            // There is no session yet, so the new password cannot be skipped.
            let around = try await browser.get(fixture.authorize())
            #expect(around.text.contains("id=\"password\""))
            let same = try await browser.submit(page, ["newPassword": "Passw0rd!", "reenterPassword": "Passw0rd!"])
            #expect(same.alerts == ["The new password must differ from the old one."])
            let done = try await browser.submit(same, ["newPassword": "Brand-new-1", "reenterPassword": "Brand-new-1"])
            #expect(try await fixture.idToken(done)["oid"] == .string(EmulatorFixture.ana))
            #expect(try await fixture.password("ana@contoso.example", "Brand-new-1").status == 200)
            #expect(try await fixture.password().json.code == 90225)
        }
    }
}
