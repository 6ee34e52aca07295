import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Proofs of one user, browser or page do not count for another one.
@Suite("Proofs within a transaction", .inTurn, .timeLimit(.minutes(5)))
struct CrossingTests {
    private static let ben = ["signInName": "ben@contoso.example", "password": "Passw0rd!"]

    /// Sends the form of another page with the transaction of this one.
    private func send(
        _ page: Received, as name: String, _ more: [String: String], _ fixture: EmulatorFixture, _ browser: Browser
    ) async throws -> Received {
        let (action, fields) = try page.form()
        let folder = action.prefix(through: try #require(action.lastIndex(of: "/")))
        return try await browser.post(folder + name, fields.merging(more) { $1 })
    }

    @Test("binds a second factor to its user within one transaction")
    func bindsSecondFactorToUser() async throws {
        try await withFixture({ $0.change("B2C_1_edit_profile") { $0.multiFactor = .always } }) { fixture, browser in
            let asked = try await fixture.signIn(browser, policy: "B2C_1_edit_profile")
            let code = try await browser.submit(asked, [:])
            let right = try fixture.code(to: "ana@contoso.example", for: .secondFactor)
            let profile = try await browser.submit(code, ["emailVerificationCode": right])
            #expect(profile.text.contains("Edit your profile"))
            let other = try await send(profile, as: "sign-in", Self.ben, fixture, browser)
            #expect(other.text.contains("A code will be sent to b***@contoso.example."))
            try await send(profile, as: "verify", ["emailVerificationCode": right], fixture, browser).expecting(400)
        }
    }

    @Test func bindsTransactionToBrowser() async throws {
        try await withFixture { fixture in
            let (mine, theirs) = (fixture.browser(), fixture.browser())
            let page = try await mine.get(fixture.authorize())
            let link = try page.link("createAccount")
            _ = try await theirs.get(fixture.authorize())
            let bare = try #require(link.split(separator: "&").first).description
            for address in [link, bare, link.replacing("sign-up", with: "forgot-password")] {
                #expect(try await theirs.get(address).status == 403)
            }
            #expect(try await mine.get(link).status == 200)
            #expect(try await mine.submit(page, Self.ben).redirect["code"] != nil)
        }
    }

    @Test("requires the second factor after the password")
    func requiresSecondFactor() async throws {
        try await withFixture {
            $0.addPasswordPolicy()
            $0.change("B2C_1_ropc") { $0.multiFactor = .always }
        } _: { fixture in
            let json = try await fixture.password().expecting(400).json
            #expect(json["error"] == "interaction_required" && json["access_token"] == nil)
        }
    }

    @Test("requires the old password before a new one, whatever session exists")
    func requiresOldPassword() async throws {
        try await withFixture {
            $0.change { $0.multiFactor = .always }
            $0.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
        } _: { fixture, browser in
            #expect(try await fixture.signIn(browser, policy: "B2C_1_other").redirect["code"] != nil)
            try change(EmulatorFixture.ana, fixture) { $0.mustResetPassword = true }
            let page = try await browser.get(fixture.authorize())
            #expect(page.text.contains("id=\"password\""))
            let new = ["newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1"]
            #expect(try await send(page, as: "new-password", new, fixture, browser).status == 400)
        }
    }

    @Test("refuses an account that was blocked in the meantime")
    func refusesBlockedAccount() async throws {
        try await withFixture { fixture, browser in
            let profile = try await fixture.signIn(browser, policy: "B2C_1_edit_profile")
            #expect(profile.text.contains("Edit your profile"))
            try change(EmulatorFixture.ana, fixture) { $0.isBlocked = true }
            #expect(try await browser.submit(profile, ["displayName": "Another"]).status == 400)
            #expect(try fixture.database.user(objectID: EmulatorFixture.ana)?.displayName == "Ana Lima")
        }
    }

    @Test("keeps the count of wrong codes after the password, also at a policy without a second factor")
    func keepsCountOfWrongCodes() async throws {
        try await withFixture {
            $0.change { settings in
                settings.multiFactor = .always
                settings.lockoutFailures = 3
            }
            $0.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
        } _: { fixture in
            var page: Received?
            for attempt in 1...3 {
                let browser = fixture.browser()
                let code = try await browser.submit(try await fixture.signIn(browser), [:])
                page = try await browser.submit(code, ["emailVerificationCode": try fixture.wrongCode()])
                guard attempt < 3 else { break }
                _ = try await fixture.signIn(fixture.browser(), policy: "B2C_1_other")
            }
            #expect(page?.alerts.first?.hasSuffix("Try again in 1 min.") == true, "\(page?.alerts ?? [])")
            let locked = try await fixture.signIn(fixture.browser())
            #expect(locked.alerts.first?.hasPrefix("Your account is temporarily locked") == true)
        }
    }

    @Test("does not shorten a session that another policy keeps")
    func keepsLongerSession() async throws {
        try await withFixture {
            $0.change { $0.session.keepSeconds = 30 * 86_400 }
            $0.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
        } _: { fixture, browser in
            let page = try await browser.get(fixture.authorize())
            _ = try await browser.submit(page, Self.ben.merging(["rememberMe": "true"]) { $1 })
            #expect(try await browser.get(fixture.authorize("B2C_1_other")).redirect["code"] != nil)
            fixture.emulator.clock.advance(by: 2 * 86_400)
            #expect(try await browser.get(fixture.authorize()).redirect["code"] != nil)
        }
    }

    @Test("accepts one spelling of the same bytes, so that a revoked token has no other")
    func acceptsOneSpelling() {
        #expect(Base64URL.decode("AA") == [0])
        for text in ["AB", "AAB", "A", "AA==", "A+", "A A"] { #expect(Base64URL.decode(text) == nil, "\(text)") }
    }

    private func change(_ objectID: String, _ fixture: EmulatorFixture, _ body: @Sendable (inout User) -> Void) throws {
        #expect(try fixture.database.change(objectID, body) != nil)
    }
}
