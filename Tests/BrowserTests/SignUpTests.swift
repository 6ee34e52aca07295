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
                let text = try await browser.text("main")
                #expect(text.contains("dora@contoso.example"), "\(text)")
                try await fixture.expectNothingSecretOnPage()
                #expect(fixture.capture.openedURLs.count == 1)

                let account = try await fixture.json("accounts")["accounts"][0]
                #expect(account["label"] == "dora@contoso.example")
                #expect(account["name"] == "Dora O'Neil & <Co>")
                #expect(account["emails"] == ["dora@contoso.example"])
                #expect(account["isCurrent"] == true)
                #expect(try await fixture.accounts() == ["B2C_1_susi dora@contoso.example*"])
                let call = try await fixture.susi.run("call", "hello")
                #expect(call.status == 0 && call.standardOutput.contains("Dora"), "\(call)")
            }
        }

        @Test func showsErrorsBesideFields() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let outcome = try await fixture.run("sign-in") {
                    try await browser.click("#createAccount")
                    try await browser.fill("#email", with: BrowserFixture.ana.signInName)
                    try await browser.fill("#newPassword", with: "short")
                    try await browser.fill("#displayName", with: "Second Ana")
                    try await browser.click("#continue")
                    try await browser.waitForTitle("Error: Sign up")
                    for field in ["newPassword", "reenterPassword", "givenName", "surname"] {
                        #expect(try await browser.attribute("aria-invalid", of: "#\(field)") == "true")
                        #expect(try await browser.text("#\(field)-error") != "")
                        let described = try await browser.attribute("aria-describedby", of: "#\(field)")
                        #expect(described?.contains("\(field)-error") == true)
                    }
                    // The first invalid field has the focus.
                    #expect(try await browser.activeElementID == "newPassword")
                    #expect(try await browser.attribute("aria-invalid", of: "#displayName") == nil)
                    #expect(try await browser.attribute("value", of: "#displayName") == "Second Ana")
                    // Nothing was sent: the browser found the errors, and the typed text is kept.
                    #expect(try await browser.attribute("value", of: "#newPassword") == "short")

                    for field in ["newPassword", "reenterPassword"] {
                        try await browser.fill("#\(field)", with: "Secret-7-lamps")
                    }
                    try await browser.fill("#givenName", with: "Ana")
                    try await browser.fill("#surname", with: "Second")
                    try await browser.click("#continue")
                    #expect(try await browser.text("#email-error").contains("already exists"))
                    // The passwords were valid, but a page never repeats them.
                    #expect(try await browser.activeElementID == "email")
                    #expect(try await browser.attribute("value", of: "#newPassword") == "")
                    #expect(try await browser.text("#newPassword-note").hasPrefix("Enter the password again"))
                    let described = try await browser.attribute("aria-describedby", of: "#newPassword")
                    #expect(described?.contains("newPassword-note") == true)
                    try await browser.inspect("sign-up-taken")
                    try await browser.click("#cancel")
                }
                #expect(outcome.status == 2, "\(outcome)")
                #expect(try await fixture.accounts().isEmpty)
            }
        }
    }
}
