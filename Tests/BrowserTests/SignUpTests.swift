import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// The sign-up of a new person, without a mouse.
    @Suite struct SignUpTests {
        @Test func signsUpByKeyboard() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("sign-in") {
                    try await browser.reach("createAccount")
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Sign up")
                    // The first field has the focus, and each Tab leads to the next field.
                    let answers = [
                        ("email", "dora@contoso.example"), ("newPassword", "Secret-7-lamps"),
                        ("reenterPassword", "Secret-7-lamps"), ("displayName", "Dora O'Neil & <Co>"),
                        ("givenName", "Dora"), ("surname", "O'Neil"),
                    ]
                    for (field, text) in answers {
                        #expect(try await browser.activeElementID == field)
                        try await browser.type(text)
                        try await browser.press(.tab)
                        // A password field is followed by a button that shows the password.
                        if field.hasSuffix("Password") { try await browser.press(.tab) }
                    }
                    #expect(try await browser.activeElementID == "continue")
                    try await browser.press(.enter)
                    try await browser.waitForTitle("Signed in")
                }
                #expect(outcome.status == 0, "\(outcome)")
                #expect(
                    outcome.standardOutput.contains(
                        "Dora O'Neil & <Co> <dora@contoso.example> under B2C_1_susi"), "\(outcome)")
                #expect(try await browser.text("main").contains("dora@contoso.example"))
                try await fixture.expectNothingSecretOnPage()
                #expect(fixture.capture.openedURLs.count == 1)
                let account = try await fixture.json("accounts")["accounts"][0]
                #expect(account["label"] == "dora@contoso.example" && account["name"] == "Dora O'Neil & <Co>")
                #expect(account["emails"] == ["dora@contoso.example"] && account["isCurrent"] == true)
            }
        }
    }
}
