import SusiEmulator
import SusiTestSupport
import Testing

extension EndToEnd {
    /// Policies whose names invite a mistake: one ends with another's whole name, one has a dot.
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

        @Test func eachPolicyKeepsItsOwn() async throws {
            try await withScene(policies: Self.policies) { scene in
                let short = "B2C_1_in"
                let long = "B2C_1_sign-B2C_1_in"
                let dotted = "B2C_1A_v2.in"
                try await scene.signIn(Scene.ana, "-p", long)
                #expect(try await labels(short, scene).isEmpty)
                #expect(try await scene.susi.run("token", "-p", short).status == 4)
                #expect(try await scene.susi.run("call", "hello").status == 4)

                // The case of a name does not count.
                try await scene.signIn(Scene.ana, "-p", "b2c_1_IN")
                try await scene.signIn(Scene.ben, "-p", dotted)
                #expect(try await labels(short, scene) == ["ana@contoso.example"])
                #expect(try await labels(long, scene) == ["ana@contoso.example"])
                #expect(try await labels(dotted, scene) == ["ben@contoso.example"])
                let identifiers = try await scene.json("accounts")["accounts"].elements.map {
                    $0["homeAccountId"].string
                }
                #expect(Set(identifiers).count == 3)
                for (policy, name) in [(short, "Ana"), (long, "Ana"), (dotted, "Ben")] {
                    let call = try await scene.susi.run("call", "hello", "-p", policy)
                    #expect(call.status == 0 && call.standardOutput.contains(name), "\(call)")
                    #expect(try await scene.susi.run("token", "-p", policy, "--refresh").status == 0)
                }

                #expect(try await scene.susi.run("remove", Scene.ana.signInName, "--yes").status == 5)
                let removal = try await scene.susi.run("remove", Scene.ana.signInName, "-p", short, "--yes")
                #expect(removal.status == 0, "\(removal)")
                #expect(try await labels(short, scene).isEmpty)
                #expect(try await labels(long, scene) == ["ana@contoso.example"])
                #expect(try await labels(dotted, scene) == ["ben@contoso.example"])
                #expect(try await scene.susi.run("token", "-p", short).status == 4)
                #expect(try await scene.susi.run("token", "-p", long).status == 0)
            }
        }

        private func labels(_ policy: String, _ scene: Scene) async throws -> [String] {
            try await scene.json("accounts", "-p", policy)["accounts"].elements.map { account in
                #expect(account["policy"].string.lowercased() == policy.lowercased())
                return account["label"].string
            }
        }
    }
}
