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
            }
        }

        @Test func signsInAsTestUser() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("sign-in") {
                    try await browser.waitForTitle("Sign in")
                    #expect(try await browser.text("#testUsers") == "Ana Lima\nBen Okoro\nChi Tanaka")
                    try await browser.click("#testUsers button:nth-of-type(2)")
                    try await browser.waitForTitle("Signed in")
                }
                #expect(outcome.status == 0, "\(outcome)")
                try await fixture.expectNothingSecretOnPage()
                #expect(try await fixture.accounts() == ["B2C_1_susi ben@contoso.example*"])
            }
        }

        @Test func reportsCancellation() async throws {
            try await withFixture { fixture in
                let outcome = try await fixture.run("sign-in") {
                    try await fixture.browser.click("#cancel")
                    try await fixture.browser.waitForTitle("Cancelled")
                }
                #expect(outcome.status == 2, "\(outcome)")
                #expect(outcome.standardOutput == "")
                #expect(outcome.standardError.contains("cancelled"), "\(outcome)")
                #expect(try await fixture.accounts().isEmpty)
                #expect(try await fixture.susi.run("token").status == 4)
            }
        }

        @Test func refusesOtherUser() async throws {
            try await withFixture { fixture in
                let outcome = try await fixture.run("sign-in", "-a", BrowserFixture.chi.signInName) {
                    #expect(
                        try await fixture.browser.attribute("value", of: "#signInName") == BrowserFixture.chi.signInName
                    )
                    try await fixture.enter(BrowserFixture.ben)
                    try await fixture.browser.waitForTitle("Not signed in")
                    #expect(try await fixture.browser.text("main").contains("ben@contoso.example"))
                    try await fixture.expectNothingSecretOnPage()
                }
                #expect(outcome.status == 7, "\(outcome)")
                #expect(outcome.standardOutput == "")
                #expect(outcome.standardError.contains("nothing was stored"), "\(outcome)")
                #expect(try await fixture.accounts().isEmpty)
                #expect(try await fixture.susi.run("token", "-a", BrowserFixture.ben.signInName).status == 5)
            }
        }

        @Test func signsInSecondUser() async throws {
            try await withFixture { fixture in
                try await fixture.signIn(BrowserFixture.ana)
                // The browser's session is Ana's; the program asks select_account, so that another person can sign in.
                let outcome = try await fixture.run("sign-in") {
                    try await fixture.browser.waitForTitle("Sign in")
                    try await fixture.enter(BrowserFixture.ben)
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("ana@contoso.example"), "\(outcome)")
                #expect(
                    try await fixture.accounts() == [
                        "B2C_1_susi ana@contoso.example", "B2C_1_susi ben@contoso.example*",
                    ])
                try await expect(BrowserFixture.ben, in: fixture)

                #expect(try await fixture.susi.run("switch", BrowserFixture.ana.signInName).status == 0)
                #expect(
                    try await fixture.accounts() == [
                        "B2C_1_susi ana@contoso.example*", "B2C_1_susi ben@contoso.example",
                    ])
                try await expect(BrowserFixture.ana, in: fixture)
                #expect(try await fixture.susi.run("switch", "-").status == 0)
                try await expect(BrowserFixture.ben, in: fixture)
            }
        }

        @Test func endsSessionBySignOut() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await fixture.signIn(BrowserFixture.ana)
                // With a session and without a prompt there is no page.
                let silent = try await fixture.run("sign-in", "--prompt", "auto") {
                    try await browser.waitForTitle("Signed in")
                }
                #expect(silent.status == 0, "\(silent)")

                try await browser.navigate(to: "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout")
                try await browser.waitForTitle("You have signed out")
                let asked = try await fixture.run("sign-in", "--prompt", "auto") {
                    try await browser.waitForTitle("Sign in")
                    #expect(try await browser.attribute("value", of: "#signInName") == "")
                    try await browser.click("#cancel")
                }
                #expect(asked.status == 2, "\(asked)")
                // A sign-out in the browser removes nothing from the program's store.
                #expect(try await fixture.accounts() == ["B2C_1_susi ana@contoso.example*"])
                #expect(try await fixture.susi.run("token", "--refresh").status == 0)
            }
        }

        /// Expects that the API receives a token of this person.
        private func expect(_ person: User, in fixture: BrowserFixture) async throws {
            let call = try await fixture.susi.run("call", "hello")
            #expect(call.status == 0, "\(call)")
            #expect(call.standardOutput.contains(person.displayName), "\(call)")
        }
    }
}
