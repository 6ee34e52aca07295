import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Codes that were sent: to verify an address, to reset a password, as a second factor.
@Suite("Codes", .inTurn, .timeLimit(.minutes(5)))
struct CodeTests {
    private static let details: [String: String?] = [
        "newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1", "displayName": "Dora", "givenName": "D",
        "surname": "E",
    ]

    @Test("pure: a code is right once in its time, and dies of wrong attempts")
    func countsAttempts() {
        var sent = SentCode(
            "123456", for: .verifyEmail, to: "a@b.example", by: .email, person: nil, secret: "s", now: 1_000)
        #expect(sent.attempt("123456", secret: "other", now: 1_000) == .wrong)
        #expect(sent.attempt("123456", secret: "s", now: 1_299) == .right)
        #expect(sent.attempt("123456", secret: "s", now: 1_300) == .expired)
        for _ in 2...4 { #expect(sent.attempt("12345", secret: "s", now: 1_000) == .wrong) }
        #expect(sent.attempt("", secret: "s", now: 1_000) == .tooMany)
        #expect(sent.attempt("123456", secret: "s", now: 1_000) == .tooMany)
        #expect(masked("ana@contoso.example") == "a***@contoso.example" && masked("+4930901820") == "+******1820")
    }

    @Test("verifies the address before the sign-up and accepts no other")
    func verifiesAddressFirst() async throws {
        try await withFixture({ $0.change { $0.verifiesEmail = true } }) { fixture, browser in
            let signIn = try await browser.get(fixture.authorize())
            let address = try await browser.get(signIn.link("createAccount"))
            #expect(address.text.contains("id=\"emailVerificationControl_but_send_code\""))
            #expect(address.text.contains("id=\"attributeVerification\"") && !address.text.contains("newPassword"))
            let invalid = try await browser.submit(address, ["email": "dora"])
            #expect(invalid.alerts == ["Please enter a valid email address."])
            // The code cannot be skipped.
            var (action, fields) = try invalid.form()
            action = action.replacing("sign-up-address", with: "sign-up")
            for (name, value) in Self.details { fields[name] = value }
            let skipped = try await browser.post(action, fields)
            #expect(skipped.text.contains("id=\"emailVerificationControl_but_send_code\""))

            var code = try await browser.submit(invalid, ["email": "dora@contoso.example"])
            #expect(code.text.contains("A code was sent to dora@contoso.example."))
            let first = try fixture.code(to: "dora@contoso.example", for: .verifyEmail)
            code = try await browser.submit(code, ["emailVerificationCode": try fixture.wrongCode()])
            #expect(code.alerts == ["That code is incorrect. Please try again."])
            // A new code voids the old one.
            code = try await browser.submit(code, ["sendNewCode": "1"])
            let second = try fixture.code(to: "dora@contoso.example", for: .verifyEmail)
            if first != second {
                code = try await browser.submit(code, ["emailVerificationCode": first])
                #expect(code.alerts == ["That code is incorrect. Please try again."])
            }
            let page = try await browser.submit(code, ["emailVerificationCode": " \(second) "])
            #expect(page.text.contains(#/<input id="email"[^>]* value="dora@contoso\.example"[^>]* readonly/#))
            #expect(page.text.contains("id=\"emailVerificationControl_but_change_claims\""))
            let back = try await browser.submit(code, ["emailVerificationCode": second])
            #expect(back.status == 400, "a code is used once")
            let done = try await browser.submit(page, Self.details.merging(["email": "ana@contoso.example"]) { $1 })
            #expect(try await fixture.idToken(done)["emails"] == ["dora@contoso.example"])
            #expect(!fixture.log.lines.joined().contains(second))
        }
    }

    @Test("forgets the previous address after a change")
    func forgetsPreviousAddress() async throws {
        try await withFixture({ $0.change { $0.verifiesEmail = true } }) { fixture, browser in
            let signIn = try await browser.get(fixture.authorize())
            var page = try await browser.get(signIn.link("createAccount"))
            page = try await browser.submit(page, ["email": "dora@contoso.example"])
            page = try await browser.submit(page, ["changeClaims": "1"])
            #expect(page.text.contains("emailVerificationControl_but_send_code"))
            page = try await browser.submit(page, ["email": "dora@contoso.example"])
            page = try await browser.submit(
                page, ["emailVerificationCode": try fixture.code(to: "dora@contoso.example", for: .verifyEmail)])
            let again = try await browser.submit(page, ["changeClaims": "1"])
            #expect(again.text.contains("emailVerificationControl_but_send_code"))
            let forced = try await browser.submit(page, Self.details)
            #expect(forced.text.contains("emailVerificationControl_but_send_code"))
            #expect(try fixture.database.user(email: "dora@contoso.example") == nil)
        }
    }

    @Test("expires a code after five minutes and sends ten per transaction")
    func limitsCodes() async throws {
        try await withFixture({ $0.change("B2C_1_reset") { $0.verifiesEmail = true } }) { fixture, browser in
            var page = try await browser.get(fixture.authorize("B2C_1_reset"))
            page = try await browser.submit(page, ["email": "ana@contoso.example"])
            fixture.emulator.clock.advance(by: 300)
            let code = try fixture.code(to: "ana@contoso.example", for: .resetPassword)
            page = try await browser.submit(page, ["emailVerificationCode": code])
            #expect(page.alerts == ["That code has expired. Please request a new code."])
            for _ in 2...10 { page = try await browser.submit(page, ["sendNewCode": "1"]) }
            #expect(page.alerts.isEmpty)
            page = try await browser.submit(page, ["sendNewCode": "1"])
            #expect(page.alerts.first?.hasPrefix("Too many codes") == true)
            #expect(try fixture.database.outbox().count == 10)
        }
    }

    @Test("resets the password with a code")
    func resetsPasswordWithCode() async throws {
        try await withFixture({ $0.change("B2C_1_reset") { $0.verifiesEmail = true } }) { fixture, browser in
            var page = try await browser.get(fixture.authorize("B2C_1_reset"))
            page = try await browser.submit(page, ["email": "ben@contoso.example"])
            #expect(page.text.contains("A code was sent to b***@contoso.example."))
            let (action, fields) = try page.form()
            try await browser.post(
                action.replacing("verify", with: "reset-password"),
                fields.merging(["newPassword": "Brand-new-1", "reenterPassword": "Brand-new-1"]) { $1 }
            ).expecting(400)
            let code = try fixture.code(to: "ben@contoso.example", for: .resetPassword)
            page = try await browser.submit(page, ["emailVerificationCode": code])
            let new = ["newPassword": "Brand-new-1", "reenterPassword": "Brand-new-1"]
            let done = try await browser.submit(page, new)
            #expect(try await fixture.idToken(done, policy: "B2C_1_reset")["name"] == "Ben Okoro")
        }
    }
}
