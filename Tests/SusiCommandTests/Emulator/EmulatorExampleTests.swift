import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The manuals' examples of the emulator in a Swift test.
@Suite("An emulator in a Swift test", .inTurn, .timeLimit(.minutes(5)))
struct EmulatorExampleTests {
    @Test func signsInAndRefreshes() async throws {
        try await withEmulator(now: { Int64(Date().timeIntervalSince1970) }) { emulator in
            let client = try PublicClient(
                policiesText: try #require(emulator.policies), folder: "\(emulator.folder)/client",
                clock: { emulator.clock.now() })
            let ana = FormBrowser(answers: ["signInName": "ana@contoso.example", "password": "Passw0rd!"])
            let account = try await client.signIn(through: SignInSurface(browser: ana)).account
            #expect(account.label == "ana@contoso.example")

            let first = try await client.token(api: "hello")
            emulator.clock.advance(by: 2 * 3_600)
            let second = try await client.token(api: "hello")
            #expect(first.secret != second.secret)
        }
    }

    private static let ownTenant = """
        { "tenants": { "fabrikam.onmicrosoft.com": {
          "kind": "b2c", "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
          "applications": { "one": { "redirectUris": ["http://localhost/"], "redirectPorts": "any" } },
          "users": [{ "email": "lin@fabrikam.example" }]
        } } }
        """

    @Test func servesOwnTenant() async throws {
        let text = Data(Self.ownTenant.utf8)
        let tenants = try TenantFile(text: text, source: "tenants.json", folder: ".").tenants()
        try await withEmulator(tenants, now: { Int64(Date().timeIntervalSince1970) }) { emulator in
            let client = try PublicClient(
                policiesText: try #require(emulator.policies), folder: "\(emulator.folder)/client")
            let lin = FormBrowser(answers: ["signInName": "lin@fabrikam.example", "password": "Passw0rd!"])
            let account = try await client.signIn(through: SignInSurface(browser: lin)).account
            #expect(account.label == "lin@fabrikam.example")
        }
    }
}
