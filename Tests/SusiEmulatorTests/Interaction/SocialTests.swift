import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// The simulated social provider.
@Suite("Another identity provider", .inTurn, .timeLimit(.minutes(5)))
struct SocialTests {
    private func withSocial(
        _ change: (inout TenantConfiguration) -> Void = { _ in }, _ body: (EmulatorFixture) async throws -> Void
    ) async throws {
        try await withFixture(
            {
                for policy in ["B2C_1_susi", "B2C_1_edit_profile"] {
                    $0.change(policy) { $0.identityProviders = [.local, .social] }
                }
                $0.addPasswordPolicy()
                change(&$0)
            }, body)
    }

    private static let pat: [String: String?] = ["email": "pat@mail.example", "displayName": "Pat"]

    @Test("creates an account the first time and finds it the next time; reports a cancellation (AADB2C90273)")
    func createsAccountOnce() async throws {
        try await withSocial { fixture in
            let browser = fixture.browser()
            let signIn = try await browser.get(fixture.authorize())
            let social = try await browser.get(signIn.link("SocialExchange"))
            #expect(social.text.contains("part of the emulator"))
            let wrong = try await browser.submit(social, ["email": "pat"])
            #expect(wrong.alerts.count == 2)
            let details = try await browser.submit(wrong, Self.pat)
            #expect(details.text.contains(#/<input id="email"[^>]* value="pat@mail\.example"[^>]* readonly/#))
            #expect(!details.text.contains("id=\"newPassword\""))
            #expect(try details.form().fields["displayName"] == "Pat")
            // The address in the form is ignored.
            let done = try await browser.submit(
                details, ["email": "ana@contoso.example", "givenName": "Pat", "surname": "Orr"])
            let claims = try await fixture.idToken(done)
            #expect(claims["idp"] == "social.example" && claims["newUser"]?.boolean == true)
            #expect(claims["emails"] == ["pat@mail.example"] && claims["family_name"] == "Orr")

            let other = fixture.browser()
            let again = try await other.get(fixture.authorize(["domain_hint": "Social.example"]))
            #expect(again.text.contains("<bdi>Pat</bdi> <bdi class=\"detail\">pat@mail.example</bdi>"))
            let user = try #require(try fixture.database.user(email: "pat@mail.example", of: "social.example"))
            let back = try await other.submit(again, ["account": user.objectID])
            let second = try await fixture.idToken(back)
            #expect(second["oid"] == claims["oid"] && second["newUser"] == nil)
            let third = try await other.get(fixture.authorize(["domain_hint": "social.example", "prompt": "login"]))
            let cancelled = try await other.submit(third, ["cancel": "1"]).redirect
            #expect(cancelled["error"] == "server_error" && cancelled["state"] == "a state/&")
            #expect(cancelled["error_description"]?.hasPrefix("AADB2C90273: ") == true)
        }
    }

    @Test("signs in a social account whose password is marked as expired")
    func ignoresExpiredPassword() async throws {
        try await withSocial {
            $0.add(9, email: "pat@mail.example") {
                $0.identityProvider = "social.example"
                $0.mustResetPassword = true
            }
        } _: { fixture in
            let pat = "e0e0e0e0-0000-4000-8000-000000000009"
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize(["domain_hint": "social.example"]))
            let back = try await browser.submit(page, ["account": pat])
            #expect(try await fixture.idToken(back)["idp"] == "social.example")
            let user = try #require(try fixture.database.user(objectID: pat))
            #expect(user.mustResetPassword && !user.owesPassword)
            // With this transaction, the pages for passwords cannot be reached either.
            let open = try await browser.get(fixture.authorize(["domain_hint": "social.example", "prompt": "login"]))
            let (action, fields) = try open.form()
            let address = fixture.emulator.origin + action.replacing("/social", with: "/new-password")
            #expect(try await browser.post(address, fields).status == 400)
        }
    }

    @Test("has no password to reset or for ROPC; its address can have a local account too")
    func hasNoPassword() async throws {
        try await withSocial({
            $0.add(1, email: "pat@mail.example") { $0.identityProvider = "social.example" }
            $0.add(2, email: "ana@contoso.example") { $0.identityProvider = "social.example" }
        }) { fixture in
            let browser = fixture.browser()
            let reset = try await browser.get(fixture.authorize("B2C_1_reset"))
            let response = try await browser.submit(reset, ["email": "pat@mail.example"])
            #expect(response.alerts == ["This account signs in with another provider and has no password here."])
            let refused = try await fixture.password("pat@mail.example")
            #expect(try refused.json.code == 90225 && refused.text.contains("social.example"))
            #expect(try await fixture.password().json.claims("id_token")["oid"] == .string(EmulatorFixture.ana))
            #expect(try await fixture.signIn(fixture.browser(), as: "pat@mail.example").status == 200)
        }
    }

    @Test("shows no sign-in page without passwords; refuses unknown users without sign-up")
    func skipsSignInPage() async throws {
        try await withSocial({ $0.change { $0.identityProviders = [.social] } }) { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            #expect(page.text.contains("part of the emulator") && !page.text.contains("id=\"password\""))
            var (action, fields) = try page.form()
            for (name, value) in EmulatorFixture.answers { fields[name] = value }
            try await browser.post(action.replacing("social", with: "sign-in"), fields).expecting(400)
            action = try await browser.get(fixture.authorize("B2C_1_edit_profile")).link("SocialExchange")
            let social = try await browser.get(action)
            let stranger = try await browser.submit(social, Self.pat)
            #expect(stranger.alerts.first?.contains("Sign up first") == true)
        }
    }

    @Test("refuses the page of a policy without the provider")
    func refusesPageOfOtherPolicy() async throws {
        try await withFixture { fixture, browser in
            let page = try await browser.get(fixture.authorize(["domain_hint": "social.example"]))
            #expect(page.text.contains("id=\"password\"") && !page.text.contains("SocialExchange"))
            let (action, fields) = try page.form()
            try await browser.post(action.replacing("sign-in", with: "social"), fields).expecting(400)
        }
    }
}
