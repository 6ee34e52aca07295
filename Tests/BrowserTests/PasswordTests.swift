import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// People who forgot their password.
    @Suite struct PasswordTests {
        private static let new = "Fresh-9-apples"

        @Test func resetsPasswordWithinOneSignIn() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("sign-in") {
                    try await browser.click("#forgotPassword")
                    try await browser.waitForTitle("Reset password")
                    try await setPassword(of: BrowserFixture.ana.signInName, in: browser)
                    // Back at the sign-in page: the old password no longer works, the new one does.
                    try await fixture.enter(BrowserFixture.ana)
                    #expect(try await browser.text("form .alert").contains("incorrect"))
                    // The field to fill in again has the focus.
                    try await browser.type(Self.new)
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                    #expect(try await browser.windowCount == 1)
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardError.contains("continues with the reset"), "\(outcome)")
                #expect(outcome.standardOutput.contains("Ana Lima <ana@contoso.example> under B2C_1_susi"))
                try await fixture.expectNothingSecretOnPage()
                // The browser was opened once, and the reset policy leaves no account behind.
                #expect(fixture.capture.openedURLs.count == 1)
                #expect(try await fixture.accounts() == ["B2C_1_susi ana@contoso.example*"])
            }
        }

        @Test func returnsAfterCancelledReset() async throws {
            try await withFixture { fixture in
                let outcome = try await fixture.run("sign-in") {
                    try await fixture.browser.click("#forgotPassword")
                    try await fixture.browser.waitForTitle("Reset password")
                    try await fixture.browser.click("#cancel")
                    try await fixture.browser.waitForTitle("Cancelled")
                }
                #expect(outcome.status == 2, "\(outcome)")
                #expect(try await fixture.accounts().isEmpty)
            }
        }

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

                let signIn = try await fixture.run("sign-in") {
                    try await fixture.enter(BrowserFixture.ben, password: Self.new)
                }
                #expect(signIn.status == 0, "\(signIn)")
                #expect(try await fixture.accounts() == ["B2C_1_susi ben@contoso.example*"])
            }
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
