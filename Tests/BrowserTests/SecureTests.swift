import Crypto
import Foundation
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

extension EndToEnd {
    /// The emulator over https.
    @Suite struct SecureTests {
        /// Signs Ana in at an emulator over https, in a browser that trusts its certificate, and edits her profile.
        @Test func signsInAndEditsProfileOverHTTPS() async throws {
            try await withHome { home in
                try await withLocalTenant(in: home, isSecure: true) { tenant in
                    try await withBrowserFixture(tenant, browserArguments: [try Self.trust(home)]) { fixture in
                        let browser = fixture.browser
                        try await fixture.signIn(BrowserFixture.ana)
                        // The browser was redirected from https to plain http on this machine without a warning.
                        #expect(try await browser.currentURL.hasPrefix("http://localhost:"))
                        try await fixture.expectNothingSecretOnPage()
                        try await fixture.run("edit-profile") {
                            try await browser.waitForTitle("Edit profile")
                            try await browser.click("#continue")
                            try await browser.waitForTitle("Profile saved")
                        }.exits(0)
                    }
                    try await withBrowser { browser in
                        // A browser without the certificate shows a warning instead of the page.
                        try await browser.navigate(to: tenant.emulator.origin)
                        #expect(try await browser.title == "Privacy error")
                    }
                }
            }
        }

        // Chromium accepts the hash of a key instead of a trusted authority. The tool for its own certificate store is
        // not installed everywhere.
        private static func trust(_ home: Home) throws -> String {
            let path = home.file("emulator").appending("server.pem")
            let text = try path.text()
            let end = try #require(text.range(of: "-----END PRIVATE KEY-----"))
            let key = try P256.Signing.PrivateKey(pemRepresentation: String(text[..<end.upperBound]))
            let hash = Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString()
            return "--ignore-certificate-errors-spki-list=\(hash)"
        }
    }
}
