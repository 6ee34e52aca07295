import SusiEmulator
import SusiTestSupport
import Testing

extension Pages {
    /// The pages in languages other than English: German has long words, Japanese has no spaces.
    @Suite struct LanguageTests {
        @Test func showsPagesInEachLanguage() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let address = PageTests.address("B2C_1_susi", fixture)
                for (language, signIn, signUp) in [
                    ("ja", "サインイン", "サインアップ"), ("de", "Anmelden", "Registrieren"),
                ] {
                    try await browser.navigate(to: "\(address)&prompt=login&ui_locales=\(language)-XX")
                    try await browser.waitForTitle(signIn)
                    #expect(try await browser.attribute("lang", of: "html") == language)
                    if language == "de" { try await browser.inspect("\(language)-sign-in") }
                    try await browser.click("#createAccount")
                    try await browser.waitForTitle(signUp)
                    try await browser.click("#continue")
                    try await browser.inspect("\(language)-sign-up-wrong")
                }
                let foreign = address.replacing("client_id=", with: "client_id=x")
                try await browser.navigate(to: "\(foreign)&ui_locales=de")
                try await browser.inspect("de-refused", status: 400)
            }
        }
    }
}
