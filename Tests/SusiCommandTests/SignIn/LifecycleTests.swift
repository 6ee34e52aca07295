import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// The states of one account, with the built program and an emulator.
@Suite("Lifecycle", .inTurn, .timeLimit(.minutes(5)))
struct LifecycleTests {
    @Test("not stored, signed in, cached, expired, refreshed, refresh token expired, signed in again, removed")
    func movesThroughEveryState() async throws {
        try await withHome { home in
            let port = try await freePort()
            let token = try await withLocalTenant(in: home, port: port) { tenant in
                try await beginning(tenant)
            }
            // The authority's port is closed: both paths use the cache only.
            let susi = try SusiBinary(home: home)
            try await susi.run("token").exits(0, output: token)
            #expect(try await susi.run("token", "--policy=B2C_1_susi").standardOutput == token)
            try await susi.run("token", environment: ["SUSI_CLOCK": "+2h"]).exits(
                3, output: "", saying: "susi emulator run")
            try await withLocalTenant(in: home, port: port) { tenant in
                try await end(tenant, token)
            }
        }
    }

    private func beginning(_ tenant: LocalTenant) async throws -> String {
        try await tenant.susi.run("token").exits(4, output: "", saying: "next: susi sign-in\n")
        #expect(tenant.requestLines.isEmpty)
        try await tenant.interact(["sign-in"], as: .ana).exits(
            0, printing: "Ana Lima <ana@contoso.example> under B2C_1_susi")
        let before = tenant.requestLines.count
        let token = try await tenant.susi.run("token").exits(0)
        #expect(token.standardOutput.split(separator: ".").count == 3)
        #expect(token.standardOutput.hasSuffix("\n") && token.standardError.isEmpty)
        #expect(tenant.requestLines.count == before, "a cached token led to a request")
        return token.standardOutput
    }

    private func end(_ tenant: LocalTenant, _ token: String) async throws {
        tenant.emulator.clock.advance(by: 7_200)
        let late = ["SUSI_CLOCK": "+2h"]
        #expect(try await tenant.susi.run("token", environment: late).exits(0).standardOutput != token)
        #expect(tenant.requests("POST", "/oauth2/v2.0/token") == 1)
        try await tenant.susi.run("token", "--min-valid", "3h", environment: late).exits(1, output: "")
        try await tenant.susi.run("token", environment: late).exits(0)
        #expect(tenant.requests("POST", "/oauth2/v2.0/token") == 2)
        // The refresh token ends at the server before the client expects it.
        tenant.emulator.clock.advance(by: 15 * 86_400)
        try await tenant.susi.run("token", environment: ["SUSI_CLOCK": "+4h"]).exits(
            4, saying: "AADB2C90080", "next: susi sign-in")
        let deadBefore = tenant.requests("POST", "/oauth2/v2.0/token")
        try await tenant.susi.run("token", environment: ["SUSI_CLOCK": "+4h"]).exits(4)
        #expect(tenant.requests("POST", "/oauth2/v2.0/token") == deadBefore, "an expired refresh token was sent again")
        let listed = try await tenant.susi.run("accounts", "--json").json()
        let tokens = listed["accounts"]?.array?.first?["tokens"]?.array ?? []
        #expect(!tokens.isEmpty && tokens.allSatisfy { $0["kind"]?.string != "refresh" }, "\(tokens)")
        let much = ["SUSI_CLOCK": "+362h"]
        try await tenant.interact(["sign-in"], as: .ana, environment: much).exits(0)
        try await tenant.susi.run("token", environment: much).exits(0)
        try await tenant.susi.run("remove", "ana@contoso.example", "--yes").exits(0)
        try await tenant.susi.run("token", environment: much).exits(4)
    }
}
