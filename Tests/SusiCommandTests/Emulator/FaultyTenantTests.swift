import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// The program's behavior with faults of the emulator.
@Suite("A tenant with faults", .inTurn, .timeLimit(.minutes(5)))
struct FaultyTenantTests {
    private static let faults: [Fault.Kind] = [
        .status(429, retryAfter: 1), .status(503), .status(500, body: "<p>Sorry</p>", contentType: "text/html"),
        .drop(.request), .drop(.response), .drop(.body), .malformed(.html), .malformed(.cut), .malformed(.encoding),
    ]

    @Test("no fault of the token endpoint ends a session, and each is reported")
    func keepsSessionAfterTokenEndpointFaults() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let faults = tenant.emulator.faults
            for kind in Self.faults {
                faults.add(Fault(kind, at: .token, policy: "B2C_1_susi"))
                let refused = try await tenant.susi.refusal("token", "--refresh")
                #expect((1...100).contains(refused.status) && !refused.next.isEmpty, "\(kind): \(refused)")
                #expect(faults.all.last.map { $0.hits > 0 } == true, "\(kind)")
                faults.removeAll()
            }
            #expect(try await tenant.susi.run("token", "--refresh").status == 0)
            faults.add(Fault(.delay(milliseconds: 200), at: .token))
            let client = try tenant.client()
            _ = try await client.refreshed()
            // A fault of an endpoint that is not used has no effect.
            faults.add(Fault(.drop(.request), at: .authorize))
            _ = try await client.token(api: nil, of: AccountSelection())
        }
    }
}
