import SusiEmulator
import SusiPolicies
import SusiTestSupport
import Testing

extension EndToEnd {
    /// Profile changes of one person with accounts under several policies.
    @Suite struct ProfileTests {
        @Test func updatesNameInEveryPolicy() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await fixture.signIn(BrowserFixture.ben, "-p", "B2C_1_partner")
                try await fixture.signIn(BrowserFixture.ana)
                try await fixture.signIn(BrowserFixture.ana, "-p", "B2C_1_partner", "--no-switch")
                let outcome = try await fixture.run("edit-profile") {
                    // No page asks for the password again.
                    try await browser.waitForTitle("Edit profile")
                    #expect(try await browser.activeElementID == "displayName")
                    #expect(try await browser.attribute("value", of: "#displayName") == "Ana Lima")
                    try await browser.fill("#displayName", with: "Ana Maria Lima")
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Profile saved")
                    #expect(try await browser.text("main").contains(BrowserFixture.ana.signInName))
                    try await fixture.expectNothingSecretOnPage()
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("Ana Maria Lima"), "\(outcome)")
                #expect(
                    try await names(fixture) == [
                        "B2C_1_edit_profile ana@contoso.example Ana Maria Lima",
                        "B2C_1_partner ana@contoso.example Ana Maria Lima",
                        "B2C_1_partner ben@contoso.example Ben Okoro",
                        "B2C_1_susi ana@contoso.example Ana Maria Lima",
                    ])
                let status = try await fixture.json("status")["policies"].elements
                #expect(
                    status.map { "\($0["policy"].string) \($0["account"]["name"].string)" } == [
                        "B2C_1_susi Ana Maria Lima", "B2C_1_partner Ben Okoro", "B2C_1_edit_profile Ana Maria Lima",
                        "B2C_1_reset ",
                    ])
            }
        }

        @Test func refusesOtherUser() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await fixture.signIn(BrowserFixture.ana)
                try await browser.navigate(to: "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout")
                let before = try await fixture.json("accounts")
                let outcome = try await fixture.run("edit-profile") {
                    // Without a session, the page asks for a sign-in and suggests the right user.
                    #expect(try await browser.attribute("value", of: "#signInName") == BrowserFixture.ana.signInName)
                    try await fixture.enter(BrowserFixture.ben)
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Profile not updated")
                    #expect(
                        try await browser.text("main").contains(
                            "The profile of ben@contoso.example was edited, not that of ana@"))
                }
                #expect(outcome.status == 7, "\(outcome)")
                #expect(outcome.standardOutput == "")
                #expect(outcome.standardError.contains("nothing was stored"), "\(outcome)")
                #expect(try await fixture.json("accounts") == before)
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
                try await fixture.signIn(BrowserFixture.ben, "--no-switch")
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
                #expect(try await fixture.json("status", "-a", "ana@contoso.example")["policies"].elements.count > 0)
                #expect(
                    try await fixture.accounts().sorted() == [
                        "B2C_1_susi ana@contoso.example*", "B2C_1_susi ben@contoso.example",
                    ])
            }
        }

        @Test func keepsProfileAfterCancellation() async throws {
            try await withFixture { fixture in
                try await fixture.signIn(BrowserFixture.ana)
                let before = try await fixture.json("accounts")
                let outcome = try await fixture.run("edit-profile") {
                    try await fixture.browser.fill("#displayName", with: "Not kept")
                    try await fixture.browser.click("#cancel")
                    try await fixture.browser.waitForTitle("Cancelled")
                }
                #expect(outcome.status == 2, "\(outcome)")
                #expect(try await fixture.json("accounts") == before)
            }
        }

        private func names(_ fixture: BrowserFixture) async throws -> [String] {
            try await fixture.json("accounts", "--all")["accounts"].elements.map { account in
                "\(account["policy"].string) \(account["label"].string) \(account["name"].string)"
            }.sorted()
        }
    }
}
