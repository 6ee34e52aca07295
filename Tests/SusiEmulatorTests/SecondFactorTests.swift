import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// A code that is required after the password.
@Suite("Second factor", .inTurn, .timeLimit(.minutes(5)))
struct SecondFactorTests {
    private func withFactor(
        _ change: (inout TenantConfiguration) -> Void = { _ in }, _ body: (EmulatorFixture) async throws -> Void
    ) async throws {
        try await withFixture {
            $0.change { $0.multiFactor = .always }
            change(&$0)
        } _: {
            try await body($0)
        }
    }

    /// Requests a code on the page and returns the next page.
    private func send(_ fixture: EmulatorFixture, _ page: Received, _ browser: Browser) async throws -> Received {
        try await fixture.submit(page, browser, [:])
    }

    @Test("sends the code by email, signs in after it, and asks once per session")
    func sendsCodeToEmail() async throws {
        try await withFactor { fixture in
            let browser = fixture.browser()
            let page = try await fixture.signIn(browser)
            #expect(page.text.contains("A code will be sent to a***@contoso.example."))
            #expect(page.text.contains("id=\"emailVerificationControl_but_send_code\""))
            #expect(try fixture.database.outbox().isEmpty)
            let around = try await browser.get(fixture.authorize())
            #expect(around.text.contains("id=\"password\""), "the password alone makes no session")
            try await nothingElse(fixture, page, browser)
            let code = try await send(fixture, page, browser)
            let wrong = try await fixture.submit(code, browser, ["emailVerificationCode": try fixture.wrongCode()])
            #expect(wrong.alerts == ["That code is incorrect. Please try again."])
            let right = try fixture.code(to: "ana@contoso.example", for: .secondFactor)
            let done = try await fixture.submit(wrong, browser, ["emailVerificationCode": right])
            #expect(try await fixture.idToken(done)["oid"] == .string(EmulatorFixture.ana))
            #expect(try await browser.get(fixture.authorize()).redirect["code"] != nil)
            #expect(try await browser.get(fixture.authorize("B2C_1_susi", ["prompt": "none"])).redirect["code"] != nil)
            let again = try await fixture.signIn(browser, ["prompt": "login"])
            #expect(again.text.contains("Verify your identity"))
        }
    }

    // The forms of other pages are refused in this transaction.
    private func nothingElse(_ fixture: EmulatorFixture, _ page: Received, _ browser: Browser) async throws {
        let (action, fields) = try page.form()
        for name in ["consent", "profile", "verify", "reset-password", "new-password"] {
            let address = fixture.emulator.origin + action.replacing("second-factor", with: name)
            let answer = try await browser.post(address, fields)
            #expect(answer.status == 400, "\(name): \(answer.text)")
        }
    }

    @Test("asks for the factor in a session without one; prompt=none gets an error")
    func refusesSessionWithoutFactor() async throws {
        try await withFactor({ tenant in
            tenant.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
        }) { fixture in
            let browser = fixture.browser()
            #expect(try await fixture.signIn(browser, policy: "B2C_1_other").redirect["code"] != nil)
            let silent = try await browser.get(fixture.authorize("B2C_1_susi", ["prompt": "none"])).redirect
            #expect(silent["error_description"]?.hasPrefix("AADB2C90077") == true)
            let page = try await browser.get(fixture.authorize())
            #expect(page.text.contains("Verify your identity"))
            try await nothingElse(fixture, page, browser)
            let code = try await send(fixture, page, browser)
            let right = try fixture.code(to: "ana@contoso.example", for: .secondFactor)
            let done = try await fixture.submit(code, browser, ["emailVerificationCode": right])
            #expect(try done.redirect["code"] != nil)
        }
    }

    @Test("sends the code to the phone of the account; asks for an unknown number and stores it after its code")
    func storesVerifiedNumber() async throws {
        try await withFactor({
            $0.change { $0.identifier = .either }
            $0.add(1, userName: "gus")
        }) { fixture in
            let browser = fixture.browser()
            let page = try await fixture.signIn(browser, as: "gus")
            let wrong = try await fixture.submit(page, browser, ["number": "030 901820"])
            #expect(wrong.alerts == ["Please enter a phone number with its country code."])
            let code = try await fixture.submit(wrong, browser, ["number": "+49 (30) 90-1820"])
            #expect(try fixture.database.user(signInName: "gus", .userName)?.phone == nil)
            let right = try fixture.code(to: "+4930901820", for: .secondFactor)
            let done = try await fixture.submit(code, browser, ["verificationCode": right])
            #expect(try done.redirect["code"] != nil)
            #expect(try fixture.database.user(signInName: "gus", .userName)?.phone == "+4930901820")
            // The number is known now.
            let other = fixture.browser()
            let known = try await fixture.signIn(other, as: "gus")
            #expect(known.text.contains("+******1820"))
            let sent = try await send(fixture, known, other)
            let second = try fixture.code(to: "+4930901820", for: .secondFactor)
            #expect(try await fixture.submit(sent, other, ["verificationCode": second]).redirect["code"] != nil)
        }
    }

    @Test("remembers across the factor that the account is new and the session kept")
    func keepsNewUserAndKeptSession() async throws {
        try await withFactor({ $0.change { $0.session.keepSeconds = 864_000 } }) { fixture in
            let browser = fixture.browser()
            let signIn = try await browser.get(fixture.authorize())
            #expect(signIn.text.contains("id=\"keepMeSignedIn\""))
            let form = try await browser.get(fixture.emulator.origin + signIn.link("createAccount"))
            let page = try await fixture.submit(
                form, browser,
                [
                    "email": "dora@contoso.example", "newPassword": "Good-enough-1",
                    "reenterPassword": "Good-enough-1", "displayName": "Dora", "givenName": "D", "surname": "E",
                ])
            let code = try await send(fixture, page, browser)
            let right = try fixture.code(to: "dora@contoso.example", for: .secondFactor)
            let done = try await fixture.submit(code, browser, ["emailVerificationCode": right])
            #expect(try await fixture.idToken(done)["newUser"]?.boolean == true)

            let other = fixture.browser()
            let first = try await other.get(fixture.authorize("B2C_1_susi", ["prompt": "login"]))
            let person: [String: String?] = ["signInName": "ana@contoso.example", "password": "Passw0rd!"]
            let kept = try await fixture.submit(first, other, person.merging(["keepMeSignedIn": "true"]) { $1 })
            #expect(try kept.form().fields["keepMeSignedIn"] == "true")
            let unticked = try await fixture.submit(first, other, person)
            #expect(try unticked.form().fields["keepMeSignedIn"] == nil)
        }
    }
}
