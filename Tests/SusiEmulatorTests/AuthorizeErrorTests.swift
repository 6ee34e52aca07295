import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Errors of the authorization endpoint", .inTurn, .timeLimit(.minutes(5)))
struct AuthorizeErrorTests {
    @Test("sends the refusal of an address that is not registered to a registered one, in the request's mode")
    func refusesAddressAtRegisteredOne() async throws {
        try await withFixture { fixture in
            let addresses = [
                "http://localhost:9999/", "http://localhost:8400/x", "https://evil.example/",
                "http://localhost:8400@evil.example/",
            ]
            for (address, mode) in addresses.flatMap({ [($0, "query"), ($0, "fragment"), ($0, "form_post")] }) {
                let asked = ["redirect_uri": address, "response_mode": mode]
                let answer = try await fixture.browser().get(fixture.authorize("B2C_1_susi", asked))
                let fields: [String: String]
                if mode == "form_post" {
                    let form = try answer.form()
                    #expect(form.action == "http://localhost:8400/")
                    fields = form.fields
                } else {
                    let start = "http://localhost:8400/\(mode == "query" ? "?" : "#")error="
                    #expect(answer.location?.hasPrefix(start) == true)
                    fields = try answer.redirect.all
                }
                #expect(fields["error"] == "redirect_uri_mismatch" && fields["state"] == "a state/&")
                #expect(fields["error_description"]?.hasPrefix("AADB2C90006: ") == true, "\(address) \(mode)")
            }
        }
    }

    @Test("reports a forgotten password and a cancellation once each")
    func reportsCancellationOnce() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            let forgot = fixture.emulator.origin + (try page.link("forgotPassword"))
            let fields = try await browser.get(forgot).redirect
            #expect(fields["error"] == "access_denied")
            #expect(fields["error_description"]?.hasPrefix("AADB2C90118: ") == true)
            let again = try await browser.get(forgot)
            #expect(again.status == 400)
            #expect(again.text.contains("This page has expired"))
            for policy in ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_reset"] {
                let page = try await browser.get(fixture.authorize(policy))
                let answer = try await fixture.submit(page, browser, ["cancel": "1"])
                #expect(try answer.redirect["error_description"]?.hasPrefix("AADB2C90091: ") == true)
                #expect(try answer.redirect["state"] == "a state/&")
            }
        }
    }

    @Test("expires a transaction after an hour and binds it to its policy")
    func expiresTransactions() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            var (action, fields) = try page.form()
            fields["signInName"] = "ana@contoso.example"
            fields["password"] = "Passw0rd!"
            action = action.replacing("b2c_1_susi", with: "b2c_1_edit_profile")
            #expect(try await browser.post(fixture.emulator.origin + action, fields).status == 400)
            fixture.emulator.clock.advance(by: 3_601)
            let filled = ["signInName": "ana@contoso.example", "password": "Passw0rd!"]
            let late = try await fixture.submit(page, browser, filled)
            #expect(late.text.contains("This page has expired"))
        }
    }
}
