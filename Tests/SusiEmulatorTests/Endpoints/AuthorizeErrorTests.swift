import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Errors of the authorization endpoint", .inTurn, .timeLimit(.minutes(5)))
struct AuthorizeErrorTests {
    @Test("reports a forgotten password and a cancellation once each")
    func reportsCancellationOnce() async throws {
        try await withFixture { fixture, browser in
            let page = try await browser.get(fixture.authorize())
            let forgot = fixture.emulator.origin + (try page.link("forgotPassword"))
            #expect(try await browser.get(forgot).redirect["error"] == "access_denied")
            let again = try await browser.get(forgot).expecting(400)
            #expect(again.text.contains("This page has expired"))
            for policy in ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_reset"] {
                let page = try await browser.get(fixture.authorize(policy))
                let response = try await browser.submit(page, ["cancel": "1"])
                #expect(try response.redirect["error_description"]?.hasPrefix("AADB2C90091: ") == true)
                #expect(try response.redirect["state"] == "a state/&")
            }
        }
    }

    @Test("expires a transaction after an hour and binds it to its policy")
    func expiresTransactions() async throws {
        try await withFixture { fixture, browser in
            let page = try await browser.get(fixture.authorize())
            var (action, fields) = try page.form()
            fields["signInName"] = "ana@contoso.example"
            fields["password"] = "Passw0rd!"
            action = action.replacing("b2c_1_susi", with: "b2c_1_edit_profile")
            #expect(try await browser.post(action, fields).status == 400)
            fixture.emulator.clock.advance(by: 3_601)
            let late = try await browser.submit(page, EmulatorFixture.answers)
            #expect(late.text.contains("This page has expired"))
        }
    }
}
