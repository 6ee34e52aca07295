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
            // Each candidate is a command that removes this account alone, and the same again removes nothing.
            let ambiguous = try await susi.refusal("remove", Self.ana, "--yes")
            ambiguous.exits(5, saying: "at \(origin)", "--client-id", "--authority \(origin)/")
            let commands = Set(
                ambiguous.text.split(separator: "\n").compactMap { line -> [String]? in
                    guard let start = line.firstRange(of: ": susi remove ")?.upperBound else { return nil }
                    return ["remove"] + line[start...].split(separator: " ").map { String($0) }
                })
            #expect(commands.count == 2, "\(ambiguous)")
            for command in commands {
                let arguments = command + ["--yes"]
                try await susi.command(arguments).run().exits(0, printing: "Removed Ana Lima")
                try await susi.command(arguments).run().exits(5, output: "")
            }
            #expect(try await listed(susi).compactMap { $0["label"]?.string } == [Self.ben])
            let id = try #require(try await listed(susi).first?["clientId"]?.string)
            let elsewhere = [
                "remove", Self.ben, "--client-id", id, "--authority", "\(origin)/fabrikam.onmicrosoft.com",
            ]
            try await susi.command(elsewhere + ["--yes"]).run().exits(5, output: "")
            try await susi.run("remove", Self.ben, "--client-id", id, "--yes").exits(0, printing: "no other accounts")
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

    @Test("an account of another application is removed with -A; a removal that is typed again removes nothing")
    func removesOfOtherApplication() async throws {
        try await withAccounts { tenant in
            let susi = tenant.susi
            #expect(try await susi.refusal("remove", Self.ben, "-A", "two", "--yes").status == 5)
            // The application in use comes first.
            #expect(try await susi.run("remove", Self.ana, "--yes").status == 0)
            #expect(try await susi.refusal("remove", "ana@contoso", "--yes").status == 5)
            for again in ["--yes", "--dry-run"] {
                try await susi.refusal("remove", Self.ana, again).exits(
                    5, saying: "next: susi remove \(Self.ana) -p B2C_1_ropc -A two\n")
            }
            try await susi.run("remove", Self.ana, "-A", "two", "--yes").exits(0, printing: "under B2C_1_ropc")
            #expect(try await listed(susi).compactMap { $0["label"]?.string } == [Self.ben])
        }
    }

    @Test("an account of a policy that left the file is listed as that, not exported, and removed by its policy")
    func findsAccountOfOldPolicy() async throws {
        try await withAccounts { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana, byPassword: "B2C_1_old")
            try susi.home.changePolicies { $0.replacing(Self.old, with: "") }
            try await susi.run("accounts", "--all").exits(0, printing: "under a policy that is not in policies.json")
            try await susi.run("status", "--json").exits(4, printing: "\"inNoApplication\": 1")
            try await susi.run("export", "--format", "msal", "--all", "--yes", "-o", "cache.json").exits(
                0, saying: "Exported 2 accounts", hiding: "left out")
            try await susi.run("remove", Self.ana, "-p", "B2C_1_old", "--yes").exits(
                0, printing: "under B2C_1_old", "kept: 3 other accounts")
            #expect(try await listed(susi).count == 3)
            #expect(try await susi.refusal("remove", Self.ana, "-p", "B2C_1_old", "--yes").status == 5)
        }
    }
}
