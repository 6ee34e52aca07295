import Foundation
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

extension EndToEnd {
    /// The developer's page, its token viewer, and custom page templates.
    @Suite struct DeveloperPageTests {
        @Test func runsPolicy() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/authorize?client_id=unknown")
                _ = try await browser.takeLog()
                try await browser.navigate(to: fixture.origin + "/")
                try await browser.inspect("developer-folded")
                try await browser.asPhone {
                    // With all sections closed, the page is at most two screens long.
                    try await browser.navigate(to: fixture.origin + "/")
                    #expect(try await browser.execute("return document.body.scrollHeight <= 2 * innerHeight") == true)
                    #expect(try await browser.complaints(Accessibility.script) == [])
                    #expect(try await browser.complaints(Accessibility.reflow) == [])
                }
                try await browser.execute("document.querySelectorAll('details').forEach(one => one.open = true)")
                try await browser.inspect("developer")
                #expect(try await browser.text(".requests").contains("client_id unknown is not registered"))
                try await browser.click("#scope-0")
                try await browser.click(".run .main")
                try await fixture.enter(BrowserFixture.ana)
                try await browser.inspect("tokens", titled: "Tokens of B2C_1_susi")
                #expect(try await browser.text("main").contains("Access token"))
                #expect(try await copied(from: "#id_token-text", browser).hasPrefix("eyJ"))
                // The browser is signed in now, so it returns at once.
                try await browser.click("#again")
                try await browser.waitForTitle("Tokens of B2C_1_susi")
                try await browser.navigate(to: fixture.origin + "/decode")
                try await browser.inspect("token-viewer", titled: "Token viewer")
                try await browser.navigate(to: fixture.origin + "/decode?error=access_denied")
                try await browser.inspect("no-tokens", titled: "Error: No tokens", status: 400)
            }
        }

        /// New messages appear without a reload and move neither the focus nor the scroll position. Updates can be
        /// paused.
        @Test func showsNewMessages() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let database = try fixture.database
                let now = TestEnvironment.realTime()
                try await browser.navigate(to: fixture.origin + "/")
                #expect(try await browser.text("#live-state") == "Updates every 2 seconds.")
                try await browser.execute("document.querySelector('#all-requests').focus(); scrollTo(0, 300)")
                let place = try await browser.execute("return scrollY")
                try database.send("111111", to: "ana@contoso.example", by: .email, for: .verifyEmail, now: now)
                _ = try await browser.find("#messages .mail")
                #expect(try await browser.text("#messages .digits") == "111111")
                // Screen readers announce this element.
                #expect(
                    try await browser.execute("return document.getElementById('status').textContent").string.contains(
                        "111111"))
                #expect(try await browser.activeElementID == "all-requests")
                #expect(try await browser.execute("return scrollY") == place)
                try await copy(browser)
                try await browser.click("#live")
                #expect(try await browser.text("#live") == "Resume")
                #expect(try await browser.text("#live-state") == "Updates are paused.")
                try database.send("222222", to: "ana@contoso.example", by: .email, for: .verifyEmail, now: now)
                // Waits longer than two update intervals.
                try await browser.execute("return new Promise(done => setTimeout(done, 4500))")
                #expect(try await browser.text("#messages .digits") == "111111")
                try await browser.execute("document.querySelector('#messages .mail').isKept = true")
                try await browser.click("#live")
                _ = try await browser.find("#messages .mail:nth-child(2)")
                #expect(try await browser.text("#messages .digits") == "222222")
                #expect(try await browser.execute("return document.querySelector('.mail:nth-child(2)').isKept") == true)
                try await browser.inspect("news")
                // Update requests are not logged.
                let paths = try #require(fixture.emulator).site.audit.latest(100).map(\.path)
                #expect(paths.allSatisfy { $0 == "/" })
            }
        }

        // Copies the code of the first message and checks that its button confirms it.
        private func copy(_ browser: Browser) async throws {
            try await allowClipboard(browser)
            try await browser.click("#messages button.copy")
            let script = """
                const look = () => document.querySelector('#messages button.copy').textContent === 'Copied' ? 1 : 0;
                return navigator.clipboard.readText().then(text => [text, look()]);
                """
            #expect(try await browser.execute(script) == ["111111", 1])
        }

        private func allowClipboard(_ browser: Browser) async throws {
            try await browser.devTools(
                "Browser.grantPermissions", ["permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]])
        }

        private func copied(from css: String, _ browser: Browser) async throws -> String {
            try await allowClipboard(browser)
            try await browser.click("[data-copy='\(css.dropFirst())']")
            return try await browser.execute("return navigator.clipboard.readText()").string
        }

        /// Each outcome has its color, with enough contrast in both modes; columns are aligned; client IDs are short, but
        /// found as a whole.
        @Test func showsOutcomesAtAGlance() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let authorize = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/authorize?client_id="
                fixture.emulator?.faults.add(Fault(.status(503), at: .metadata, count: 1))
                for address in [
                    "\(authorize)unknown", "\(fixture.tenant)/B2C_1_susi/v2.0/.well-known/openid-configuration",
                    fixture.runner("B2C_1_susi", "&prompt=none"), fixture.runner("B2C_1_susi"),
                ] { try await browser.navigate(to: address) }
                _ = try await browser.takeLog()
                try await browser.navigate(to: fixture.origin + "/")
                let script = """
                    const all = css => [...document.querySelectorAll('#request-list ' + css)];
                    const rest = css => new Set(all(css).map(one => one.getBoundingClientRect().left)).size;
                    const id = all('.id').find(one => one.scrollWidth > one.clientWidth);
                    return [all('.status').map(one => one.textContent).join(' '),
                      new Set(all('.status').map(one => getComputedStyle(one).color)).size,
                      ['.status', '.when', '.what'].map(rest).join(' '),
                      id.title === id.textContent ? id.title : '', window.find(id.title)];
                    """
                let found = try await browser.execute(script)
                #expect(
                    found == ["200 303 503 400", 4, "1 1 1", .string(TokenViewer.clientID), true], "\(found)")
                try await browser.inspect("outcomes")
                // Successful requests for metadata and keys are shown on demand.
                try await browser.navigate(to: "\(fixture.tenant)/B2C_1_susi/v2.0/.well-known/openid-configuration")
                try await browser.navigate(to: fixture.origin + "/")
                let shown = """
                    return [...document.querySelectorAll('#request-list .what')].filter(one => one.checkVisibility()).length
                    """
                #expect(try await browser.execute(shown) == 4)
                try await browser.click("#all-requests")
                #expect(try await browser.execute(shown) == 5)
            }
        }

        @Test func managesUsers() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: fixture.origin + "/#users")
                try await browser.click("#add-user")
                try await browser.inspect("user-add", titled: "Add a user")
                try await browser.click("#save")
                try await browser.inspect("user-wrong", titled: "Error: Add a user", status: 400)
                try await browser.fill("#displayName", with: "Dora Ek")
                try await browser.fill("#email", with: "dora@contoso.example")
                try await browser.asPhone {
                    try await browser.click("#save")
                    try await browser.waitForTitle("contoso.onmicrosoft.com · Local emulator")
                    // The section with the users is open, even in a narrow window.
                    #expect(try await browser.text("#users").contains("dora@contoso.example"))
                }
                try await browser.execute(
                    """
                    [...document.querySelectorAll('#users li')].find(one => one.innerText.includes('dora@'))
                      .querySelector('a').click()
                    """)
                try await browser.waitForTitle("Edit Dora Ek")
                let tenant = try #require(fixture.emulator).site.tenants[0]
                let dora = try #require(try tenant.database.user(email: "dora@contoso.example"))
                try tenant.database.change(dora.objectID) { $0.lockedUntil = TestEnvironment.realTime() + 600 }
                try await browser.execute("location.reload()")
                _ = try await browser.find("#unlock")
                try await browser.click("summary")
                try await browser.inspect("user-locked")
                try await browser.click("#delete")
                try await browser.waitForTitle("contoso.onmicrosoft.com · Local emulator")
                #expect(!(try await browser.text("#users").contains("dora@contoso.example")))
            }
        }

        /// Shows long lists, then a search without a result.
        @Test func foldsLongListsAndShowsEmptyOnes() async throws {
            let long = String(repeating: "VeryLongName", count: 8)
            try await withFixture { tenant in
                for index in 0..<50 {
                    tenant.policies.append(Policy(name: PolicyName("B2C_1_\(index)_\(long)"), kind: .signUpOrSignIn))
                }
                tenant.applications[0].name = long
                tenant.applications[0].redirectAddresses.append("http://localhost:3000/\(long)")
            } _: { fixture in
                let browser = fixture.browser
                let database = try fixture.database
                for index in 0..<200 {
                    let id = String(format: "d0d0d0d0-0000-4000-8000-%012d", index)
                    let user = User(
                        objectID: id, email: "\(long)\(index)@contoso.example", displayName: "\(long) \(index)",
                        givenName: "", surname: "")
                    #expect(try database.add(user, password: .unmatchable))
                }
                try await browser.navigate(to: fixture.origin + "/")
                try await browser.execute("document.querySelectorAll('details').forEach(one => one.open = true)")
                try await browser.inspect("developer-many")
                #expect(try await browser.text("main").contains("Only the first 50 are listed."))
                try await browser.navigate(to: fixture.origin + "/?q=unknown#users")
                #expect(try await browser.text("main").contains("No user matches “unknown”."))
                try await browser.inspect("developer-none")
            }
        }

        @Test func isUsableByKeyboard() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: fixture.origin + "/")
                try await browser.reach("the first policy's link") { $0.contains("/run?place=") }
                try await browser.press(.enter)
                try await browser.waitForTitle("Sign in")
                try await type([BrowserFixture.ana.signInName, "not it"], in: browser)
                _ = try await browser.find("form .alert")
                #expect(try await browser.activeElementID == "password")
                try await browser.type(BrowserFixture.ana.password)
                try await browser.press(.enter)
                try await browser.waitForTitle("Tokens of B2C_1_susi")
                try await browser.navigate(to: fixture.runner("b2c_1_edit_profile"))
                try await browser.waitForTitle("Edit profile")
                try await browser.press(.enter)
                try await browser.waitForTitle("Tokens of B2C_1_edit_profile")
                try await browser.navigate(to: fixture.runner("b2c_1_edit_profile"))
                try await browser.waitForTitle("Edit profile")
                try await browser.reach("cancel")
                try await browser.press(.space)
                try await browser.waitForTitle("Error: No tokens")
                #expect(try await browser.text(".alert").contains("AADB2C90091"))
            }
        }

        // The first field has the focus.
        private func type(_ texts: [String], in browser: Browser) async throws {
            for (index, text) in texts.enumerated() {
                if index > 0 { try await browser.press(.tab) }
                try await browser.type(text)
            }
            try await browser.press(.enter)
        }

        @Test func showsCustomPage() async throws {
            let page = """
                <!DOCTYPE html><html lang="en"><head><title>Contoso Travel</title>
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <style>
                body { margin: 0; font: 1rem/1.5 serif; background: #f4ead9 } [role=note], body > div { display: none !important }
                #brand { padding: 1rem; background: #123a3a; color: #fff } #api { padding: 1rem; max-width: 24rem }
                input, button { display: block; width: 100%; box-sizing: border-box; min-height: 2.75rem; font: inherit }
                </style>
                <script>document.title = "run"</script><script src="https://scripts.example/run.js"></script></head>
                <body><p id="brand">Contoso Travel</p><section><div id="api"></div></section></body></html>
                """
            try await withTemporaryFolder { folder in
                let path = folder.appending("page.html")
                try page.write(toFile: path.string, atomically: true, encoding: .utf8)
                let policy = PolicyName("B2C_1_susi")
                try await withFixture { tenant in
                    var settings = tenant.settings(of: policy)
                    settings.template = path
                    tenant.settings[policy] = settings
                } _: { fixture in
                    let browser = fixture.browser
                    try await browser.navigate(to: Pages.PageTests.address("B2C_1_susi", fixture))
                    try await browser.waitForTitle("Contoso Travel")
                    #expect(try await browser.takeLog().filter { $0.message.contains("script") }.count >= 2)
                    // The template's style sheet tries to hide the warning.
                    let warning = try await browser.find("[role=note]")
                    #expect(try await warning.text.contains("Not a real sign-in"))
                    try await browser.fill("#email", with: BrowserFixture.ana.signInName)
                    try await browser.fill("#password", with: "wrong")
                    try await browser.click("#next")
                    #expect(try await browser.text("#api .error.pageLevel").contains("incorrect"))
                }
            }
        }
    }
}
