import SusiEmulator
import SusiTestSupport
import Testing

extension Pages {
    /// Every page that a person can see: accessible, without foreign resources, without console messages.
    @Suite struct PageTests {
        private static let client = "11111111-1111-1111-1111-111111111111"

        @Test(arguments: [Chromium.Size.desktop, .phone])
        func hasAccessiblePagesOfEmulator(size: Chromium.Size) async throws {
            try await withFixture(size: size) { fixture in
                let browser = fixture.browser
                try await browser.navigate(to: fixture.origin + "/")
                try await browser.inspect("\(size)-start")
                try await signInPages(fixture, "\(size)")
                try await resetPages(fixture, "\(size)")
                try await profilePages(fixture, "\(size)")
                try await messagePages(fixture, "\(size)")
            }
        }

        private func signInPages(_ fixture: BrowserFixture, _ size: String) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: Self.address("B2C_1_susi", fixture))
            try await browser.inspect("\(size)-sign-in")
            try await fixture.enter(BrowserFixture.ana, password: "not it")
            _ = try await browser.find("form .alert")
            try await browser.inspect("\(size)-sign-in-wrong")
            try await browser.click("#createAccount")
            try await browser.waitForTitle("Sign up")
            try await browser.inspect("\(size)-sign-up")
            try await browser.fill("#email", with: "dora@contoso.example")
            try await browser.click("#continue")
            try await browser.waitForTitle("Error: Sign up")
            try await browser.inspect("\(size)-sign-up-wrong")
        }

        private func resetPages(_ fixture: BrowserFixture, _ size: String) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: Self.address("B2C_1_reset", fixture))
            try await browser.inspect("\(size)-reset")
            try await browser.fill("#email", with: "unknown@contoso.example")
            try await browser.click("#continue")
            try await browser.waitForTitle("Error: Reset password")
            try await browser.inspect("\(size)-reset-wrong")
            try await browser.fill("#email", with: BrowserFixture.ben.signInName)
            try await browser.click("#continue")
            try await browser.waitForTitle("New password")
            try await browser.inspect("\(size)-new-password")
            try await browser.fill("#newPassword", with: "short")
            try await browser.click("#continue")
            try await browser.waitForTitle("Error: New password")
            try await browser.inspect("\(size)-new-password-wrong")
        }

        private func profilePages(_ fixture: BrowserFixture, _ size: String) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: Self.address("B2C_1_edit_profile", fixture))
            try await browser.inspect("\(size)-profile-sign-in")
            try await fixture.enter(BrowserFixture.ana)
            try await browser.waitForTitle("Edit profile")
            try await browser.inspect("\(size)-profile")
            try await browser.find("#givenName").clear()
            try await browser.click("#continue")
            try await browser.waitForTitle("Error: Edit profile")
            try await browser.inspect("\(size)-profile-wrong")
        }

        private func messagePages(_ fixture: BrowserFixture, _ size: String) async throws {
            let browser = fixture.browser
            try await browser.navigate(to: "\(fixture.tenant)/B2C_1_susi/page/sign-up?transaction=gone")
            try await browser.inspect("\(size)-ended", status: 400)
            let foreign = Self.address("B2C_1_susi", fixture).replacing("client_id=", with: "client_id=x")
            try await browser.navigate(to: foreign)
            try await browser.inspect("\(size)-refused", status: 400)
            try await browser.navigate(to: "\(fixture.tenant)/B2C_1_missing")
            try await browser.inspect("\(size)-not-found", status: 404)
            try await browser.navigate(to: "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout")
            try await browser.inspect("\(size)-signed-out")
        }

        @Test(arguments: [Chromium.Size.desktop, .phone])
        func hasAccessiblePagesOfProgram(size: Chromium.Size) async throws {
            try await withFixture(size: size) { fixture in
                let browser = fixture.browser
                _ = try await fixture.run("sign-in") {
                    try await fixture.enter(BrowserFixture.ana)
                    try await browser.waitForTitle("Signed in")
                    try await browser.inspect("\(size)-program-signed-in")
                }
                _ = try await fixture.run("edit-profile") {
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Profile saved")
                    try await browser.inspect("\(size)-program-profile-saved")
                }
                _ = try await fixture.run("sign-in") {
                    try await browser.click("#cancel")
                    try await browser.waitForTitle("Cancelled")
                    try await browser.inspect("\(size)-program-cancelled")
                }
                _ = try await fixture.run("sign-in", "-a", BrowserFixture.chi.signInName) {
                    try await fixture.enter(BrowserFixture.ben)
                    try await browser.waitForTitle("Not signed in")
                    try await browser.inspect("\(size)-program-other-person")
                }
                _ = try await fixture.run("reset-password") {
                    try await browser.fill("#email", with: BrowserFixture.ben.signInName)
                    try await browser.click("#continue")
                    for field in ["newPassword", "reenterPassword"] {
                        try await browser.fill("#\(field)", with: "Fresh-9-apples")
                    }
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Password set")
                    try await browser.inspect("\(size)-program-password-set")
                }
                let signOut = fixture.susi.command(
                    ["sign-out", "--browser", "--yes"], environment: ["BROWSER": fixture.capture.command])
                _ = try await signOut.start { program in
                    try await browser.navigate(to: try await fixture.capture.nextArgument())
                    try await browser.waitForTitle("Signed out")
                    try await browser.inspect("\(size)-program-signed-out")
                    return try await program.waitUntilExit()
                }
                try await strayPages(fixture, "\(size)")
            }
        }

        private func strayPages(_ fixture: BrowserFixture, _ size: String) async throws {
            let browser = fixture.browser
            try await fixture.susi.start("sign-in", "--no-browser") { program in
                let line = try await program.waitForLine(containing: "/go/")
                let short = try #require(line.split(separator: " ").first)
                let redirect = try #require(short.firstRange(of: "go/").map { short[..<$0.lowerBound] })
                try await browser.navigate(to: "\(redirect)?code=abc&state=wrong")
                try await browser.inspect("\(size)-program-stray", status: 400)
                try await browser.navigate(to: "\(redirect)other")
                try await browser.inspect("\(size)-program-not-found", status: 404)
            }
        }

        /// Returns the address of an authorization request; the challenge is that of RFC 7636, appendix B.
        static func address(_ policy: String, _ fixture: BrowserFixture) -> String {
            "\(fixture.tenant)/\(policy)/oauth2/v2.0/authorize?client_id=\(Self.client)&response_type=code&scope=openid"
                + "&redirect_uri=http%3A%2F%2Flocalhost%3A1%2F&state=s&code_challenge_method=S256"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        }
    }
}
