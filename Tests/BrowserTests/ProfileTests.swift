import SusiEmulator
import SusiPolicies
import SusiTestSupport
import Testing

extension EndToEnd {
    /// Profile changes in a browser with sessions.
    @Suite struct ProfileTests {
        @Test func keepsProfileAfterCancellation() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await fixture.signIn(BrowserFixture.ana)
                let before = try await fixture.json("accounts")
                let cancelled = try await fixture.run("edit-profile") {
                    // No page asks for the password again.
                    try await browser.waitForTitle("Edit profile")
                    #expect(try await browser.activeElementID == "displayName")
                    #expect(try await browser.attribute("value", of: "#displayName") == "Ana Lima")
                    try await browser.fill("#displayName", with: "Not kept")
                    try await browser.click("#cancel")
                    try await browser.waitForTitle("Cancelled")
                }
                #expect(cancelled.status == 2, "\(cancelled)")
                #expect(try await fixture.json("accounts") == before)
                let edited = try await fixture.run("edit-profile") {
                    #expect(try await browser.attribute("value", of: "#displayName") == "Ana Lima")
                    try await browser.fill("#displayName", with: "Ana Maria Lima")
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Profile saved")
                    #expect(try await browser.text("main").contains(BrowserFixture.ana.signInName))
                    try await fixture.expectNothingSecretOnPage()
                }
                #expect(edited.status == 0, "\(edited)")
                #expect(edited.standardOutput.contains("Ana Maria Lima"), "\(edited)")
            }
        }

        @Test func refusesSessionOfOtherUser() async throws {
            try await withFixture {
                for policy in $0.policies {
                    var settings = $0.settings(of: policy.name)
                    settings.session.scope = .policy
                    $0.settings[policy.name] = settings
                }
            } _: { fixture in
                try await fixture.signIn(BrowserFixture.ana)
                try await fixture.signIn(BrowserFixture.ben)
                #expect(try await fixture.susi.run("switch", "ana@contoso.example").status == 0)
                let outcome = try await fixture.run("edit-profile") {
                    try await fixture.enter(BrowserFixture.ana)
                    try await fixture.browser.fill("#displayName", with: "Ana Maria Lima")
                    try await fixture.browser.click("#continue")
                    try await fixture.browser.waitForTitle("Profile saved")
                    #expect(try await fixture.browser.windowCount == 1)
                }
                // The session under the sign-in policy is Ben's: his tokens are not stored as Ana's.
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardError.contains("signed in as ben@contoso.example, not as ana@"), "\(outcome)")
                #expect(
                    try await fixture.accounts() == [
                        "B2C_1_susi ana@contoso.example*", "B2C_1_susi ben@contoso.example",
                    ])
            }
        }
    }
}
