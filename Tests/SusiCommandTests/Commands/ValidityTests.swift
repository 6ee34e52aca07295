import Susi
import SusiEmulator
import SusiTestSupport
import Synchronization
import Testing

/// How long tokens are said to be valid.
@Suite("Validity", .inTurn, .timeLimit(.minutes(5)))
struct ValidityTests {
    @Test("after a sign-in the validity counts from its end, not from the start of the command")
    func countsFromEndOfSignIn() async throws {
        let began = Mutex<Int64?>(nil)
        // Holds the token request until the clock has gone on: one second more is rounded to an hour.
        let arrived = { @Sendable (request: String) async in
            guard request.hasSuffix("/token"), let start = began.withLock({ $0 }) else { return }
            try? await waitUntil { TestEnvironment.realTime() >= start + 2 }
        }
        try await withLocalTenant(arrived: arrived, configure: { $0.lifetimes.accessToken = 3_569 }) { tenant in
            began.withLock { $0 = TestEnvironment.realTime() + 1 }
            try await tenant.interact(["sign-in"], as: .ana).exits(0, printing: "token valid 59 min")
        }
    }

    @Test("a refresh token whose lifetime the provider does not tell is said to be so")
    func namesUnknownLifetime() async throws {
        try await withLocalTenant(policies: CompareTests.policies, configure: CompareTests.configure) { tenant in
            let signedIn = try await tenant.interact(["sign-in", "-A", "ciam"], as: .ana)
            #expect(signedIn.standardOutput.hasSuffix(", refresh token of unknown lifetime\n"), "\(signedIn)")
        }
    }

    @Test("switch reports the account as current in JSON", arguments: [["ben@contoso.example"], ["-"]])
    func reportsSwitchedAccountAsCurrent(words: [String]) async throws {
        let people = [StoredPerson("ana@contoso.example", isCurrent: true), StoredPerson("ben@contoso.example")]
        try await withStored(people) { susi in
            if words == ["-"] {
                for name in ["ben@contoso.example", "ana@contoso.example"] {
                    _ = try await susi.client().switchTo(AccountSelection(text: name))
                }
            }
            let report = try await susi.command(["switch", "--json"] + words).run().json()
            #expect(report["account"]?["label"]?.string == "ben@contoso.example")
            #expect(report["account"]?["isCurrent"]?.bool == true)
            #expect(report["previous"]?.string == "ana@contoso.example")
            let all = try await susi.run("switch", "ana@contoso.example", "--person", "--json").json()
            #expect(all["account"]?["isCurrent"]?.bool == true)
        }
    }
}
