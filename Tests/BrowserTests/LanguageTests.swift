import SusiEmulator
import SusiTestSupport
import Testing

extension Pages {
    /// The pages in German, which has long words.
    @Suite struct LanguageTests {
        @Test func showsPagesInGerman() async throws {
            try await withFixture { fixture in
                let browser = fixture.browser
                let address = PageTests.address("B2C_1_susi", fixture)
                try await browser.navigate(to: "\(address)&prompt=login&ui_locales=de-XX")
                try await browser.waitForTitle("Anmelden")
                #expect(try await browser.attribute("lang", of: "html") == "de")
                try await browser.inspect("de-sign-in")
                try await browser.click("#createAccount")
                try await browser.waitForTitle("Registrieren")
                try await browser.click("#continue")
                try await browser.inspect("de-sign-up-wrong")
                let foreign = address.replacing("client_id=", with: "client_id=x")
                try await browser.navigate(to: "\(foreign)&ui_locales=de")
                try await browser.inspect("de-refused", status: 400)
            }
        }
    }
}
