import SusiEmulator
import SusiPolicies
import SusiTestSupport
import Testing

extension EndToEnd {
    /// Profile changes in a browser with sessions.
    @Suite struct ProfileTests {
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
