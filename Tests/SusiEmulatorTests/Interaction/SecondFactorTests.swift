import SusiBase
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
        try await withFixture(
            {
                $0.change { $0.multiFactor = .always }
                change(&$0)
            }, body)
    }

    /// Requests a code on the page and returns the next page.
    private func send(_ fixture: EmulatorFixture, _ page: Received, _ browser: Browser) async throws -> Received {
        try await browser.submit(page, [:])
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
            let wrong = try await browser.submit(code, ["emailVerificationCode": try fixture.wrongCode()])
            #expect(wrong.alerts == ["That code is incorrect. Please try again."])
            let right = try fixture.code(to: "ana@contoso.example", for: .secondFactor)
            let done = try await browser.submit(wrong, ["emailVerificationCode": right])
            #expect(try await fixture.idToken(done)["oid"] == .string(EmulatorFixture.ana))
            #expect(try await browser.get(fixture.authorize()).redirect["code"] != nil)
            #expect(try await browser.get(fixture.authorize(["prompt": "none"])).redirect["code"] != nil)
            let again = try await fixture.signIn(browser, ["prompt": "login"])
            #expect(again.text.contains("Verify your identity"))
        }
    }

    // The forms of other pages are refused in this transaction.
    private func nothingElse(_ fixture: EmulatorFixture, _ page: Received, _ browser: Browser) async throws {
        let (action, fields) = try page.form()
        for name in ["consent", "profile", "verify", "reset-password", "new-password"] {
            let address = fixture.emulator.origin + action.replacing("second-factor", with: name)
            let response = try await browser.post(address, fields)
            #expect(response.status == 400, "\(name): \(response.text)")
        }
    }

    @Test("asks for the factor in a session without one; prompt=none gets an error")
    func refusesSessionWithoutFactor() async throws {
        try await withFactor({ tenant in
            tenant.policies.append(Policy(name: PolicyName("B2C_1_other"), kind: .signUpOrSignIn))
        }) { fixture in
            let browser = fixture.browser()
            #expect(try await fixture.signIn(browser, policy: "B2C_1_other").redirect["code"] != nil)
            let silent = try await browser.get(fixture.authorize(["prompt": "none"])).redirect
            #expect(silent["error_description"]?.hasPrefix("AADB2C90077") == true)
            let page = try await browser.get(fixture.authorize())
            #expect(page.text.contains("Verify your identity"))
            try await nothingElse(fixture, page, browser)
            let code = try await send(fixture, page, browser)
            let right = try fixture.code(to: "ana@contoso.example", for: .secondFactor)
            let done = try await browser.submit(code, ["emailVerificationCode": right])
            #expect(try done.redirect["code"] != nil)
        }
    }

    @Test("asks for an unknown number and stores it after its code")
    func storesVerifiedNumber() async throws {
        try await withFactor({
            $0.change { $0.identifier = .either }
            $0.add(1, userName: "gus")
        }) { fixture in
            let browser = fixture.browser()
            let page = try await fixture.signIn(browser, as: "gus")
            let wrong = try await browser.submit(page, ["number": "030 901820"])
            #expect(wrong.alerts == ["Please enter a phone number with its country code."])
            let code = try await browser.submit(wrong, ["number": "+49 (30) 90-1820"])
            #expect(try fixture.database.user(signInName: "gus", .userName)?.phone == nil)
            let right = try fixture.code(to: "+4930901820", for: .secondFactor)
            let done = try await browser.submit(code, ["verificationCode": right])
            #expect(try done.redirect["code"] != nil)
            #expect(try fixture.database.user(signInName: "gus", .userName)?.phone == "+4930901820")
        }
    }

    /// RFC 6238, appendix B: the secret “12345678901234567890” and the last six digits.
    @Test(
        "makes the codes of the standard, each valid once and for a step before and after its own",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func makesCodesOfApp(now: Int64, code: String) {
        let totp = TOTP(secret: Self.secret)
        let step = now / 30
        #expect(totp.nextCode(now: now, after: 0) == code && totp.nextCode(now: now - 30, after: step - 1) == code)
        for (seconds, used, isRight) in [
            (0, step - 1, true), (30, 0, true), (-30, 0, true), (60, 0, false), (90, 0, false), (0, step, false),
        ] as [(Int64, Int64, Bool)] {
            #expect((totp.step(of: code, now: now + seconds, after: used) == step) == isRight, "\(seconds) \(used)")
        }
    }

    private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    @Test("adds an authenticator app with its first code, then asks for codes, each once, and locks the account")
    func asksForAuthenticatorApp() async throws {
        try await withFactor({
            $0.change { ($0.multiFactor, $0.lockoutFailures) = (.totp, 3) }
            $0.users[1].totpSecret = Self.secret
        }) { fixture in
            let (browser, late) = (fixture.browser(), fixture.browser())
            let latePage = try await fixture.signIn(late)
            let page = try await fixture.signIn(browser)
            #expect(page.text.contains("next code is in the emulator") && !page.text.contains("messages"))
            let secret = try #require(page.text.firstMatch(of: #/id="totpSecret">([A-Z2-7]{32})</#)).1
            #expect(page.text.contains("otpauth://totp/contoso.onmicrosoft.com:ana%40contoso.example?secret=\(secret)"))
            let (action, fields) = try page.form()
            let code = fixture.emulator.origin + action.replacing("authenticator", with: "second-factor")
            #expect(try await browser.post(code, fields).status == 400)
            let wrong = try await browser.submit(page, ["otpCode": try wrongCode(String(secret))])
            #expect(wrong.alerts == ["Wrong code entered, please try again."] && wrong.text.contains(secret))
            #expect(try fixture.database.user(objectID: EmulatorFixture.ana)?.totpSecret == nil)
            let first = try fixture.code(to: "ana@contoso.example", for: .secondFactor)
            #expect(first == TOTP(secret: String(secret)).nextCode(now: EmulatorFixture.start, after: 0))
            #expect(try await browser.submit(wrong, ["otpCode": first]).redirect["code"] != nil)
            #expect(try await browser.get(fixture.authorize(["prompt": "none"])).redirect["code"] != nil)

            // A page that was open before does not replace the app.
            let other = try #require(latePage.text.firstMatch(of: #/id="totpSecret">([A-Z2-7]{32})</#)).1
            let own = TOTP(secret: String(other)).nextCode(
                now: EmulatorFixture.start, after: EmulatorFixture.start / 30)
            #expect(try await late.submit(latePage, ["otpCode": own]).alerts.count == 1)
            let again = try await fixture.signIn(browser, ["prompt": "login"])
            #expect(!again.text.contains("totpSecret"))
            #expect(try await browser.submit(again, ["otpCode": first]).alerts.count == 1)
            let second = try fixture.code(to: "ana@contoso.example", for: .secondFactor)
            #expect(try await browser.submit(again, ["otpCode": second]).redirect["code"] != nil)

            let ben = try await fixture.signIn(browser, as: "ben@contoso.example", ["prompt": "login"])
            #expect(!ben.text.contains(Self.secret))
            for _ in 1...3 {
                _ = try await browser.submit(ben, ["otpCode": try wrongCode(Self.secret)])
            }
            let right = TOTP(secret: Self.secret).nextCode(now: EmulatorFixture.start, after: 0)
            let locked = try await browser.submit(ben, ["otpCode": right])
            #expect(locked.alerts.first?.hasPrefix("Your account is temporarily locked") == true)
        }
    }

    // A code of another time.
    private func wrongCode(_ secret: String) throws -> String {
        let totp = TOTP(secret: secret)
        let codes = (100...110).map { totp.nextCode(now: EmulatorFixture.start + $0 * 30, after: 0) }
        return try #require(codes.first { totp.step(of: $0, now: EmulatorFixture.start, after: 0) == nil })
    }

    @Test("remembers across the factor that the account is new and the session kept")
    func keepsNewUserAndKeptSession() async throws {
        try await withFactor({ $0.change { $0.session.keepSeconds = 864_000 } }) { fixture in
            let browser = fixture.browser()
            let signIn = try await browser.get(fixture.authorize())
            #expect(signIn.text.contains("id=\"rememberMe\""))
            let form = try await browser.get(signIn.link("createAccount"))
            let page = try await browser.submit(
                form,
                [
                    "email": "dora@contoso.example", "newPassword": "Good-enough-1",
                    "reenterPassword": "Good-enough-1", "displayName": "Dora", "givenName": "D", "surname": "E",
                ])
            let code = try await send(fixture, page, browser)
            let right = try fixture.code(to: "dora@contoso.example", for: .secondFactor)
            let done = try await browser.submit(code, ["emailVerificationCode": right])
            #expect(try await fixture.idToken(done)["newUser"]?.boolean == true)

            let other = fixture.browser()
            let first = try await other.get(fixture.authorize(["prompt": "login"]))
            let person: [String: String?] = EmulatorFixture.answers
            let kept = try await other.submit(first, person.merging(["rememberMe": "true"]) { $1 })
            #expect(try kept.form().fields["rememberMe"] == "true")
            let unticked = try await other.submit(first, person)
            #expect(try unticked.form().fields["rememberMe"] == nil)
        }
    }

    @Test("a step counts for the user who is signing in, not for one whom another form has replaced")
    func finishesStepOfItsUser() throws {
        var progress = Transaction.Progress()
        #expect(throws: PageError.self) { try progress.finish(.secondFactor, of: "ana") }
        progress.identify("ana")
        try progress.finish(.secondFactor, of: "ana")
        progress.identify("ben")
        #expect(throws: PageError.self) { try progress.finish(.secondFactor, of: "ana") }
        #expect(progress.done.isEmpty)
    }
}
