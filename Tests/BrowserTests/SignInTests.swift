import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// People who have an account already.
    @Suite struct SignInTests {
        @Test func signsInAfterWrongPassword() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("sign-in") {
                    #expect(try await browser.activeElementID == "signInName")
                    #expect(try await browser.has(".alert") == false)
                    try await fixture.enter(BrowserFixture.ana, password: "not it")
                    #expect(
                        try await browser.text("form .alert") == "Your email address or your password is incorrect.")
                    #expect(try await browser.attribute("role", of: "form .alert") == "alert")
                    #expect(try await browser.attribute("value", of: "#signInName") == BrowserFixture.ana.signInName)
                    #expect(try await browser.attribute("value", of: "#password") == "")
                    // The field to fill in again has the focus.
                    #expect(try await browser.activeElementID == "password")
                    #expect(try await browser.attribute("aria-describedby", of: "#password") == "alert")
                    #expect(try await fixture.accounts().isEmpty)
                    try await browser.type(BrowserFixture.ana.password)
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("Ana Lima <ana@contoso.example>"), "\(outcome)")
                try await fixture.expectNothingSecretOnPage()
                #expect(try await fixture.accounts() == ["B2C_1_susi ana@contoso.example*"])
                try await signInTestUser(fixture)
            }
        }

        // The browser's session is Ana's; the program asks select_account, so that another person can sign in.
        private func signInTestUser(_ fixture: BrowserFixture) async throws {
            let browser = fixture.browser
            let outcome = try await fixture.run("sign-in") {
                try await browser.waitForTitle("Sign in")
                #expect(try await browser.text("#testUsers") == "Ana Lima\nBen Okoro\nChi Tanaka")
                try await browser.click("#testUsers button:nth-of-type(2)")
                try await browser.waitForTitle("Signed in")
            }
            #expect(outcome.status == 0, "\(outcome)")
            try await fixture.expectNothingSecretOnPage()
            #expect(
                try await fixture.accounts() == ["B2C_1_susi ana@contoso.example", "B2C_1_susi ben@contoso.example*"])
        }
    }
}
