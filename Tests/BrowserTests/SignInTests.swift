import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// People who have an account already.
    @Suite struct SignInTests {
        @Test func wrongPasswordThenTheRightOne() async throws {
            try await withScene { scene in
                let browser = scene.browser
                let outcome = try await scene.run("sign-in") {
                    #expect(try await browser.activeElementID == "signInName")
                    #expect(try await browser.has(".alert") == false)
                    try await scene.enter(Scene.ana, password: "not it")
                    #expect(
                        try await browser.text("form .alert") == "Your email address or your password is incorrect.")
                    #expect(try await browser.attribute("role", of: "form .alert") == "alert")
                    #expect(try await browser.attribute("value", of: "#signInName") == Scene.ana.signInName)
                    #expect(try await browser.attribute("value", of: "#password") == "")
                    // What has to be typed again has the keyboard.
                    #expect(try await browser.activeElementID == "password")
                    #expect(try await browser.attribute("aria-describedby", of: "#password") == "alert")
                    #expect(try await scene.accounts().isEmpty)
                    try await browser.type(Scene.ana.password)
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("Signed in as Ana Lima <ana@contoso.example>"), "\(outcome)")
                try await scene.expectNothingSecretOnPage()
                #expect(try await scene.accounts() == ["B2C_1_susi ana@contoso.example*"])
            }
        }

        @Test func oneClickOnATestUser() async throws {
            try await withScene { scene in
                let browser = scene.browser
                let outcome = try await scene.run("sign-in") {
                    try await browser.waitForTitle("Sign in")
                    #expect(try await browser.text("#testUsers") == "Ana Lima\nBen Okoro\nChi Tanaka")
                    try await browser.click("#testUsers button:nth-of-type(2)")
                    try await browser.waitForTitle("Signed in")
                }
                #expect(outcome.status == 0, "\(outcome)")
                try await scene.expectNothingSecretOnPage()
                #expect(try await scene.accounts() == ["B2C_1_susi ben@contoso.example*"])
            }
        }

        @Test func cancelled() async throws {
            try await withScene { scene in
                let outcome = try await scene.run("sign-in") {
                    try await scene.browser.click("#cancel")
                    try await scene.browser.waitForTitle("Cancelled")
                }
                #expect(outcome.status == 2, "\(outcome)")
                #expect(outcome.standardOutput == "")
                #expect(outcome.standardError.contains("cancelled"), "\(outcome)")
                #expect(try await scene.accounts().isEmpty)
                #expect(try await scene.susi.run("token").status == 4)
            }
        }

        @Test func somebodyElseThanExpected() async throws {
            try await withScene { scene in
                let outcome = try await scene.run("sign-in", "-a", Scene.chi.signInName) {
                    #expect(try await scene.browser.attribute("value", of: "#signInName") == Scene.chi.signInName)
                    try await scene.enter(Scene.ben)
                    try await scene.browser.waitForTitle("Not signed in")
                    #expect(
                        try await scene.browser.text("main").contains("Signed in as ben@contoso.example, not as chi@"))
                    try await scene.expectNothingSecretOnPage()
                }
                #expect(outcome.status == 7, "\(outcome)")
                #expect(outcome.standardOutput == "")
                #expect(outcome.standardError.contains("nothing was stored"), "\(outcome)")
                #expect(try await scene.accounts().isEmpty)
                #expect(try await scene.susi.run("token", "-a", Scene.ben.signInName).status == 5)
            }
        }

        @Test func secondPersonInTheSameBrowser() async throws {
            try await withScene { scene in
                try await scene.signIn(Scene.ana)
                // The browser's session is Ana's; the program asks select_account, so the person can choose.
                let outcome = try await scene.run("sign-in") {
                    try await scene.browser.waitForTitle("Choose an account")
                    try await scene.browser.inspect("select-account")
                    #expect(try await scene.browser.text("#account1").contains(Scene.ana.signInName))
                    try await scene.browser.click("#another")
                    try await scene.browser.waitForTitle("Sign in")
                    #expect(try await scene.browser.attribute("value", of: "#signInName") == "")
                    try await scene.enter(Scene.ben)
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("before: ana@contoso.example"), "\(outcome)")
                #expect(
                    try await scene.accounts() == ["B2C_1_susi ana@contoso.example", "B2C_1_susi ben@contoso.example*"])
                try await expect(Scene.ben, in: scene)

                #expect(try await scene.susi.run("switch", Scene.ana.signInName).status == 0)
                #expect(
                    try await scene.accounts() == ["B2C_1_susi ana@contoso.example*", "B2C_1_susi ben@contoso.example"])
                try await expect(Scene.ana, in: scene)
                #expect(try await scene.susi.run("switch", "-").status == 0)
                try await expect(Scene.ben, in: scene)
            }
        }

        @Test func signOutEndsTheBrowsersSession() async throws {
            try await withScene { scene in
                let browser = scene.browser
                try await scene.signIn(Scene.ana)
                // With a session and without a prompt nobody is asked anything.
                let silent = try await scene.run("sign-in", "--prompt", "auto") {
                    try await browser.waitForTitle("Signed in")
                }
                #expect(silent.status == 0, "\(silent)")

                try await browser.navigate(to: "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/logout")
                try await browser.waitForTitle("You have signed out")
                let asked = try await scene.run("sign-in", "--prompt", "auto") {
                    try await browser.waitForTitle("Sign in")
                    #expect(try await browser.attribute("value", of: "#signInName") == "")
                    try await browser.click("#cancel")
                }
                #expect(asked.status == 2, "\(asked)")
                // Signing out in the browser takes nothing from the program.
                #expect(try await scene.accounts() == ["B2C_1_susi ana@contoso.example*"])
                #expect(try await scene.susi.run("token", "--refresh").status == 0)
            }
        }

        /// The API sees the current account's person.
        private func expect(_ person: User, in scene: Scene) async throws {
            let call = try await scene.susi.run("call", "hello")
            #expect(call.status == 0, "\(call)")
            #expect(call.standardOutput.contains(person.displayName), "\(call)")
        }
    }
}
