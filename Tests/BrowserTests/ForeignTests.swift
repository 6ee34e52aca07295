import SusiTestSupport
import Testing

extension EndToEnd {
    /// Against an identity server that is not ours.
    @Suite(.foreign) struct ForeignTests {
        private static let label = "default \(Glewlwyd.ana.email)*"

        @Test("signs in, serves from the cache, refreshes, and is removed", arguments: Glewlwyd.Algorithm.allCases)
        func lifecycle(algorithm: Glewlwyd.Algorithm) async throws {
            try await withForeignScene(signing: algorithm) { foreign in
                let susi = foreign.susi
                #expect(try await susi.run("token").status == 4)
                let outcome = try await foreign.signIn()
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("Signed in as Ana Lima <ana@contoso.example>"), "\(outcome)")
                try await foreign.scene.expectNothingSecretOnPage()
                #expect(try await foreign.scene.accounts() == [Self.label])

                let first = try await token(susi)
                #expect(try await token(susi) == first)
                let call = try await susi.run("call", "userinfo")
                #expect(call.standardOutput.contains(Glewlwyd.ana.email), "\(call)")

                // An hour later the token has ended; each refresh brings another refresh token, and the one before is dead.
                let second = try await token(susi, clock: "+3601")
                #expect(second != first)
                let third = try await token(susi, "--refresh", clock: "+3602")
                #expect(third != second)
                #expect(try await token(susi, clock: "+3603") == third)
                let status = try await susi.run("status")
                #expect(status.status == 0 && status.standardOutput.contains(Glewlwyd.ana.email), "\(status)")

                // What is in the cache needs no server; what is not there is no reason to forget anybody.
                try await foreign.server.stop()
                #expect(try await token(susi, clock: "+3604") == third)
                let refused = try await susi.run("token", "--refresh")
                #expect(refused.status == 3, "\(refused)")
                #expect(try await foreign.scene.accounts() == [Self.label])
                #expect(try await susi.run("remove", Glewlwyd.ana.email).status == 0)
                #expect(try await foreign.scene.accounts().isEmpty)
                #expect(try await susi.run("token").status == 4)
            }
        }

        private func token(_ susi: SusiBinary, _ arguments: String..., clock: String = "+0") async throws -> String {
            let outcome = try await susi.command(["token"] + arguments, environment: ["SUSI_CLOCK": clock]).run()
            #expect(outcome.status == 0, "\(outcome)")
            return outcome.standardOutput
        }
    }
}
