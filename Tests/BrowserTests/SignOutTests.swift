import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// `susi sign-out --browser`, which ends the browser's session.
    @Suite struct SignOutTests {
        @Test func signsOutOfEveryPolicyInOneWindow() async throws {
            try await withFixture { fixture in
                #expect(try await fixture.susi.run("store", "share").status == 0)
                let browser = fixture.browser
                try await fixture.signIn(BrowserFixture.ana)
                // With a session and without a prompt there is no page.
                try await fixture.run("sign-in", "-p", "B2C_1_partner", "--prompt", "auto") {
                    try await browser.waitForTitle("Signed in")
                }.exits(0)
                try await fixture.run("sign-in") {
                    try await fixture.enter(BrowserFixture.ben)
                    try await browser.waitForTitle("Not signed in")
                    #expect(try await browser.text("main").contains("this store is shared"))
                }.exits(7)

                let outcome = try await fixture.signOut {
                    try await browser.waitForTitle("Signed out")
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await browser.text("main").contains("ana@contoso.example"))
                let (source, address) = (try await browser.source, try await browser.currentURL)
                #expect(!source.contains("eyJ") && !address.contains("eyJ"))
                #expect(try await fixture.accounts().isEmpty)

                // Without a prompt too, the sign-in page is shown, with an empty name.
                try await fixture.run("sign-in", "--prompt", "auto") {
                    try await browser.waitForTitle("Sign in")
                    #expect(try await browser.attribute("value", of: "#email") == "")
                    try await fixture.enter(BrowserFixture.ben)
                    try await browser.waitForTitle("Signed in")
                }.exits(0)
            }
        }
    }
}
