import SusiEmulator
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

extension Pages {
    /// The pages that only tenants without policies have: device codes, consent, sign-up of an external tenant, and the
    /// start page of several tenants.
    @Suite struct TenantPageTests {
        private static let client = "11111111-1111-1111-1111-111111111111"
        private static let scopes = ["api://reports/items.read", "api://reports/items.write"]

        @Test func hasAccessiblePagesInEachKind() async throws {
            try await withTenants { browser, origin in
                try await browser.navigate(to: origin + "/")
                try await browser.inspect("start-several")
                // The page shows one tenant; the others can be reached by keyboard.
                try await browser.reach("the second tenant") { $0.contains("tenant=tailspin") }
                try await browser.press(.enter)
                try await browser.waitForTitle("tailspin.onmicrosoft.com · Local emulator")
                #expect(try await browser.text("[aria-current=page]") == "tailspin.onmicrosoft.com")
                try await browser.navigate(to: authorize(origin, "fabrikam.onmicrosoft.com"))
                try await browser.inspect("external-sign-in")
                try await browser.navigate(to: authorize(origin, "tailspin.onmicrosoft.com"))
                try await enter(browser)
                try await browser.inspect("consent", titled: "Permissions requested")
                try await declineScope(browser)
                // The next sign-in lists the account of the browser.
                try await browser.navigate(
                    to: authorize(origin, "tailspin.onmicrosoft.com") + "&prompt=select_account")
                try await browser.inspect("select-account", titled: "Choose an account")
                #expect(try await browser.text("#account1").contains(User.standard[0].signInName))
                try await browser.reach("cancel")
                try await browser.press(.space)
                try await browser.waitForURL { $0.hasPrefix("http://localhost:1/?error=") }
            }
        }

        // Reaches the second checkbox with Tab, checks its accessible name and description, clears it by keyboard, and sends
        // the form.
        private func declineScope(_ browser: Browser) async throws {
            try await browser.reach("cancel")
            try await browser.reach("scope_1", backwards: true)
            #expect(try await browser.accessibleName(ofID: "scope_1") == Self.scopes[1])
            let description = try await browser.execute(
                "return document.getElementById(document.activeElement.getAttribute('aria-describedby')).innerText")
            #expect(description.string.hasPrefix("Clear the checkbox of anything"))
            let ticked = "return ['scope_0', 'scope_1'].map(id => document.getElementById(id).checked)"
            #expect(try await browser.execute(ticked) == [true, true])
            try await browser.type(" ")
            #expect(try await browser.execute(ticked) == [true, false])
            try await browser.press(.enter)
            try await browser.waitForURL { $0.hasPrefix("http://localhost:1/?code=") }
        }

        @Test func signsInDevice() async throws {
            try await withTenants { browser, origin in
                let tenant = "\(origin)/tailspin.onmicrosoft.com"
                let page = "\(tenant)/oauth2/deviceauth"
                var code = try await begin(browser, tenant)
                try await browser.navigate(to: page)
                try await browser.inspect("device")
                // The field has the focus, and Enter submits it.
                #expect(try await browser.activeElementID == "user_code")
                try await browser.type("BCDF-GHJK")
                try await browser.press(.enter)
                try await browser.inspect("device-wrong", titled: "Error: Enter code")
                try await browser.find("#user_code").clear()
                try await browser.fill("#user_code", with: code.lowercased())
                try await browser.click("#next")
                try await enter(browser)
                try await browser.waitForTitle("Sign in on a device?")
                #expect(try await browser.text("main").contains(code))
                try await browser.inspect("device-question")
                try await browser.reach("continue")
                try await browser.press(.space)
                try await browser.inspect("device-done", titled: "You have signed in on your device")
                // The browser is signed in now, so only the confirmation is shown.
                code = try await begin(browser, tenant)
                try await browser.navigate(to: "\(page)?user_code=\(code)")
                try await browser.waitForTitle("Sign in on a device?")
                try await browser.reach("cancel")
                try await browser.press(.enter)
                try await browser.inspect("device-declined", titled: "Your device was not signed in")
            }
        }

        // Requests a device code as a device does, from a document of the emulator that allows scripts: its metadata.
        private func begin(_ browser: Browser, _ tenant: String) async throws -> String {
            try await browser.navigate(to: "\(tenant)/v2.0/.well-known/openid-configuration")
            let script = """
                return fetch(arguments[0], {method: 'POST', body: new URLSearchParams({client_id: arguments[1], scope: 'openid'})})
                  .then(response => response.json())
                """
            let response = try await browser.execute(
                script, [.string("\(tenant)/oauth2/v2.0/devicecode"), .string(Self.client)])
            // Discards the error of the browser's request for an icon: pages declare that they have none, but this
            // document cannot.
            _ = try await browser.takeLog()
            return response["user_code"].string
        }

        private func enter(_ browser: Browser) async throws {
            let ana = User.standard[0]
            try await browser.waitForTitle("Sign in")
            try await browser.fill("#i0116", with: ana.signInName)
            // As in the tests of programs that sign in at Microsoft's own pages, where the password has a page of its own.
            try await browser.click("#idSIButton9")
            try await browser.fill("input[name=passwd]", with: ana.password)
            try await browser.click("input[type=submit]")
        }

        /// Returns the address of an authorization request; the challenge is that of RFC 7636, appendix B.
        private func authorize(_ origin: String, _ tenant: String) -> String {
            "\(origin)/\(tenant)/oauth2/v2.0/authorize?client_id=\(Self.client)&response_type=code"
                + "&scope=openid%20api%3A%2F%2Freports%2Fitems.read%20api%3A%2F%2Freports%2Fitems.write"
                + "&redirect_uri=http%3A%2F%2Flocalhost%3A1%2F&state=s"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
        }

        private func withTenants(_ body: (Browser, _ origin: String) async throws -> Void) async throws {
            let application = RegisteredApplication(
                clientID: Self.client, redirectAddresses: ["http://localhost:1/"])
            let reports = RegisteredAPI(
                name: "reports", resource: "api://reports", scopes: ["items.read", "items.write"],
                path: "/api/reports")
            var tenants = [
                TenantConfiguration(kind: .external, name: "fabrikam.onmicrosoft.com"),
                TenantConfiguration(kind: .entra, name: "tailspin.onmicrosoft.com"),
                TenantConfiguration(kind: .openid, name: "login"),
            ]
            for index in tenants.indices {
                tenants[index].applications = [application]
                tenants[index].apis = [reports]
            }
            tenants[1].userConsent = Self.scopes
            try await withTemporaryFolder { folder in
                try await withEmulator(
                    tenants, folder: folder.appending("emulator"), clock: EmulatorClock(TestEnvironment.realTime)
                ) { emulator in
                    try await withBrowser { browser in try await body(browser, emulator.origin) }
                }
            }
        }
    }
}
