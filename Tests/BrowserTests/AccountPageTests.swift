import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

extension Pages {
    /// The pages that a policy's settings add: their accessibility, and the flows through them with Tab, Shift-Tab, Space
    /// and Enter alone.
    @Suite struct AccountPageTests {
        private static let susi = PolicyName("B2C_1_susi")
        private static let tokens = "Tokens of B2C_1_susi"

        /// The settings of a policy with every kind of page for a new account.
        private static var full: PolicySettings {
            var settings = PolicySettings()
            settings.identifier = .either
            settings.identityProviders = [.local, .social]
            settings.attributes = [
                .init("displayName", isRequired: true), .init("city"),
                .init("extension_Plan", label: "Your plan", isRequired: true, choices: ["Free", "Paid"]),
            ]
            settings.verifiesEmail = true
            settings.forgottenPassword = .inline
            settings.session.keepSeconds = 864_000
            return settings
        }

        @Test func signsUpThenResetsPassword() async throws {
            try await withFixture {
                $0.settings[Self.susi] = Self.full
            } _: { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: fixture.runner("B2C_1_susi"))
                try await browser.inspect("sign-in-full", titled: "Sign in")
                try await browser.click("#createAccount")
                try await browser.inspect("sign-up-address", titled: "Verify your email address")
                try await browser.fill("#email", with: "dora@contoso.example")
                try await browser.press(.enter)
                try await browser.inspect("code", titled: "Verification code")
                try await browser.fill("#emailVerificationCode", with: "not it")
                try await browser.press(.enter)
                try await browser.inspect("code-wrong", titled: "Error: Verification code")
                try await browser.type(try fixture.code(to: "dora@contoso.example"))
                try await browser.press(.enter)
                try await signUpDetails(browser)
                try await resetPassword(fixture)
            }
        }

        private func signUpDetails(_ browser: Browser) async throws {
            try await browser.inspect("sign-up-full", titled: "Sign up")
            #expect(try await browser.attribute("value", of: "#email") == "dora@contoso.example")
            try await browser.fill("#newPassword", with: "Secret-7-lamps")
            try await browser.fill("#reenterPassword", with: "Secret-7-lamps")
            try await browser.fill("#displayName", with: "Dora")
            try await browser.click("#continue")
            try await browser.inspect("sign-up-full-wrong", titled: "Error: Sign up")
            #expect(try await browser.activeElementID == "extension_Plan")
            // Chooses an option of the list by keyboard.
            try await browser.type("P")
            for field in ["newPassword", "reenterPassword"] {
                try await browser.fill("#\(field)", with: "Secret-7-lamps")
            }
            try await browser.press(.enter)
            try await browser.waitForTitle(Self.tokens)
            #expect(try await browser.text("main").contains("Paid"))
        }

        private func resetPassword(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: fixture.runner("B2C_1_susi", "&prompt=login"))
            try await browser.click("#forgotPassword")
            try await browser.inspect("reset-with-code", titled: "Reset password")
            try await browser.type(BrowserFixture.ben.signInName)
            try await browser.reach("emailVerificationControl_but_send_code")
            try await browser.press(.space)
            try await browser.inspect("reset-code", titled: "Verification code")
            try await browser.type(try fixture.code(to: BrowserFixture.ben.signInName))
            try await browser.press(.enter)
            try await enterNewPassword(browser)
            try await browser.waitForTitle(Self.tokens)
            #expect(try await browser.text("main").contains(BrowserFixture.ben.displayName))
        }

        // The first field has the focus; the button beside it shows the password.
        private func enterNewPassword(_ browser: Browser) async throws {
            try await browser.waitForTitle("New password")
            try await browser.type("Fresh-9-apples")
            try await browser.press(.tab)
            try await browser.press(.space)
            #expect(try await browser.attribute("type", of: "#newPassword") == "text")
            let name = try await browser.execute("return document.activeElement.lastElementChild.textContent")
            #expect(name == "Hide password")
            try await browser.press(.enter)
            #expect(try await browser.attribute("type", of: "#newPassword") == "password")
            try await browser.reach("reenterPassword")
            try await browser.type("Fresh-9-apples")
            // Goes back to the first field, then forward again.
            try await browser.reach("newPassword", backwards: true)
            try await browser.reach("continue")
            try await browser.press(.enter)
        }

        @Test func signsInWithSocialProvider() async throws {
            try await withFixture {
                $0.offerSocialProvider()
            } _: { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: fixture.runner("B2C_1_susi"))
                try await browser.reach("SocialExchange")
                try await browser.press(.enter)
                try await browser.inspect("social", titled: "Sign in with social.example")
                // Enter in the field submits a new user, never one of the listed accounts.
                try await browser.press(.enter)
                try await browser.inspect("social-wrong", titled: "Error: Sign in with social.example")
                #expect(try await browser.activeElementID == "email")
                try await browser.fill("#email", with: "quin@mail.example")
                try await browser.fill("#displayName", with: "Quin")
                try await browser.press(.enter)
                try await browser.inspect("social-sign-up", titled: "Sign up")
                try await browser.fill("#givenName", with: "Quin")
                try await browser.fill("#surname", with: "Ash")
                try await browser.press(.enter)
                try await browser.waitForTitle(Self.tokens)

                try await browser.deleteCookies()
                try await browser.navigate(to: fixture.runner("B2C_1_susi"))
                try await browser.click("#SocialExchange")
                try await browser.reach("account1")
                try await browser.press(.space)
                try await browser.waitForTitle(Self.tokens)
                #expect(try await browser.text("main").contains("pat@mail.example"))
            }
        }

        @Test func asksForAuthenticatorApp() async throws {
            try await withFixture {
                $0.settings[Self.susi, default: PolicySettings()].multiFactor = .totp
            } _: { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: fixture.runner("B2C_1_susi"))
                try await fixture.enter(BrowserFixture.ana)
                try await browser.waitForTitle("Verify your identity")
                try await browser.inspect("authenticator")
                try await browser.type(try fixture.code(to: BrowserFixture.ana.signInName))
                try await browser.press(.enter)
                try await browser.waitForTitle(Self.tokens)
            }
        }

        @Test func asksForSecondFactor() async throws {
            try await withFixture {
                var settings = PolicySettings()
                settings.identifier = .userName
                settings.multiFactor = .always
                settings.lockoutFailures = 2
                $0.settings[Self.susi] = settings
                var gus = User(
                    objectID: "d0d0d0d0-0000-4000-8000-000000000009", userName: "gus",
                    password: User.standard[0].password, displayName: "Gus", givenName: "Gus", surname: "Berg")
                gus.mustResetPassword = true
                $0.users.append(gus)
            } _: { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: fixture.runner("B2C_1_susi"))
                try await browser.waitForTitle("Sign in")
                try await browser.type("gus")
                try await browser.reach("password")
                try await browser.type(User.standard[0].password)
                try await browser.press(.enter)
                try await browser.inspect("password-expired", titled: "New password")
                try await enterNewPassword(browser)
                try await browser.inspect("second-factor-number", titled: "Verify your identity")
                try await browser.fill("#number", with: "123")
                try await browser.press(.enter)
                try await browser.inspect("second-factor-number-wrong", titled: "Error: Verify your identity")
                try await browser.fill("#number", with: "+49 30 901820")
                try await browser.press(.enter)
                try await browser.inspect("second-factor-code", titled: "Verification code")
                #expect(try await browser.activeElementID == "verificationCode")
                try await browser.reach("phoneVerificationControl_but_send_new_code")
                // The next page has the same title.
                try await browser.execute("document.title = 'before'")
                try await browser.press(.enter)
                try await browser.waitForTitle("Verification code")
                try await browser.type(try fixture.code(to: "+4930901820"))
                try await browser.press(.enter)
                try await browser.waitForTitle(Self.tokens)
                try await lockByKnownNumber(fixture)
            }
        }

        // The phone number is known now. Wrong codes lock the account.
        private func lockByKnownNumber(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: fixture.runner("B2C_1_susi", "&prompt=login"))
            try await browser.fill("#logonIdentifier", with: "gus")
            try await browser.fill("#password", with: "Fresh-9-apples")
            try await browser.press(.enter)
            try await browser.inspect("second-factor", titled: "Verify your identity")
            try await browser.reach("phoneVerificationControl_but_send_code")
            try await browser.press(.space)
            for _ in 1...2 {
                try await browser.fill("#verificationCode", with: "none")
                try await browser.click("#phoneVerificationControl_but_verify_code")
            }
            _ = try await browser.find("form .alert")
            try await browser.inspect("locked")
            try await browser.click("#cancel")
            try await browser.waitForTitle("Error: No tokens")
        }
    }
}
