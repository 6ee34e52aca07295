import SusiEmulator
import SusiPolicies
import SusiTestSupport
import Testing

extension EndToEnd {
    /// `susi sign-out --browser`, which ends the browser's session.
    @Suite struct SignOutTests {
        @Test func endsSessionOfBrowser() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await fixture.signIn(BrowserFixture.ana)
                let silent = try await fixture.run("sign-in", "--prompt", "auto") {
                    try await browser.waitForTitle("Signed in")
                }
                #expect(silent.status == 0, "\(silent)")

                let command = fixture.susi.command(
                    ["sign-out", "--browser", "--yes"], environment: ["BROWSER": fixture.capture.command])
                let outcome = try await command.start { program in
                    try await browser.navigate(to: try await fixture.capture.nextArgument())
                    try await browser.waitForTitle("Signed out")
                    return try await program.waitUntilExit()
                }
                #expect(outcome.status == 0, "\(outcome)")
                let text = try await browser.text("main")
                #expect(text.contains("ana@contoso.example"))
                let (source, address) = (try await browser.source, try await browser.currentURL)
                #expect(!source.contains("eyJ") && !address.contains("eyJ"))
                #expect(try await fixture.accounts().isEmpty)

                // Without a prompt too, the sign-in page is shown, with an empty name.
                let asked = try await fixture.run("sign-in", "--prompt", "auto") {
                    try await browser.waitForTitle("Sign in")
                    #expect(try await browser.attribute("value", of: "#signInName") == "")
                    try await fixture.enter(BrowserFixture.ana)
                    try await browser.waitForTitle("Signed in")
                }
                #expect(asked.status == 0, "\(asked)")
            }
        }

        @Test func signsOutOfEveryPolicyInOneWindow() async throws {
            try await withFixture { fixture in
                #expect(try await fixture.susi.run("store", "share").status == 0)
                let browser = fixture.browser
                try await fixture.signIn(BrowserFixture.ana)
                let second = try await fixture.run("sign-in", "-p", "B2C_1_partner", "--prompt", "auto") {
                    try await browser.waitForTitle("Signed in")
                }
                #expect(second.status == 0, "\(second)")
                let other = try await fixture.run("sign-in") {
                    try await fixture.enter(BrowserFixture.ben)
                    try await browser.waitForTitle("Not signed in")
                    #expect(try await browser.text("main").contains("this store is shared"))
                }
                #expect(other.status == 7, "\(other)")

                let command = fixture.susi.command(
                    ["sign-out", "--yes"], environment: ["BROWSER": fixture.capture.command])
                let outcome = try await command.start { program in
                    try await browser.navigate(to: try await fixture.capture.nextArgument())
                    try await browser.waitForTitle("Signed out")
                    return try await program.waitUntilExit()
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await fixture.accounts().isEmpty)
                try await fixture.signIn(BrowserFixture.ben)
            }
        }
    }
}
