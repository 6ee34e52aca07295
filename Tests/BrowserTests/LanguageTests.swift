import SusiEmulator
import SusiTestSupport
import Testing

extension Pages {
    /// The pages in languages other than English: German has long words, Japanese has no spaces.
    @Suite struct LanguageTests {
        @Test(arguments: [Chromium.Size.desktop, .phone])
        func showsPagesInEachLanguage(size: Chromium.Size) async throws {
            try await withFixture(size: size) { fixture in
                let browser = fixture.browser
                for (language, signIn, signUp) in [
                    ("ja", "サインイン", "サインアップ"), ("de", "Anmelden", "Registrieren"),
                    ("es", "Iniciar sesión", "Registrarse"), ("fr", "Se connecter", "S’inscrire"),
                ] {
                    try await browser.navigate(
                        to: PageTests.address("B2C_1_susi", fixture) + "&prompt=login&ui_locales=\(language)-XX")
                    try await browser.waitForTitle(signIn)
                    #expect(try await browser.attribute("lang", of: "html") == language)
                    try await browser.inspect("\(size)-\(language)-sign-in")
                    try await browser.click("#createAccount")
                    try await browser.waitForTitle(signUp)
                    try await browser.click("#continue")
                    try await browser.inspect("\(size)-\(language)-sign-up-wrong")
                    let foreign = PageTests.address("B2C_1_susi", fixture).replacing(
                        "client_id=", with: "client_id=x")
                    try await browser.navigate(to: foreign + "&ui_locales=\(language)")
                    try await browser.inspect("\(size)-\(language)-refused", status: 400)
                }
            }
        }

        @Test func usesLanguageOfBrowser() async throws {
            try await withFixture(browserArguments: ["--accept-lang=fr-CH,fr,en"]) { fixture in
                try await fixture.browser.navigate(to: PageTests.address("B2C_1_susi", fixture))
                try await fixture.browser.waitForTitle("Se connecter")
            }
        }
    }
}
