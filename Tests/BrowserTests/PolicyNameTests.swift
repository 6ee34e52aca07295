import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// Policies whose names are easy to confuse: one ends with another's whole name, one has a dot.
    @Suite struct PolicyNameTests {
        private static let scopes = #""scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"]"#
        private static let policies = """
            {
              "current": "local",
              "applications": {
                "local": {
                  "kind": "b2c",
                  "authority": "http://localhost:8480/contoso.onmicrosoft.com",
                  "clientId": "11111111-1111-1111-1111-111111111111",
                  "redirectPorts": [0],
                  "policies": {
                    "B2C_1_in": { "kind": "signUpOrSignIn", "default": true },
                    "B2C_1_sign-B2C_1_in": { "kind": "signUpOrSignIn", \(scopes) },
                    "B2C_1A_v2.in": { "kind": "signUpOrSignIn", \(scopes) }
                  },
                  "knownAuthorities": ["http://localhost:8480/contoso.onmicrosoft.com"],
                  "apis": { "hello": { "baseUrl": "http://localhost:8480/api/hello", \(scopes) } }
                }
              }
            }
            """

        @Test func keepsAccountsOfPoliciesApart() async throws {
            try await withFixture(policies: Self.policies) { fixture in
                let short = "B2C_1_in"
                let long = "B2C_1_sign-B2C_1_in"
                let dotted = "B2C_1A_v2.in"
                try await fixture.signIn(BrowserFixture.ana, "-p", long)
                #expect(try await labels(short, fixture).isEmpty)
                #expect(try await fixture.susi.run("token", "-p", short).status == 4)
                #expect(try await fixture.susi.run("call", "hello").status == 4)

                // The case of a name does not matter.
                try await fixture.signIn(BrowserFixture.ana, "-p", "b2c_1_IN")
                try await fixture.signIn(BrowserFixture.ben, "-p", dotted)
                #expect(try await labels(short, fixture) == ["ana@contoso.example"])
                #expect(try await labels(long, fixture) == ["ana@contoso.example"])
                #expect(try await labels(dotted, fixture) == ["ben@contoso.example"])
                let identifiers = try await fixture.json("accounts")["accounts"].elements.map {
                    $0["homeAccountId"].string
                }
                #expect(Set(identifiers).count == 3)
                for (policy, name) in [(short, "Ana"), (long, "Ana"), (dotted, "Ben")] {
                    let call = try await fixture.susi.run("call", "hello", "-p", policy)
                    #expect(call.status == 0 && call.standardOutput.contains(name), "\(call)")
                    #expect(try await fixture.susi.run("token", "-p", policy, "--refresh").status == 0)
                }

                #expect(try await fixture.susi.run("remove", BrowserFixture.ana.signInName, "--yes").status == 5)
                let removal = try await fixture.susi.run("remove", BrowserFixture.ana.signInName, "-p", short, "--yes")
                #expect(removal.status == 0, "\(removal)")
                #expect(try await labels(short, fixture).isEmpty)
                #expect(try await labels(long, fixture) == ["ana@contoso.example"])
                #expect(try await labels(dotted, fixture) == ["ben@contoso.example"])
                #expect(try await fixture.susi.run("token", "-p", short).status == 4)
                #expect(try await fixture.susi.run("token", "-p", long).status == 0)
            }
        }

        private func labels(_ policy: String, _ fixture: BrowserFixture) async throws -> [String] {
            try await fixture.json("accounts", "-p", policy)["accounts"].elements.map { account in
                #expect(account["policy"].string.lowercased() == policy.lowercased())
                return account["label"].string
            }
        }
    }
}
