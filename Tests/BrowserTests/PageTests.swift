import Foundation
import SusiEmulator
import SusiTestSupport
import Testing

extension Pages {
    /// Every page that a person can see: accessible, without foreign resources, without console messages.
    @Suite struct PageTests {
        private static let client = "11111111-1111-1111-1111-111111111111"

        @Test func hasAccessiblePagesOfEmulator() async throws {
            try await withFixture { fixture in
                try await signInPages(fixture)
                try await resetPages(fixture)
                try await profilePages(fixture)
                try await messagePages(fixture)
            }
        }

        private func signInPages(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: Self.address("B2C_1_susi", fixture))
            try await browser.inspect("sign-in")
            try await fixture.enter(BrowserFixture.ana, password: "not it")
            _ = try await browser.find("form .alert")
            try await browser.inspect("sign-in-wrong")
            try await browser.click("#createAccount")
            try await browser.inspect("sign-up", titled: "Sign up")
            try await browser.fill("#email", with: "dora@contoso.example")
            try await browser.click("#continue")
            try await browser.inspect("sign-up-wrong", titled: "Error: Sign up")
        }

        private func resetPages(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: Self.address("B2C_1_reset", fixture))
            try await browser.inspect("reset")
            try await browser.fill("#email", with: "unknown@contoso.example")
            try await browser.click("#continue")
            try await browser.inspect("reset-wrong", titled: "Error: Reset password")
            try await browser.fill("#email", with: BrowserFixture.ben.signInName)
            try await browser.click("#continue")
            try await browser.inspect("new-password", titled: "New password")
            try await browser.fill("#newPassword", with: "short")
            try await browser.click("#continue")
            try await browser.inspect("new-password-wrong", titled: "Error: New password")
        }

        private func profilePages(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: Self.address("B2C_1_edit_profile", fixture))
            try await browser.inspect("profile-sign-in")
            try await fixture.enter(BrowserFixture.ana)
            try await browser.inspect("profile", titled: "Edit profile")
            try await browser.find("#givenName").clear()
            try await browser.click("#continue")
            try await browser.inspect("profile-wrong", titled: "Error: Edit profile")
        }

        private func messagePages(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: "\(fixture.tenant)/B2C_1_susi/page/sign-up?transaction=gone")
            try await browser.inspect("ended", status: 400)
            let foreign = Self.address("B2C_1_susi", fixture).replacing("client_id=", with: "client_id=x")
            try await browser.navigate(to: foreign)
            try await browser.inspect("refused", status: 400)
            try await browser.navigate(to: "\(fixture.tenant)/B2C_1_missing")
            try await browser.inspect("not-found", status: 404)
            try await browser.navigate(to: "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout")
            try await browser.inspect("signed-out")
        }

        @Test func hasAccessiblePagesOfProgram() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await signInWithNewPassword(fixture)
                _ = try await fixture.run("edit-profile") {
                    try await browser.click("#continue")
                    try await browser.inspect("program-profile-saved", titled: "Profile saved")
                }
                try await signInAsOtherPerson(fixture)
                try await cancelSignIn(fixture)
                _ = try await fixture.run("reset-password") {
                    try await browser.fill("#email", with: BrowserFixture.ben.signInName)
                    try await setPassword(browser)
                    try await browser.inspect("program-password-set", titled: "Password set")
                }
                _ = try await fixture.signOut("--browser") {
                    try await browser.inspect("program-signed-out", titled: "Signed out")
                }
            }
        }

        // The password is reset within the sign-in, in the same window.
        private func signInWithNewPassword(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await fixture.run("sign-in") {
                try await browser.click("#forgotPassword")
                try await browser.waitForTitle("Reset password")
                try await browser.fill("#email", with: BrowserFixture.ana.signInName)
                try await setPassword(browser)
                try await fixture.enter(BrowserFixture.ana, password: "Fresh-9-apples")
                try await browser.inspect("program-signed-in", titled: "Signed in")
                #expect(try await browser.windowCount == 1)
            }.exits(0)
            try await fixture.expectNothingSecretOnPage()
            #expect(fixture.capture.openedURLs.count == 1)
            #expect(try await fixture.accounts() == ["B2C_1_susi ana@contoso.example*"])
        }

        private func setPassword(_ browser: Browser) async throws {
            try await browser.click("#continue")
            try await browser.waitForTitle("New password")
            for field in ["newPassword", "reenterPassword"] {
                try await browser.fill("#\(field)", with: "Fresh-9-apples")
            }
            try await browser.click("#continue")
        }

        private func signInAsOtherPerson(_ fixture: BrowserFixture) async throws {
            let (browser, chi) = (fixture.browser, BrowserFixture.chi.signInName)
            try await fixture.run("sign-in", "-a", chi) {
                #expect(try await browser.attribute("value", of: "#email") == chi)
                // A test user signs in with one click, although the fields are empty.
                try await browser.find("#email").clear()
                try await browser.click("#testUsers button:nth-of-type(2)")
                try await browser.inspect("program-other-person", titled: "Not signed in")
                #expect(try await browser.text("main").contains(BrowserFixture.ben.signInName))
                try await fixture.expectNothingSecretOnPage()
            }.exits(7, output: "")
            #expect(try await fixture.accounts().allSatisfy { !$0.contains("ben@") })
        }

        // A stray response is refused before.
        private func cancelSignIn(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await fixture.run("sign-in") {
                let address = try await browser.currentURL
                let redirect = try #require(address.firstMatch(of: /redirect_uri=([^&]+)/)).1.removingPercentEncoding
                try await browser.navigate(to: "\(redirect ?? "")?code=abc&state=wrong")
                try await browser.inspect("program-stray", titled: "Not this sign-in", status: 400)
                try await browser.navigate(to: address)
                try await browser.click("#cancel")
                try await browser.inspect("program-cancelled", titled: "Cancelled")
            }.exits(2, output: "")
        }

        /// Returns the address of an authorization request; the challenge is that of RFC 7636, appendix B.
        static func address(_ policy: String, _ fixture: BrowserFixture) -> String {
            "\(fixture.tenant)/\(policy)/oauth2/v2.0/authorize?client_id=\(Self.client)&response_type=code&scope=openid"
                + "&redirect_uri=http%3A%2F%2Flocalhost%3A1%2F&state=s&code_challenge_method=S256"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        }
    }
}
