import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// People who forgot their password.
    @Suite struct PasswordTests {
        private static let new = "Fresh-9-apples"

        @Test func forgottenPasswordWithinOneSignIn() async throws {
            try await withScene { scene in
                let browser = scene.browser
                let outcome = try await scene.run("sign-in") {
                    try await browser.click("#forgotPassword")
                    try await browser.waitForTitle("Reset password")
                    try await setPassword(of: Scene.ana.signInName, in: browser)
                    // Back at the sign-in page: the old password no longer works, the new one does.
                    try await scene.enter(Scene.ana)
                    #expect(try await browser.text("form .alert").contains("incorrect"))
                    // What has to be typed again has the keyboard.
                    try await browser.type(Self.new)
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                    #expect(try await browser.windowCount == 1)
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardError.contains("continues with the reset"), "\(outcome)")
                #expect(outcome.standardOutput.contains("Signed in as Ana Lima <ana@contoso.example> under B2C_1_susi"))
                try await scene.expectNothingSecretOnPage()
                // The browser was opened once, and the reset policy leaves no account behind.
                #expect(scene.capture.openedURLs.count == 1)
                #expect(try await scene.accounts() == ["B2C_1_susi ana@contoso.example*"])
            }
        }

        @Test func cancelledInTheResetPolicy() async throws {
            try await withScene { scene in
                let outcome = try await scene.run("sign-in") {
                    try await scene.browser.click("#forgotPassword")
                    try await scene.browser.waitForTitle("Reset password")
                    try await scene.browser.click("#cancel")
                    try await scene.browser.waitForTitle("Cancelled")
                }
                #expect(outcome.status == 2, "\(outcome)")
                #expect(try await scene.accounts().isEmpty)
            }
        }

        @Test func resetAlone() async throws {
            try await withScene { scene in
                let browser = scene.browser
                let outcome = try await scene.run("reset-password") {
                    try await browser.fill("#email", with: "nobody@contoso.example")
                    try await browser.click("#continue")
                    #expect(try await browser.text("#email-error").contains("could not be found"))
                    try await setPassword(of: Scene.ben.signInName, in: browser)
                    try await browser.waitForTitle("Password set")
                    #expect(try await browser.text("main").contains("ben@contoso.example has a new password"))
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("Set a new password for ben@contoso.example"), "\(outcome)")
                try await scene.expectNothingSecretOnPage()
                #expect(try await scene.accounts().isEmpty)

                let signIn = try await scene.run("sign-in") { try await scene.enter(Scene.ben, password: Self.new) }
                #expect(signIn.status == 0, "\(signIn)")
                #expect(try await scene.accounts() == ["B2C_1_susi ben@contoso.example*"])
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
