import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// Everything that is stored can be listed and removed: of other applications, of policies and servers that left the file.
@Suite("Everything stored", .inTurn, .timeLimit(.minutes(5)))
struct EverythingStoredTests {
    private static let ana = "ana@contoso.example"
    private static let ben = "ben@contoso.example"

    private static let old = #""B2C_1_old": { "kind": "resourceOwner" },"#

    /// Runs `body` with Ana and Ben in the application “one”, and Ana in “two”.
    private func withAccounts(_ body: (LocalTenant) async throws -> Void) async throws {
        try await withLocalTenant(policies: { _ in SharedStoreTests.policies(Self.old) }) { tenant in
            for person in [LocalTenant.Person.ana, .ben] { try await tenant.signIn(person, byPassword: "B2C_1_ropc") }
            try await tenant.signIn(.ana, byPassword: "B2C_1_ropc", of: "two")
            try await body(tenant)
        }
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
            try await susi.run("accounts", "--all").exits(
                0, printing: "2 accounts of “one”", "1 account of “two”")
            let names = try await listed(susi).map {
                "\($0["application"]?.string ?? "-") \($0["label"]?.string ?? "-")"
            }
            #expect(Set(names) == ["one \(Self.ana)", "one \(Self.ben)", "two \(Self.ana)"] && names.count == 3)
            try await susi.run("accounts", "--all", "-A", "two").exits(0, hiding: Self.ben, "of “")
        }
    }

    @Test("after the authority's host has changed, the accounts are listed, reported and removed")
    func findsAccountsOfOldHost() async throws {
        try await withAccounts { tenant in
            let susi = tenant.susi
            let origin = try move(tenant)
            try await susi.run("accounts").exits(0, output: "", saying: "next: susi accounts --all")
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
            try await tenant.signIn(.ana, byPassword: "B2C_1_ropc", of: "two")
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
            try await tenant.signIn(.ana, byPassword: "B2C_1_old")
            try susi.home.changePolicies { $0.replacing(Self.old, with: "") }
            try await susi.run("export", "--format", "msal", "--all", "--yes", "-o", "cache.json").exits(
                0, saying: "Exported 3 accounts", hiding: "left out")
            try await susi.refusal("remove", Self.ana, "--yes").exits(5, saying: "B2C_1_old")
            try await susi.run("remove", Self.ana, "-p", "B2C_1_old", "--yes").exits(
                0, printing: "under B2C_1_old", "kept: 3 other accounts")
            #expect(try await listed(susi).count == 3)
            #expect(try await susi.refusal("remove", Self.ana, "-p", "B2C_1_old", "--yes").status == 5)
        }
    }
}
