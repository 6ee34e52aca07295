import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// A provider that starts to sign with another key.
@Suite("Key rotation", .inTurn, .timeLimit(.minutes(5)))
struct KeyRotationTests {
    @Test(
        "a key that is published right after the last fetch is fetched at a refresh and at a sign-in",
        arguments: [true, false])
    func fetchesNewKeyAtOnce(withdrawing: Bool) async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let fetched = { tenant.requests("GET", "/discovery/v2.0/keys") }
            #expect(fetched() == 1)
            try tenant.emulator.rotateKeys(withdrawing: withdrawing)
            let client = try tenant.client()
            let refresh = {
                _ = try await client.token(api: nil, of: AccountSelection(), options: .init(forcesRefresh: true))
            }
            try await refresh()
            #expect(fetched() == 2)
            try tenant.emulator.rotateKeys(withdrawing: withdrawing)
            try await tenant.signIn(.ana)
            #expect(fetched() == 3)
            try await refresh()
            #expect(fetched() == 3)
        }
    }

    @Test("a key that is not published is looked up once in each exchange, and refused")
    func refusesKeyThatIsNeverPublished() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            try tenant.emulator.rotateKeys()
            tenant.emulator.faults.add(Fault(.status(200, body: #"{"keys":[]}"#), at: .keys))
            for run in 1...2 {
                #expect(try await tenant.susi.refusal("token", "--refresh").status == 7)
                #expect(tenant.requests("GET", "/discovery/v2.0/keys") == 1 + run)
            }
            tenant.emulator.faults.removeAll()
            #expect(try await tenant.susi.run("token", "--refresh").status == 0)
        }
    }
}
