import SusiEmulator
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

extension EndToEnd {
    /// A person who grants fewer scopes than requested: the consent page, and the program's report.
    @Suite struct ConsentTests {
        private static let client = "11111111-1111-1111-1111-111111111111"
        private static let scopes = ["api://reports/items.read", "api://reports/items.write"]

        @Test("declines a scope by keyboard; the program names it and the next step")
        func declinesScopeByKeyboard() async throws {
            try await withFixture { susi, browser, capture in
                let command = susi.command(["sign-in", "--browser", capture.command])
                let outcome = try await command.start { program in
                    try await browser.navigate(to: try await capture.nextURL())
                    try await enter(browser)
                    try await browser.waitForTitle("Permissions requested")
                    try await browser.inspect("consent-scopes")
                    try await untickTheSecond(browser)
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                    return try await program.waitUntilExit()
                }
                #expect(outcome.status == 0, "\(outcome)")
                let said = outcome.standardOutput + outcome.standardError
                #expect(said.contains("declined: \(Self.scopes[1]); granted: \(Self.scopes[0])"), "\(outcome)")
                let token = try await susi.run("token")
                #expect(token.status == 0 && token.standardOutput.hasPrefix("eyJ"), "\(token)")
                // Only the person can grant the scope: a refresh that requests both scopes is refused.
                let refreshed = try await susi.run("token", "--refresh")
                #expect(refreshed.status == 4, "\(refreshed)")
                #expect(refreshed.standardError.contains("susi sign-in"), "\(refreshed)")
                // The next sign-in lists the account of the browser.
                let again = susi.command(["sign-in", "--browser", capture.command])
                let cancelled = try await again.start { program in
                    try await browser.navigate(to: try await capture.nextURL())
                    try await browser.waitForTitle("Choose an account")
                    try await browser.inspect("select-account")
                    #expect(try await browser.text("#account1").contains(User.standard[0].signInName))
                    try await browser.click("#cancel")
                    return try await program.waitUntilExit()
                }
                #expect(cancelled.status == 2, "\(cancelled)")
            }
        }

        // Reaches the second checkbox with Tab, checks its accessible name and description, and clears it by keyboard.
        private func untickTheSecond(_ browser: Browser) async throws {
            for _ in 1...10 {
                if try await browser.activeElementID == "scope_1" { break }
                try await browser.press(.tab)
            }
            #expect(try await browser.activeElementID == "scope_1")
            #expect(try await browser.accessibleName(ofID: "scope_1") == Self.scopes[1])
            let description = try await browser.execute(
                "return document.getElementById(document.activeElement.getAttribute('aria-describedby')).innerText")
            #expect(description.string.hasPrefix("Clear the checkbox of anything"))
            #expect(try await browser.execute("return document.activeElement.checked") == true)
            try await browser.type(" ")
            #expect(try await browser.execute("return document.activeElement.checked") == false)
            #expect(try await browser.execute("return document.getElementById('scope_0').checked") == true)
        }

        private func enter(_ browser: Browser) async throws {
            let ana = User.standard[0]
            try await browser.waitForTitle("Sign in")
            try await browser.fill("#signInName", with: ana.signInName)
            try await browser.fill("#password", with: ana.password)
            try await browser.click("#next")
        }

        private func withFixture(_ body: (SusiBinary, Browser, BrowserCommand) async throws -> Void) async throws {
            var application = RegisteredApplication(
                clientID: Self.client, redirectAddresses: ["http://localhost/"])
            application.redirectPorts = .any
            var tenant = TenantConfiguration(kind: .entra, name: "tailspin.onmicrosoft.com")
            tenant.applications = [application]
            tenant.apis = [
                RegisteredAPI(
                    name: "reports", resource: "api://reports", scopes: ["items.read", "items.write"],
                    path: "/api/reports")
            ]
            tenant.userConsent = Self.scopes
            let configurations = [tenant]
            try await withTemporaryFolder { folder in
                try await withEmulator(
                    configurations, folder: folder.appending("emulator"), clock: EmulatorClock(TestEnvironment.realTime)
                ) { emulator in
                    try await withSusi(policies: policies(emulator)) { susi in
                        let capture = try await BrowserCommand.capture(in: susi.home.folder)
                        try await withBrowser(size: .desktop) { try await body(susi, $0, capture) }
                    }
                }
            }
        }

        private func policies(_ emulator: RunningEmulator) -> String {
            """
            {
              "current": "reports",
              "applications": {
                "reports": {
                  "kind": "entra",
                  "authority": "\(emulator.origin)/tailspin.onmicrosoft.com",
                  "clientId": "\(Self.client)",
                  "redirectPorts": [0],
                  "knownAuthorities": ["\(emulator.origin)/tailspin.onmicrosoft.com"],
                  "apis": {
                    "reports": {
                      "baseUrl": "\(emulator.origin)/api/reports",
                      "scopes": ["\(Self.scopes[0])", "\(Self.scopes[1])"]
                    }
                  }
                }
              }
            }
            """
        }
    }
}
