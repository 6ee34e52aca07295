import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Who is meant by a name: a person is a tenant and a subject, and a name never stands for two people.
@Suite("Identity", .inTurn, .timeLimit(.minutes(5)))
struct IdentityTests {
    private static let anaID = LocalTenant.Person.ana.user.objectID

    private static func policies(_ kind: String, _ path: String) -> @Sendable (String) -> String {
        { _ in
            """
            { "applications": { "only": { "kind": "\(kind)", "authority": "http://localhost:8480/\(path)",
                "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0],
                "knownAuthorities": ["http://localhost:8480"] } } }
            """
        }
    }

    /// Gives Ben a user name in place of an address.
    private static func namingBen(_ name: String) -> (inout TenantConfiguration) -> Void {
        { tenant in
            tenant.users[1].email = nil
            tenant.users[1].userName = name
            for policy in tenant.policies {
                tenant.settings[policy.name, default: PolicySettings()].identifier = .either
            }
        }
    }

    private static func labels(_ susi: SusiBinary) async throws -> [String] {
        let list = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
        return list["accounts"]?.array?.compactMap { $0["label"]?.string } ?? []
    }

    @Test("a person of another tenant with the same object ID and address is another person")
    func comparesTenants() async throws {
        let policies = Self.policies("entra", "common")
        try await withHome { home in
            let port = try await withLocalTenant(in: home, policies: policies) { tenant async throws -> UInt16 in
                try await tenant.signIn(.ana)
                #expect(try await tenant.interact(["sign-in", "-a", "ana@contoso.example"], as: .ana).status == 0)
                return tenant.emulator.port
            }
            try FileManager.default.removeItem(atPath: home.folder.appending("emulator").string)
            let moved = { (tenant: inout TenantConfiguration) in
                tenant.users[0].homeTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
            }
            try await withLocalTenant(in: home, port: port, policies: policies, configure: moved) { tenant in
                let other = try await tenant.interact(["sign-in", "-a", "ana@contoso.example"], as: .ana)
                #expect(other.status == 7 && other.standardError.contains("signed in as ana@"), "\(other)")
                #expect(try await Self.labels(tenant.susi) == ["ana@contoso.example"])
                try await tenant.signIn(.ana)
                #expect(try await Self.labels(tenant.susi).count == 2)
            }
        }
    }

    @Test(
        "a user name with the text of another person's identifier does not make that person",
        arguments: [("openid", "login"), ("entra", "tailspin.onmicrosoft.com")])
    func ignoresUserNameOfIdentifier(kind: String, path: String) async throws {
        try await withLocalTenant(policies: Self.policies(kind, path), configure: Self.namingBen(Self.anaID)) {
            tenant in
            let susi = tenant.susi
            let other = try await tenant.interact(
                ["sign-in", "-a", Self.anaID], as: .ben, typing: ["signInName": Self.anaID])
            #expect(other.status == 7, "\(other)")
            #expect(try await Self.labels(susi).isEmpty)
            #expect(try await tenant.interact(["sign-in", "-a", Self.anaID], as: .ana).status == 0)
            // Ben is expected by his own identifier.
            let own = try await tenant.interact(
                ["sign-in", "-a", LocalTenant.Person.ben.user.objectID], as: .ben, typing: ["signInName": Self.anaID])
            #expect(own.status == 0, "\(own)")
        }
    }

    @Test(
        "a name that two people have is ambiguous for a sign-in, which lists their identifiers",
        arguments: [false, true])
    func refusesNameOfTwoPeople(inTerminal: Bool) async throws {
        let subjects = ["0a0a0a0a-0000-4000-8000-000000000001", "0b0b0b0b-0000-4000-8000-000000000002"]
        let people = [
            StoredPerson("shared@contoso.example", "Ana Lima", subject: subjects[0]),
            StoredPerson("shared@contoso.example", "Ben Okoro", policy: "B2C_1_partner", subject: subjects[1]),
            StoredPerson("zed@contoso.example", "Zed Zola", isCurrent: true),
        ]
        try await withStored(people) { susi in
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            for policy in ["B2C_1_susi", "B2C_1_partner", "B2C_1_edit_profile"] {
                let command = susi.command(
                    ["sign-in", "-p", policy, "-a", "SHARED@contoso.example", "--browser", browser.command])
                let outcome = try await (inTerminal ? command.inTerminal(columns: 160) : command).run()
                let output = outcome.standardOutput + outcome.standardError
                #expect(outcome.status == 5, "\(outcome)")
                #expect(output.contains("“SHARED@contoso.example”"), "\(outcome)")
                for subject in subjects { #expect(output.contains("  \(subject)"), "\(outcome)") }
            }
            #expect(browser.openedURLs.isEmpty)
            // Each of them can be named by the identifier; there is no server here.
            let named = try await susi.run("sign-in", "-a", subjects[1], "--browser", browser.command)
            #expect(named.status == 3, "\(named)")
        }
    }

    @Test("a name that two people have under one policy chooses neither, in any command", arguments: [false, true])
    func choosesNeitherOfTwoPeople(inTerminal: Bool) async throws {
        let subjects = ["0a0a0a0a-0000-4000-8000-000000000001", "0b0b0b0b-0000-4000-8000-000000000002"]
        let people = subjects.map { StoredPerson("shared@contoso.example", subject: $0) }
        try await withStored(people + [StoredPerson("zed@contoso.example", "Zed Zola", isCurrent: true)]) { susi in
            let named = ["-a", "shared@contoso.example"]
            for arguments in [
                ["token"] + named, ["call", "hello", "--dry-run"] + named, ["inspect"] + named,
                ["sign-out", "--dry-run"] + named, ["switch", named[1]], ["remove", named[1], "--dry-run"],
            ] {
                let command = susi.command(arguments)
                let outcome = try await (inTerminal ? command.inTerminal(columns: 160) : command).run()
                let output = outcome.standardOutput + outcome.standardError
                #expect(outcome.status == 5, "\(arguments): \(outcome)")
                for subject in subjects { #expect(output.contains(subject), "\(arguments): \(outcome)") }
            }
        }
    }

    @Test("an identifier goes before another person's user name with the same text, in every command")
    func prefersIdentifiers() async throws {
        let configure = { (tenant: inout TenantConfiguration) in
            Self.namingBen("ana")(&tenant)
            tenant.users[0].objectID = "ana"
        }
        try await withLocalTenant(policies: Self.policies("openid", "login"), configure: configure) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let typed = ["signInName": "ana"]
            #expect(try await tenant.interact(["sign-in"], as: .ben, typing: typed).status == 0)
            let named = try await susi.run("remove", "ana", "--dry-run")
            #expect(named.status == 0 && named.standardOutput.contains("Ana Lima <ana@contoso.example>"), "\(named)")
            // The suggested command names Ben by his identifier, because his user name means Ana.
            let benID = LocalTenant.Person.ben.user.objectID
            let asked = try await susi.run("remove", benID.uppercased())
            #expect(asked.status == 64 && asked.standardError.contains("susi remove \(benID) --yes"), "\(asked)")
            let other = try await tenant.interact(["sign-in", "-a", "ana"], as: .ben, typing: typed)
            #expect(other.status == 7, "\(other)")
            #expect(try await tenant.interact(["sign-in", "-a", "ana", "--no-switch"], as: .ana).status == 0)
            #expect(try await susi.run("remove", "ana", "--yes").standardOutput.contains("ana@contoso.example"))
            #expect(try await Self.labels(susi) == ["ana"])
            // Without that identifier, the text means the user name.
            #expect(try await susi.run("remove", "ana", "--yes").status == 0)
            #expect(try await Self.labels(susi).isEmpty)
        }
    }
}
