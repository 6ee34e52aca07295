import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Everything that is stored can be listed and removed: of other applications, of policies and servers that left the file.
@Suite("Everything stored", .inTurn, .timeLimit(.minutes(5)))
struct EverythingStoredTests {
    private static let ana = "ana@contoso.example"
    private static let ben = "ben@contoso.example"

    private static func application(_ digit: String) -> String {
        """
        { "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com",
          "clientId": "\(digit)1111111-1111-1111-1111-111111111111", "redirectPorts": [0],
          "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn", "default": true },
              "B2C_1_old": { "kind": "resourceOwner" }, "B2C_1_ropc": { "kind": "resourceOwner" } } }
        """
    }

    /// Runs `body` with Ana and Ben in the application “one”, and Ana in “two”.
    private func withAccounts(_ body: (LocalTenant) async throws -> Void) async throws {
        let policies = """
            { "current": "one", "applications": { "one": \(Self.application("1")), "two": \(Self.application("2")) } }
            """
        try await withLocalTenant(policies: { _ in policies }) { tenant in
            for person in [LocalTenant.Person.ana, .ben] { try await signIn(tenant, person) }
            try await signIn(tenant, .ana, of: "two")
            try await body(tenant)
        }
    }

    private func signIn(
        _ tenant: LocalTenant, _ person: LocalTenant.Person, under policy: String = "B2C_1_ropc",
        of application: String? = nil
    ) async throws {
        _ = try await tenant.client(application).signIn(
            SignInRequest(policy: PolicyName(policy)),
            credentials: person.credentials)
    }

    /// The authority's host moves.
    private func move(_ tenant: LocalTenant) throws -> String {
        let home = tenant.susi.home
        try home.changePolicies { $0.replacing("//localhost:", with: "//127.0.0.1:") }
        return tenant.emulator.origin
    }

    private func listed(_ susi: SusiBinary) async throws -> [JSONNode] {
        let outcome = try await susi.run("accounts", "--all", "--json")
        return try outcome.json()["accounts"]?.array ?? []
    }

    @Test("accounts --all lists every application with a heading; -A lists one")
    func listsApplications() async throws {
        try await withAccounts { tenant in
            let susi = tenant.susi
            let all = try await susi.run("accounts", "--all")
            #expect(all.standardOutput.contains("2 accounts of “one”"), "\(all)")
            #expect(all.standardOutput.contains("1 account of “two”"), "\(all)")
            let names = try await listed(susi).map {
                "\($0["application"]?.string ?? "-") \($0["label"]?.string ?? "-")"
            }
            #expect(Set(names) == ["one \(Self.ana)", "one \(Self.ben)", "two \(Self.ana)"] && names.count == 3)
            let one = try await susi.run("accounts", "--all", "-A", "two")
            #expect(!one.standardOutput.contains(Self.ben) && !one.standardOutput.contains("of “"), "\(one)")
        }
    }

    @Test("after the authority's host has changed, the accounts are listed, reported and removed")
    func findsAccountsOfOldHost() async throws {
        try await withAccounts { tenant in
            let susi = tenant.susi
            let origin = try move(tenant)
            let none = try await susi.run("accounts")
            #expect(none.standardOutput.isEmpty && none.standardError.contains("next: susi accounts --all"), "\(none)")
            let all = try await susi.run("accounts", "--all")
            let heading = "3 accounts at \(origin), in no application of policies.json"
            #expect(all.standardOutput.hasPrefix(heading), "\(all)")
            #expect(try await listed(susi).allSatisfy { $0["application"] == nil })
            for command in ["status", "doctor"] {
                let report = try await susi.run(command, environment: ["BROWSER": "true"])
                let line = "3 accounts in no application of policies.json"
                #expect(report.standardOutput.contains(line), "\(report)")
                #expect(report.standardOutput.contains("susi accounts --all"), "\(report)")
            }
            try await susi.refusal("remove", Self.ana, "--yes").exits(5, saying: "at \(origin)")
            try await susi.run("remove", Self.ben, "--yes").exits(0, printing: "kept: 2 other accounts")
            let person = try await susi.run("remove", Self.ana, "--person", "--yes")
            #expect(person.standardOutput.components(separatedBy: "Removed").count == 3, "\(person)")
            #expect(try await listed(susi).isEmpty)
        }
    }

    @Test("sign-out --all is everything, and its question names the applications; with -A it is one application")
    func signsOutEverything() async throws {
        try await withAccounts { tenant in
            let susi = tenant.susi
            try await susi.refusal("sign-out", "--all").exits(64, saying: "of “two”")
            let one = try await susi.run("sign-out", "--all", "-A", "two", "--yes")
            #expect(one.standardOutput.components(separatedBy: "Removed").count == 2, "\(one)")
            #expect(one.standardOutput.contains("kept: 2 other accounts"), "\(one)")
            try await signIn(tenant, .ana, of: "two")
            let kept = try move(tenant)
            try await susi.run("sign-out", "--all", "--dry-run").exits(0, printing: "at \(kept)")
            let all = try await susi.run("sign-out", "--all", "--yes")
            #expect(all.standardOutput.components(separatedBy: "Removed").count == 4, "\(all)")
            #expect(all.standardOutput.contains("no other accounts"), "\(all)")
            #expect(all.standardOutput.contains("that belong to no application"), "\(all)")
            #expect(try await listed(susi).isEmpty)
            #expect(try await susi.run("store", "status", "--json").json()["accounts"]?.lenientInteger == 0)
        }
    }

    @Test("an account of another application is removed by its complete name, but not with -A or by a shortened name")
    func removesOfOtherApplication() async throws {
        try await withAccounts { tenant in
            let susi = tenant.susi
            #expect(try await susi.refusal("remove", Self.ben, "-A", "two", "--yes").status == 5)
            // The application in use comes first.
            #expect(try await susi.run("remove", Self.ana, "--yes").status == 0)
            #expect(try await susi.refusal("remove", "ana@contoso", "--yes").status == 5)
            try await susi.run("remove", Self.ana, "--dry-run").exits(0, printing: "under B2C_1_ropc of “two”")
            #expect(try await susi.run("remove", Self.ana, "--yes").status == 0)
            #expect(try await listed(susi).compactMap { $0["label"]?.string } == [Self.ben])
        }
    }

    @Test("an account of a policy that left the file is exported with --all, and removed by its policy")
    func findsAccountOfOldPolicy() async throws {
        try await withAccounts { tenant in
            let susi = tenant.susi
            try await signIn(tenant, .ana, under: "B2C_1_old")
            try susi.home.changePolicies { $0.replacing("\"B2C_1_old\": { \"kind\": \"resourceOwner\" },", with: "") }
            let export = try await susi.run("export", "--format", "msal", "--all", "--yes", "-o", "cache.json").exits(
                0, saying: "Exported 3 accounts")
            #expect(!export.standardError.contains("left out"), "\(export)")
            try await susi.refusal("remove", Self.ana, "--yes").exits(5, saying: "B2C_1_old")
            try await susi.run("remove", Self.ana, "-p", "B2C_1_old", "--yes").exits(
                0, printing: "under B2C_1_old", "kept: 3 other accounts")
            #expect(try await listed(susi).count == 3)
            #expect(try await susi.refusal("remove", Self.ana, "-p", "B2C_1_old", "--yes").status == 5)
        }
    }
}
