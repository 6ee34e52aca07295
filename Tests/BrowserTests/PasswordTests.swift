import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// People who forgot their password.
    @Suite struct PasswordTests {
        private static let new = "Fresh-9-apples"

        @Test func resetsPasswordByCommand() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("reset-password") {
                    try await browser.fill("#email", with: "unknown@contoso.example")
                    try await browser.click("#continue")
                    #expect(try await browser.text("#email-error").contains("could not be found"))
                    try await setPassword(of: BrowserFixture.ben.signInName, in: browser)
                    try await browser.waitForTitle("Password set")
                    #expect(try await browser.text("main").contains("ben@contoso.example"))
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("ben@contoso.example"), "\(outcome)")
                try await fixture.expectNothingSecretOnPage()
                #expect(try await fixture.accounts().isEmpty)
                try await resetWithinSignIn(fixture)

                let cancelled = try await fixture.run("sign-in") {
                    try await browser.click("#forgotPassword")
                    try await browser.waitForTitle("Reset password")
                    try await browser.click("#cancel")
                    try await browser.waitForTitle("Cancelled")
                }
                #expect(cancelled.status == 2, "\(cancelled)")
            }
        }

        private func resetWithinSignIn(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            let outcome = try await fixture.run("sign-in") {
                try await browser.click("#forgotPassword")
                try await browser.waitForTitle("Reset password")
                try await setPassword(of: BrowserFixture.ana.signInName, in: browser)
                // Back at the sign-in page: the old password no longer works, the new one does.
                try await fixture.enter(BrowserFixture.ana)
                #expect(try await browser.text("form .alert").contains("incorrect"))
                try await browser.type(Self.new)
                try await browser.press(.enter)
                try await browser.waitForTitle("Signed in")
                #expect(try await browser.windowCount == 1)
            }
            #expect(outcome.status == 0, "\(outcome)")
            try await fixture.expectNothingSecretOnPage()
            // Each command opened the browser once, and the reset policy leaves no account behind.
            #expect(fixture.capture.openedURLs.count == 2)
            #expect(try await fixture.accounts() == ["B2C_1_susi ana@contoso.example*"])
        }

        private func setPassword(of email: String, in browser: Browser) async throws {
            try await browser.fill("#email", with: email)
            try await browser.click("#continue")
            try await browser.waitForTitle("New password")
            try await browser.fill("#newPassword", with: Self.new)
            try await browser.fill("#reenterPassword", with: "Another-9-apples")
            try await browser.click("#continue")
            #expect(try await browser.text("#reenterPassword-error") == "The passwords do not match.")
            for field in ["newPassword", "reenterPassword"] { try await browser.fill("#\(field)", with: Self.new) }
            try await browser.click("#continue")
        }
    }
}
