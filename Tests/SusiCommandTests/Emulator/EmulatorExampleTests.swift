import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// The README's example of the emulator in a Swift test.
@Suite("An emulator in a Swift test", .inTurn, .timeLimit(.minutes(5)))
struct EmulatorExampleTests {
    @Test func signsInAndRefreshes() async throws {
        try await withEmulator(now: { Int64(Date().timeIntervalSince1970) }) { emulator in
            let policies = try PoliciesFile(text: try #require(emulator.policies).utf8, source: "the emulator")
            let client = PublicClient(
                application: try #require(policies.application(nil)),
                folder: StoreFolder("\(emulator.folder)/client"), clock: { emulator.clock.now() })
            let ana = FormBrowser(answers: ["signInName": "ana@contoso.example", "password": "Passw0rd!"])
            let account = try await client.signIn(SignInRequest(), through: SignInSurface(browser: ana)).account
            #expect(account.label == "ana@contoso.example")

            let first = try await client.token(api: "hello", of: AccountSelection())
            emulator.clock.advance(by: 2 * 3_600)
            let second = try await client.token(api: "hello", of: AccountSelection())
            #expect(first.secret != second.secret)
        }
    }
}
