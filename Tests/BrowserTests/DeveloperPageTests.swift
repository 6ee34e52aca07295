import Foundation
import SusiEmulator
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

extension EndToEnd {
    /// The developer's page and its token viewer, and pages of one's own.
    @Suite struct DeveloperPageTests {
        @Test(arguments: [Chromium.Size.desktop, .phone])
        func runNow(size: Chromium.Size) async throws {
            try await withScene(size: size) { scene in
                let browser = scene.browser
                try await browser.navigate(to: "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/authorize?client_id=unknown")
                _ = try await browser.takeLog()
                try await browser.navigate(to: scene.origin + "/")
                try await browser.execute("document.querySelectorAll('details').forEach(one => one.open = true)")
                try await browser.inspect("\(size)-developer")
                #expect(try await browser.text(".requests").contains("client_id unknown is not registered"))
                try await browser.execute("document.querySelector('#api-0').value = 'hello'")
                try await browser.click(".run .main")
                try await scene.enter(Scene.ana)
                try await browser.waitForTitle("Tokens of B2C_1_susi")
                try await browser.inspect("\(size)-tokens")
                #expect(try await browser.text("main").contains("Access token"))
                #expect(!(try await browser.source.contains("eyJ")))
                // Signed in by now, the browser comes straight back.
                try await browser.click("main a")
                try await browser.waitForTitle("Tokens of B2C_1_susi")
                try await browser.navigate(to: scene.origin + "/decode")
                try await browser.inspect("\(size)-no-tokens", status: 400)
            }
        }

        @Test func byKeyboardOnly() async throws {
            try await withScene { scene in
                let browser = scene.browser
                try await browser.navigate(to: scene.origin + "/")
                // The first stop is the first policy's link.
                try await browser.press(.tab)
                try await browser.press(.enter)
                try await browser.waitForTitle("Sign in")
                try await type([Scene.ana.signInName, "not it"], in: browser)
                _ = try await browser.find("form .alert")
                #expect(try await browser.activeElementID == "password")
                try await browser.type(Scene.ana.password)
                try await browser.press(.enter)
                try await browser.waitForTitle("Tokens of B2C_1_susi")
                try await browser.navigate(
                    to: scene.origin + "/run?place=%2Fcontoso.onmicrosoft.com%2Fb2c_1_edit_profile")
                try await browser.waitForTitle("Edit profile")
                try await browser.press(.enter)
                try await browser.waitForTitle("Tokens of B2C_1_edit_profile")
                try await browser.navigate(
                    to: scene.origin + "/run?place=%2Fcontoso.onmicrosoft.com%2Fb2c_1_edit_profile")
                try await browser.waitForTitle("Edit profile")
                for _ in 0..<12 where try await browser.activeElementID != "cancel" { try await browser.press(.tab) }
                try await browser.press(.space)
                try await browser.waitForTitle("No tokens")
                #expect(try await browser.text(".alert").contains("AADB2C90091"))
            }
        }

        // The keyboard is in the first field.
        private func type(_ texts: [String], in browser: Browser) async throws {
            for (index, text) in texts.enumerated() {
                if index > 0 { try await browser.press(.tab) }
                try await browser.type(text)
            }
            try await browser.press(.enter)
        }

        @Test(arguments: [Chromium.Size.desktop, .phone])
        func template(size: Chromium.Size) async throws {
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
                try await withScene(size: size) { tenant in
                    var settings = tenant.settings(of: policy)
                    settings.template = path
                    tenant.settings[policy] = settings
                } _: { scene in
                    let browser = scene.browser
                    try await browser.navigate(to: PageTests.address("B2C_1_susi", scene))
                    try await browser.waitForTitle("Contoso Travel")
                    #expect(try await browser.takeLog().filter { $0.message.contains("script") }.count >= 2)
                    for scheme in [Chromium.ColorScheme.light, .dark] {
                        try await browser.prefer(scheme)
                        try await browser.screenshot("\(size)-template-\(scheme)")
                    }
                    // The page's style sheet wants it away.
                    let warning = try await browser.find("[role=note]")
                    #expect(try await warning.text.contains("Not a real sign-in"))
                    try await browser.fill("#signInName", with: Scene.ana.signInName)
                    try await browser.fill("#password", with: "wrong")
                    try await browser.click("#next")
                    #expect(try await browser.text("#api .alert").contains("incorrect"))
                }
            }
        }
    }
}
