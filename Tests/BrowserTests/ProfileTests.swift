import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// One person under several policies changes the profile.
    @Suite struct ProfileTests {
        @Test func sessionServesAndEveryPolicyShowsTheNewName() async throws {
            try await withScene { scene in
                let browser = scene.browser
                try await scene.signIn(Scene.ben, "-p", "B2C_1_partner")
                try await scene.signIn(Scene.ana)
                try await scene.signIn(Scene.ana, "-p", "B2C_1_partner", "--no-switch")
                let outcome = try await scene.run("edit-profile") {
                    // No page asks for the password again.
                    try await browser.waitForTitle("Edit profile")
                    #expect(try await browser.activeElementID == "displayName")
                    #expect(try await browser.attribute("value", of: "#displayName") == "Ana Lima")
                    try await browser.fill("#displayName", with: "Ana Maria Lima")
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Profile saved")
                    #expect(try await browser.text("main").contains(Scene.ana.signInName))
                    try await scene.expectNothingSecretOnPage()
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("Saved the profile of Ana Maria Lima"), "\(outcome)")
                #expect(
                    try await names(scene) == [
                        "B2C_1_edit_profile ana@contoso.example Ana Maria Lima",
                        "B2C_1_partner ana@contoso.example Ana Maria Lima",
                        "B2C_1_partner ben@contoso.example Ben Okoro",
                        "B2C_1_susi ana@contoso.example Ana Maria Lima",
                    ])
                let status = try await scene.json("status")["policies"].elements
                #expect(
                    status.map { "\($0["policy"].string) \($0["account"]["name"].string)" } == [
                        "B2C_1_susi Ana Maria Lima", "B2C_1_partner Ben Okoro", "B2C_1_edit_profile Ana Maria Lima",
                        "B2C_1_reset ",
                    ])
            }
        }

        @Test func somebodyElseComesBack() async throws {
            try await withScene { scene in
                let browser = scene.browser
                try await scene.signIn(Scene.ana)
                try await browser.navigate(to: "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/logout")
                let before = try await scene.json("accounts")
                let outcome = try await scene.run("edit-profile") {
                    // Without a session the page asks who it is, and suggests the right one.
                    #expect(try await browser.attribute("value", of: "#signInName") == Scene.ana.signInName)
                    try await scene.enter(Scene.ben)
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Profile not updated")
                    #expect(
                        try await browser.text("main").contains(
                            "The profile of ben@contoso.example was edited, not that of ana@"))
                }
                #expect(outcome.status == 7, "\(outcome)")
                #expect(outcome.standardOutput == "")
                #expect(outcome.standardError.contains("nothing was stored"), "\(outcome)")
                #expect(try await scene.json("accounts") == before)
            }
        }

        @Test func cancelled() async throws {
            try await withScene { scene in
                try await scene.signIn(Scene.ana)
                let before = try await scene.json("accounts")
                let outcome = try await scene.run("edit-profile") {
                    try await scene.browser.fill("#displayName", with: "Not kept")
                    try await scene.browser.click("#cancel")
                    try await scene.browser.waitForTitle("Cancelled")
                }
                #expect(outcome.status == 2, "\(outcome)")
                #expect(try await scene.json("accounts") == before)
            }
        }

        private func names(_ scene: Scene) async throws -> [String] {
            try await scene.json("accounts", "--all")["accounts"].elements.map { account in
                "\(account["policy"].string) \(account["label"].string) \(account["name"].string)"
            }.sorted()
        }
    }
}
