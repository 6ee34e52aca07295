import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// `policies check` and `policies explain` with the built program.
@Suite("Checked policies", .inTurn, .timeLimit(.minutes(5)))
struct CheckTests {
    @Test("every policy of a running tenant is valid; the check stores and caches nothing")
    func acceptsPoliciesOfRunningTenant() async throws {
        try await withLocalTenant { tenant in
            try await tenant.susi.run("policies", "check").exits(0)
            #expect(!tenant.susi.home.file("store.sqlite").exists)
            try await tenant.signIn(.ana)
            let before = tenant.requests("GET", "/B2C_1_susi/v2.0/.well-known/openid-configuration")
            let one = try await tenant.susi.run("policies", "check", "-p", "B2C_1_susi", "--json")
            #expect(try one.json()["isFine"]?.bool == true)
            #expect(tenant.requests("GET", "/B2C_1_susi/v2.0/.well-known/openid-configuration") == before + 1)
        }
    }

    @Test("the policies are checked side by side, and reported in their order")
    func checksSideBySide() async throws {
        let gate = Gate("GET", "/openid-configuration")
        try await withLocalTenant(arrived: { await gate.pass($0) }) { tenant in
            await gate.holdNext(4)
            let outcome = try await tenant.susi.command(["policies", "check"]).start { run in
                // None of them is answered before all have arrived.
                await gate.waitUntilFull()
                await gate.open()
                return try await run.waitUntilExit().exits(0)
            }
            let names = outcome.standardOutput.split(separator: "\n").filter { $0.hasPrefix("ok  ") }
                .map { String($0.split(separator: " ")[1]) }
            let policies = try await tenant.susi.run("policies", "list", "--json").json()["policies"]?.array
            #expect(names.count == 4 && names == policies?.compactMap { $0["name"]?.string }, "\(names)")
        }
    }

    @Test("every problem is reported: unknown authority, missing policy, wrong clock")
    func reportsEveryProblem() async throws {
        let (gone, reset) = (PolicyName("B2C_1_gone"), "\"B2C_1_reset\": {")
        let edit = { (text: String) in
            text.replacing(
                reset,
                with: """
                    "\(gone)": { "kind": "signUpOrSignIn" },
                    \(reset) "authority": "https://login.contoso.example/c",
                    """)
        }
        try await withLocalTenant(policies: edit, configure: { $0.policies.removeAll { $0.name == gone } }) { tenant in
            try await tenant.susi.run("policies", "check", environment: ["SUSI_CLOCK": "+10m"]).exits(
                7, printing: "https://login.contoso.example/c/B2C_1_reset ",
                "add \"https://login.contoso.example/c\" to knownAuthorities", "B2C_1_gone", "status 404",
                "ahead of the server\n")
            try await tenant.susi.run("policies", "check", "-p", "B2C_1_susi", environment: ["SUSI_CLOCK": "-10m"])
                .exits(1, printing: "behind the server\n")
        }
    }

    @Test("an unreachable server exits with 3, an unknown policy with 5")
    func exitsWith3WithoutServerAnd5WithoutPolicy() async throws {
        try await withSusi { susi in
            let port = try await withLocalTenant { $0.emulator.port }
            try susi.home.writePolicies(PoliciesFile.builtInText.replacing("8480", with: "\(port)"))
            try await susi.run("policies", "check", "-p", "B2C_1_susi").exits(3)
            #expect(try await susi.refusal("policies", "check", "-p", "x").status == 5)
        }
    }

    @Test("an address is explained without a request: by every application's list, or by that of the named one")
    func explainsAddressesOffline() async throws {
        let application = { (name: String, known: String) in
            """
            "\(name)": { "kind": "b2c", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com",
              "clientId": "\(name)", "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } } \(known) }
            """
        }
        let policies = """
            { "current": "open", "applications": {
              \(application("open", "")), \(application("strict", ", \"knownAuthorities\": [\"login.contoso.example\"]")) } }
            """
        try await withSusi(policies: policies) { susi in
            let url = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"
            for (words, environment, expected) in [
                (["-A", "strict"], [:], ["strict": false]), ([], ["SUSI_APPLICATION": "strict"], ["strict": false]),
                (["-A", "open"], [:], ["open": true]), ([], [:], ["open": true, "strict": false]),
            ] as [([String], [String: String], [String: Bool])] {
                let words = ["policies", "explain", url, "--json"] + words
                let found =
                    try await susi.command(words, environment: environment).run().exits(
                        expected.values.contains(true) ? 0 : 7
                    ).json()["applications"]?.array ?? []
                let allowed = found.map { ($0["application"]?.string ?? "", $0["isAllowed"]?.bool ?? false) }
                #expect(Dictionary(allowed) { $1 } == expected)
            }
            try await susi.run(
                "policies", "explain", "https://contoso.b2clogin.com.evil.example/c/\u{1b}[2J"
            ).exits(7, hiding: "\u{1b}")
        }
    }
}
