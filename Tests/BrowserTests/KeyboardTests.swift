import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

extension Pages {
    /// The pages other than sign-in and sign-up, used only with Tab, Shift-Tab, Space and Enter. The pages for consent
    /// and device codes are in `TenantPageTests`.
    @Suite struct KeyboardTests {
        private static let susi = PolicyName("B2C_1_susi")

        private static func run(_ policy: String, _ fixture: BrowserFixture) -> String {
            "\(fixture.origin)/run?place=%2Fcontoso.onmicrosoft.com%2F\(policy)"
        }

        @Test func resetsPasswordByKeyboard() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: Self.run("B2C_1_reset", fixture))
                try await browser.waitForTitle("Reset password")
                try await browser.type(BrowserFixture.ben.signInName)
                try await browser.reach("continue")
                try await browser.press(.space)
                try await browser.waitForTitle("New password")
                try await newPassword(browser, "Fresh-9-apples")
                try await browser.waitForTitle("Tokens of B2C_1_reset")
            }
        }

        // The first field has the focus; the button beside it shows the password.
        private func newPassword(_ browser: Browser, _ password: String) async throws {
            try await browser.type(password)
            try await browser.press(.tab)
            try await browser.press(.space)
            #expect(try await browser.attribute("type", of: "#newPassword") == "text")
            #expect(try await browser.accessibleName(ofActive: "Hide password"))
            try await browser.press(.enter)
            #expect(try await browser.attribute("type", of: "#newPassword") == "password")
            try await browser.reach("reenterPassword")
            try await browser.type(password)
            // Goes back to the first field, then forward again.
            try await browser.reach("newPassword", backwards: true)
            try await browser.reach("continue")
            try await browser.press(.enter)
        }

        @Test func changesPasswordThenShowsSecondFactor() async throws {
            try await withFixture {
                var settings = PolicySettings()
                settings.multiFactor = .always
                $0.settings[Self.susi] = settings
                var gus = User(
                    objectID: "d0d0d0d0-0000-4000-8000-000000000009", email: "gus@contoso.example",
                    password: BrowserFixture.ana.password, displayName: "Gus", givenName: "Gus", surname: "Berg")
                gus.mustResetPassword = true
                gus.phone = "+4930901820"
                $0.users.append(gus)
            } _: { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: Self.run("B2C_1_susi", fixture))
                try await browser.waitForTitle("Sign in")
                try await browser.type("gus@contoso.example")
                try await browser.reach("password")
                try await browser.type(BrowserFixture.ana.password)
                try await browser.press(.enter)
                try await browser.waitForTitle("New password")
                try await newPassword(browser, "Fresh-9-apples")
                try await browser.waitForTitle("Verify your identity")
                try await browser.reach("phoneVerificationControl_but_send_code")
                try await browser.press(.space)
                try await browser.waitForTitle("Verification code")
                #expect(try await browser.activeElementID == "verificationCode")
                try await browser.reach("phoneVerificationControl_but_send_new_code")
                // The next page has the same title.
                _ = try await browser.execute("document.title = 'before'")
                try await browser.press(.enter)
                try await browser.waitForTitle("Verification code")
                try await browser.type(try fixture.newestCode())
                try await browser.press(.enter)
                try await browser.waitForTitle("Tokens of B2C_1_susi")
            }
        }

        @Test func signsInWithSocialProviderByKeyboard() async throws {
            try await withFixture {
                $0.offerSocialProvider()
            } _: { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: Self.run("B2C_1_susi", fixture))
                try await browser.reach("SocialExchange")
                try await browser.press(.enter)
                try await browser.waitForTitle("Sign in with social.example")
                // Enter in the field submits a new user, never one of the listed accounts.
                try await browser.press(.enter)
                try await browser.waitForTitle("Error: Sign in with social.example")
                #expect(try await browser.activeElementID == "email")
                try await browser.reach("account1")
                try await browser.press(.space)
                try await browser.waitForTitle("Tokens of B2C_1_susi")
            }
        }
    }
}

extension BrowserFixture {
    /// Returns the code that was sent last.
    func newestCode() throws -> String {
        let running = try #require(emulator)
        return try #require(try running.site.tenants[0].database.outbox(limit: 1).first).code
    }
}

extension Browser {
    /// Returns whether the focused element has this accessible name.
    fileprivate func accessibleName(ofActive name: String) async throws -> Bool {
        try await execute("return document.activeElement.getAttribute('aria-label')").string == name
    }
}
