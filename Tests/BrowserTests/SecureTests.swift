import Crypto
import Foundation
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

extension EndToEnd {
    /// The emulator over https.
    @Suite struct SecureTests {
        /// Signs Ana in at an emulator that speaks https, in a browser that knows its certificate, and edits her profile.
        @Test func signsInAndEditsProfileOverHTTPS() async throws {
            try await withHome { home in
                try await withLocalTenant(in: home, isSecure: true) { tenant in
                    let capture = try await BrowserCommand.capture(in: home.folder)
                    try await withBrowser(arguments: [try Self.trust(home)]) { browser in
                        let fixture = BrowserFixture(
                            origin: tenant.emulator.origin, susi: tenant.susi, browser: browser, capture: capture)
                        try await fixture.signIn(BrowserFixture.ana)
                        // From the page of https the browser went back to plain http on this machine, unasked.
                        #expect(try await browser.currentURL.hasPrefix("http://localhost:"))
                        try await fixture.expectNothingSecretOnPage()
                        let edited = try await fixture.run("edit-profile") {
                            try await browser.waitForTitle("Edit profile")
                            try await browser.click("#continue")
                            try await browser.waitForTitle("Profile saved")
                        }
                        #expect(edited.status == 0, "\(edited)")
                        #expect(try await fixture.accounts().contains("B2C_1_susi ana@contoso.example*"))
                    }
                    try await withBrowser { browser in
                        // A browser that was not told shows a warning in its place.
                        try await browser.navigate(to: tenant.emulator.origin)
                        #expect(try await browser.title == "Privacy error")
                    }
                }
            }
        }

        // Chromium takes the hash of a key in place of an authority. It has a store of certificates of its own, whose tool
        // is not everywhere.
        private static func trust(_ home: Home) throws -> String {
            let path = home.susiHome.appending("emulator").appending("server.pem").string
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let end = try #require(text.range(of: "-----END PRIVATE KEY-----"))
            let key = try P256.Signing.PrivateKey(pemRepresentation: String(text[..<end.upperBound]))
            let hash = Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString()
            return "--ignore-certificate-errors-spki-list=\(hash)"
        }
    }
}
