import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// Every page that a person can meet: readable, labelled, nothing loaded from elsewhere, nothing on the console.
    @Suite struct PageTests {
        private static let client = "11111111-1111-1111-1111-111111111111"

        @Test(arguments: [Chromium.Size.desktop, .phone])
        func emulator(size: Chromium.Size) async throws {
            try await withScene(size: size) { scene in
                let browser = scene.browser
                try await browser.navigate(to: scene.origin + "/")
                try await browser.inspect("\(size)-start")
                try await signInPages(scene, "\(size)")
                try await resetPages(scene, "\(size)")
                try await profilePages(scene, "\(size)")
                try await messagePages(scene, "\(size)")
            }
        }

        private func signInPages(_ scene: Scene, _ size: String) async throws {
            let browser = scene.browser
            try await browser.navigate(to: Self.address("B2C_1_susi", scene))
            try await browser.inspect("\(size)-sign-in")
            try await scene.enter(Scene.ana, password: "not it")
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

        private func resetPages(_ scene: Scene, _ size: String) async throws {
            let browser = scene.browser
            try await browser.navigate(to: Self.address("B2C_1_reset", scene))
            try await browser.inspect("\(size)-reset")
            try await browser.fill("#email", with: "nobody@contoso.example")
            try await browser.click("#continue")
            try await browser.waitForTitle("Error: Reset password")
            try await browser.inspect("\(size)-reset-wrong")
            try await browser.fill("#email", with: Scene.ben.signInName)
            try await browser.click("#continue")
            try await browser.waitForTitle("New password")
            try await browser.inspect("\(size)-new-password")
            try await browser.fill("#newPassword", with: "short")
            try await browser.click("#continue")
            try await browser.waitForTitle("Error: New password")
            try await browser.inspect("\(size)-new-password-wrong")
        }

        private func profilePages(_ scene: Scene, _ size: String) async throws {
            let browser = scene.browser
            try await browser.navigate(to: Self.address("B2C_1_edit_profile", scene))
            try await browser.inspect("\(size)-profile-sign-in")
            try await scene.enter(Scene.ana)
            try await browser.waitForTitle("Edit profile")
            try await browser.inspect("\(size)-profile")
            try await browser.find("#givenName").clear()
            try await browser.click("#continue")
            try await browser.waitForTitle("Error: Edit profile")
            try await browser.inspect("\(size)-profile-wrong")
        }

        private func messagePages(_ scene: Scene, _ size: String) async throws {
            let browser = scene.browser
            try await browser.navigate(to: "\(scene.tenant)/B2C_1_susi/page/sign-up?transaction=gone")
            try await browser.inspect("\(size)-ended", status: 400)
            let foreign = Self.address("B2C_1_susi", scene).replacing("localhost%3A1%2F", with: "attacker.example")
            try await browser.navigate(to: foreign)
            try await browser.inspect("\(size)-refused", status: 400)
            try await browser.navigate(to: "\(scene.tenant)/B2C_1_missing")
            try await browser.inspect("\(size)-not-found", status: 404)
            try await browser.navigate(to: "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/logout")
            try await browser.inspect("\(size)-signed-out")
        }

        @Test(arguments: [Chromium.Size.desktop, .phone])
        func program(size: Chromium.Size) async throws {
            try await withScene(size: size) { scene in
                let browser = scene.browser
                _ = try await scene.run("sign-in") {
                    try await scene.enter(Scene.ana)
                    try await browser.waitForTitle("Signed in")
                    try await browser.inspect("\(size)-program-signed-in")
                }
                _ = try await scene.run("edit-profile") {
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Profile saved")
                    try await browser.inspect("\(size)-program-profile-saved")
                }
                _ = try await scene.run("sign-in") {
                    try await browser.click("#cancel")
                    try await browser.waitForTitle("Cancelled")
                    try await browser.inspect("\(size)-program-cancelled")
                }
                _ = try await scene.run("sign-in", "-a", Scene.chi.signInName) {
                    try await scene.enter(Scene.ben)
                    try await browser.waitForTitle("Not signed in")
                    try await browser.inspect("\(size)-program-other-person")
                }
                _ = try await scene.run("reset-password") {
                    try await browser.fill("#email", with: Scene.ben.signInName)
                    try await browser.click("#continue")
                    for field in ["newPassword", "reenterPassword"] {
                        try await browser.fill("#\(field)", with: "Fresh-9-apples")
                    }
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Password set")
                    try await browser.inspect("\(size)-program-password-set")
                }
                let signOut = scene.susi.command(
                    ["sign-out", "--browser", "--yes"], environment: ["BROWSER": scene.capture.command])
                _ = try await signOut.start { program in
                    try await browser.navigate(to: try await scene.capture.nextArgument())
                    try await browser.waitForTitle("Signed out")
                    try await browser.inspect("\(size)-program-signed-out")
                    return try await program.waitUntilExit()
                }
                try await strayPages(scene, "\(size)")
            }
        }

        private func strayPages(_ scene: Scene, _ size: String) async throws {
            let browser = scene.browser
            try await scene.susi.start("sign-in", "--no-browser") { program in
                let line = try await program.waitForLine(containing: "/go/")
                let short = try #require(line.split(separator: " ").first)
                let redirect = try #require(short.firstRange(of: "go/").map { short[..<$0.lowerBound] })
                try await browser.navigate(to: "\(redirect)?code=abc&state=wrong")
                try await browser.inspect("\(size)-program-stray", status: 400)
                try await browser.navigate(to: "\(redirect)other")
                try await browser.inspect("\(size)-program-not-found", status: 404)
            }
        }

        /// An authorization request by hand; the challenge is the one of RFC 7636, appendix B.
        static func address(_ policy: String, _ scene: Scene) -> String {
            "\(scene.tenant)/\(policy)/oauth2/v2.0/authorize?client_id=\(Self.client)&response_type=code&scope=openid"
                + "&redirect_uri=http%3A%2F%2Flocalhost%3A1%2F&state=s&code_challenge_method=S256"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        }
    }
}
