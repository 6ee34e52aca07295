import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// The pages in other languages than English: German has long words, Japanese no blanks.
    @Suite struct LanguageTests {
        @Test(arguments: [Chromium.Size.desktop, .phone])
        func pages(size: Chromium.Size) async throws {
            try await withScene(size: size) { scene in
                let browser = scene.browser
                for (language, signIn, signUp) in [
                    ("ja", "サインイン", "サインアップ"), ("de", "Anmelden", "Registrieren"),
                    ("es", "Iniciar sesión", "Registrarse"), ("fr", "Se connecter", "S’inscrire"),
                ] {
                    try await browser.navigate(
                        to: PageTests.address("B2C_1_susi", scene) + "&prompt=login&ui_locales=\(language)-XX")
                    try await browser.waitForTitle(signIn)
                    #expect(try await browser.attribute("lang", of: "html") == language)
                    try await browser.inspect("\(size)-\(language)-sign-in")
                    try await browser.click("#createAccount")
                    try await browser.waitForTitle(signUp)
                    try await browser.click("#continue")
                    try await browser.inspect("\(size)-\(language)-sign-up-wrong")
                    let foreign = PageTests.address("B2C_1_susi", scene).replacing(
                        "localhost%3A1%2F", with: "x.example")
                    try await browser.navigate(to: foreign + "&ui_locales=\(language)")
                    try await browser.inspect("\(size)-\(language)-refused", status: 400)
                }
            }
        }

        @Test func theBrowsersOwnLanguage() async throws {
            try await withScene(browserArguments: ["--accept-lang=fr-CH,fr,en"]) { scene in
                try await scene.browser.navigate(to: PageTests.address("B2C_1_susi", scene))
                try await scene.browser.waitForTitle("Se connecter")
            }
        }
    }
}
