import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// `policies check` and `policies explain` with the built program.
@Suite("Checked policies", .inTurn, .timeLimit(.minutes(5)))
struct CheckTests {
    static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("every policy of a running tenant is valid; the check stores and caches nothing")
    func acceptsPoliciesOfRunningTenant() async throws {
        try await withLocalTenant { tenant in
            let outcome = try await tenant.susi.run("policies", "check")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.standardOutput.components(separatedBy: "ok  B2C_1_").count == 5)
            #expect(outcome.standardOutput.contains("(RS256)"))
            #expect(!FileManager.default.fileExists(atPath: tenant.susi.home.susiHome.appending("store.sqlite").string))
            try await tenant.signIn(.ana)
            let before = tenant.requests("GET", "/B2C_1_susi/v2.0/.well-known/openid-configuration")
            let one = try await tenant.susi.run("policies", "check", "-p", "B2C_1_susi", "--json")
            let report = try Self.object(one.standardOutput)
            #expect(report["isFine"] as? Bool == true && report["schemaVersion"] as? Int == 1)
            let policy = try #require((report["policies"] as? [[String: Any]])?.first)
            #expect(policy["usableKeys"] as? Int == 1 && policy["tenantId"] as? String != nil)
            #expect((policy["endpoints"] as? [String: String])?["token_endpoint"]?.hasSuffix("/token") == true)
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
                return try await run.waitUntilExit()
            }
            #expect(outcome.status == 0, "\(outcome)")
            let names = outcome.standardOutput.split(separator: "\n").filter { $0.hasPrefix("ok  ") }
                .map { String($0.split(separator: " ")[1]) }
            let listed = try await tenant.susi.run("policies", "list", "--json")
            let policies = try #require(try Self.object(listed.standardOutput)["policies"] as? [[String: Any]])
            #expect(names.count == 4 && names == policies.compactMap { $0["name"] as? String }, "\(names)")
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
            let outcome = try await tenant.susi.run("policies", "check", environment: ["SUSI_CLOCK": "+10m"])
            #expect(outcome.status == 7)
            #expect(outcome.standardOutput.contains("https://login.contoso.example/c/B2C_1_reset "))
            #expect(outcome.standardOutput.contains("add \"https://login.contoso.example/c\" to knownAuthorities"))
            #expect(outcome.standardOutput.contains("B2C_1_gone"))
            #expect(outcome.standardOutput.contains("status 404"))
            #expect(outcome.standardOutput.contains("ahead of the server\n"))
            let clock = try await tenant.susi.run(
                "policies", "check", "-p", "B2C_1_susi", environment: ["SUSI_CLOCK": "-10m"])
            #expect(clock.status == 1 && clock.standardOutput.contains("behind the server\n"))
        }
    }

    @Test("an unreachable server exits with 3, an unknown policy with 5")
    func exitsWith3WithoutServerAnd5WithoutPolicy() async throws {
        try await withSusi { susi in
            let port = try await withLocalTenant { $0.emulator.port }
            try susi.home.writePolicies(PoliciesFile.builtInText.replacing("8480", with: "\(port)"))
            let outcome = try await susi.run("policies", "check", "-p", "B2C_1_susi")
            #expect(outcome.status == 3 && outcome.standardOutput.contains("no server at"))
            #expect(try await susi.run("policies", "check", "-p", "x").status == 5)
        }
    }

    @Test("an address is explained as allowed or refused without a request")
    func explainsAddressesOffline() async throws {
        try await withSusi { susi in
            let base = "http://localhost:8480/contoso.onmicrosoft.com"
            let good = try await susi.run("policies", "explain", "\(base)/B2C_1_susi/oauth2/v2.0/authorize?client_id=x")
            #expect(good.status == 0)
            #expect(good.standardOutput.contains(#/B2C_1_susi .*“local”/#))
            let bad = try await susi.run("policies", "explain", "https://evil.example/\u{1b}[2J", "--json")
            #expect(bad.status == 7)
            let other = try await susi.run("policies", "explain", "http://localhost:8481/c/B2C_1_susi", "--json")
            let report = try Self.object(other.standardOutput)
            #expect(other.status == 7)
            let one = try #require((report["applications"] as? [[String: Any]])?.first)
            #expect(one["missingEntry"] as? String == "http://localhost:8481/c")
            #expect(report["isAllowed"] as? Bool == false && one["kind"] as? String == "b2c")
        }
    }

    @Test func explainsTheOwnAuthorityOfAnApplicationWithoutAList() async throws {
        try await withSusi(policies: PoliciesFile.builtInText) { susi in
            let base = "http://localhost:8480/contoso.onmicrosoft.com"
            let own = try await susi.run("policies", "explain", "\(base)/B2C_1_susi")
            #expect(own.status == 0, "\(own)")
            let other = try await susi.run("policies", "explain", "http://localhost:8481/c/B2C_1_susi")
            #expect(other.status == 7, "\(other)")
            #expect(
                other.standardOutput.contains(
                    "add \"knownAuthorities\": [\"\(base)\", \"http://localhost:8481/c\"] to the application"),
                "\(other)")
        }
    }

    @Test func contactsOnlyTheOwnAuthorityOfAnApplicationWithoutAList() async throws {
        try await withLocalTenant(policies: { text in
            text.replacing(
                "      \"knownAuthorities\": [\"http://localhost:8480/contoso.onmicrosoft.com\"],\n", with: ""
            )
            .replacing(
                "\"B2C_1_partner\": {",
                with: "\"B2C_1_partner\": { \"authority\": \"https://login.contoso.example/c.onmicrosoft.com\",")
        }) { tenant in
            try await tenant.signIn(.ana)
            let checked = try await tenant.susi.run("policies", "check", "-p", "B2C_1_susi")
            #expect(checked.status == 0, "\(checked)")
            let refused = try await tenant.susi.run("sign-in", "-p", "B2C_1_partner", "--no-browser")
            #expect(refused.status == 7, "\(refused)")
            #expect(refused.standardError.contains("https://login.contoso.example/c.onmicrosoft.com\"] to the"))
        }
    }

    @Test("with -A one application's list explains an address; without it, every application's")
    func explainsWithListOfSelectedApplication() async throws {
        let application = { (name: String, known: String) in
            """
            "\(name)": { "kind": "b2c", "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com",
              "clientId": "\(name)", "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } },
              "knownAuthorities": ["\(known)"] }
            """
        }
        let policies = """
            { "current": "open", "applications": {
              \(application("open", "contoso.b2clogin.com")), \(application("strict", "login.contoso.example")) } }
            """
        try await withSusi(policies: policies) { susi in
            let url = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi"
            let strict = try await susi.run("policies", "explain", "-A", "strict", url)
            #expect(strict.status == 7 && !strict.standardOutput.contains("open"), "\(strict)")
            #expect(strict.standardOutput.contains(#/B2C_1_susi .*“strict”/#), "\(strict)")
            let variable = try await susi.run(
                "policies", "explain", url, environment: ["SUSI_APPLICATION": "strict"])
            #expect(variable.status == 7 && variable.standardOutput == strict.standardOutput, "\(variable)")
            #expect(try await susi.run("policies", "explain", "-A", "open", url).status == 0)
            let both = try await susi.run("policies", "explain", url)
            #expect(both.status == 0, "\(both)")
            #expect(both.standardOutput.contains("“contoso.b2clogin.com”"))
            #expect(both.standardOutput.contains("(application “strict”)"), "\(both)")
            let report = try Self.object(try await susi.run("policies", "explain", url, "--json").standardOutput)
            let applications = try #require(report["applications"] as? [[String: Any]])
            #expect(applications.map { $0["application"] as? String } == ["open", "strict"])
            #expect(applications.map { $0["isAllowed"] as? Bool } == [true, false])
            let evil = try await susi.run(
                "policies", "explain", "https://contoso.b2clogin.com.evil.example/contoso.onmicrosoft.com/B2C_1_susi")
            #expect(evil.status == 7 && !evil.standardOutput.contains("domain of the tenant"), "\(evil)")
            #expect(evil.standardOutput.contains("“b2clogin.com”"), "\(evil)")
        }
    }
}
