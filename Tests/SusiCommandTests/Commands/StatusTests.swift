import Susi
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The default output of `susi status`: person, remaining time, next command.
@Suite("Status", .inTurn, .timeLimit(.minutes(5)))
struct StatusTests {
    private static let ana = StoredPerson("ana@contoso.example", "Ana Lima", isCurrent: true)

    private static func lines(
        _ susi: SusiBinary, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> [String] {
        try await susi.command(["status"] + arguments, environment: environment).run().standardOutput
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test("one account has five lines on every terminal", arguments: [60, 80, 200])
    func showsOneAccountInFiveLines(_ columns: Int) async throws {
        try await withStored([Self.ana]) { susi in
            let shown = try await susi.command(
                ["status", "--no-color"], environment: ["HOME": susi.home.folder.string]
            ).inTerminal(columns: columns).run()
            #expect(
                shown.standardOutput.replacing("\r\n", with: "\n") == """
                    Ana Lima <ana@contoso.example>
                      policy       B2C_1_susi (default)
                      session      sign-in valid 24 h; access token 60 min
                      application  local (~/susi/policies.json)
                      next         susi call hello

                    """)
        }
    }

    @Test("exits with 4 if a sign-in is needed, and prints the same")
    func exitsByTheSession() async throws {
        try await withStored([Self.ana]) { susi in
            #expect(try await susi.run("status").status == 0)
            #expect(try await susi.run("status", "--all", "--json").status == 0)
            let other = try await susi.run("status", "-p", "B2C_1_partner")
            #expect(other.status == 4 && other.standardOutput.hasPrefix("Not signed in"), "\(other)")
            // A policy that keeps no accounts needs no sign-in.
            #expect(try await susi.run("status", "-p", "B2C_1_reset").status == 0)
            let ended = try await susi.run("status", environment: ["SUSI_CLOCK": "+2d"])
            #expect(ended.status == 4 && ended.standardOutput.contains("sign-in needed"), "\(ended)")
            #expect(ended.standardError.isEmpty && other.standardError.isEmpty)
        }
    }

    @Test("a name of several accounts chooses none: the candidates are listed, as by other commands")
    func listsCandidatesOfAmbiguousName() async throws {
        let (first, second) = ("a1000000-0000-0000-0000-000000000001", "a1000000-0000-0000-0000-000000000002")
        let twins = [first, second].map {
            StoredPerson("twin@contoso.example", "Twin", isCurrent: $0 == first, subject: $0)
        }
        let (third, fourth) = ("a1000000-0000-0000-0000-000000000003", "a1000000-0000-0000-0000-000000000004")
        let others = [third, fourth].map { StoredPerson("two@contoso.example", policy: "B2C_1_partner", subject: $0) }
        try await withStored(twins + others + [StoredPerson("twin@contoso.example", policy: "B2C_1_partner")]) { susi in
            let named = "twin@contoso.example"
            let commands = [
                ["status", "-a", named], ["status", "-a", named, "--all"], ["status", "-a", named, "--json"],
                ["status", "-a", named, "-p", "B2C_1_susi"],
                ["token", "-a", named], ["inspect", "-a", named, "--offline"], ["compare", named, first],
                ["export", "--format", "msal", "-a", named, "-o", "-", "--yes"],
            ]
            for command in commands {
                let outcome = try await susi.command(command).run()
                #expect(outcome.status == 5 && outcome.standardOutput.isEmpty, "\(command): \(outcome)")
                for subject in [first, second] { #expect(outcome.standardError.contains(subject), "\(outcome)") }
            }
            let elsewhere = try await susi.run("status", "-a", "two@contoso.example")
            #expect(elsewhere.status == 5 && elsewhere.standardError.contains(fourth), "\(elsewhere)")
            let variable = try await susi.run("status", environment: ["SUSI_ACCOUNT": named])
            #expect(variable.status == 5 && variable.standardError.contains(second), "\(variable)")
            // Only the shown policy decides.
            let partner = try await susi.run("status", "-a", named, "-p", "B2C_1_partner")
            #expect(partner.status == 0, "\(partner)")
            let unknown = try await susi.run("status", "-a", "unknown@contoso.example")
            #expect(unknown.status == 5 && unknown.standardOutput.isEmpty, "\(unknown)")
            let short = try await susi.command(["status", "-a", "tw", "--no-color"]).inTerminal(columns: 160).run()
            #expect(short.status == 5 && short.standardOutput.contains(second), "\(short)")
        }
    }

    @Test("without a default policy, a sign-in is needed until one policy has an account")
    func exitsByEveryPolicyWithoutDefault() async throws {
        let edit = { (text: String) in text.replacing(", \"default\": true", with: "") }
        #expect(PoliciesFile.builtInText != edit(PoliciesFile.builtInText))
        try await withStored([], policies: edit) { susi in
            let none = try await susi.run("status")
            #expect(none.status == 4 && none.standardOutput.hasPrefix("No default policy"), "\(none)")
        }
        try await withStored(
            [StoredPerson("chi@contoso.example", policy: "B2C_1_partner", isCurrent: true)], policies: edit
        ) { susi in
            let some = try await susi.run("status")
            #expect(some.status == 0, "\(some)")
        }
    }

    @Test("several accounts: the chosen one with the reason, and a line for each other policy")
    func showsOtherPoliciesInALineEach() async throws {
        let more = [
            StoredPerson("ben@contoso.example", "Ben Okoro"),
            StoredPerson("chi@contoso.example", "Chi Nwosu", policy: "B2C_1_partner", isCurrent: true),
        ]
        try await withStored([Self.ana] + more) { susi in
            let usual = try await Self.lines(susi)
            #expect(usual[1] == "  policy       B2C_1_susi (default); current of 2 accounts")
            #expect(usual.count == 7 && usual[5].isEmpty)
            #expect(usual[6] == "  B2C_1_partner  Chi Nwosu <chi@contoso.example>  sign-in valid 24 h", "\(usual)")
            let named = try await Self.lines(susi, ["-p", "B2C_1_partner"])
            #expect(named[0].hasPrefix("Chi Nwosu") && named[1] == "  policy       B2C_1_partner (-p)")
            #expect(named.last == "  next         susi token -p B2C_1_partner" && named.count == 5, "\(named)")
            let chi = "chi@contoso.example"
            let variable = try await Self.lines(
                susi, environment: ["SUSI_POLICY": "B2C_1_partner", "SUSI_ACCOUNT": chi])
            #expect(
                variable.count > 1
                    && variable[1] == "  policy       B2C_1_partner (SUSI_POLICY); SUSI_ACCOUNT names \(chi)",
                "\(variable)")
            let ended = try await Self.lines(susi, environment: ["SUSI_CLOCK": "+2d"])
            #expect(ended[2] == "  session      sign-in needed; access token expired 47 h ago", "\(ended)")
            #expect(ended[4] == "  next         susi sign-in -a ana@contoso.example", "\(ended)")
            _ = try await susi.run("remove", "ana@contoso.example", "--yes")
            let none = try await Self.lines(susi)
            #expect(none[0] == "Not signed in" && none[1].hasSuffix("(default); none of 1 is the current account"))
            #expect(none[3] == "  next         susi switch", "\(none)")
        }
    }

    @Test("without an account the next command is shown; --all and -v show all paths")
    func suggestsSignInWithoutAccount() async throws {
        try await withSusi { susi in
            let lines = try await Self.lines(susi)
            #expect(
                lines == [
                    "Not signed in", "  policy       B2C_1_susi (default)", "  application  local (built-in)",
                    "  next         susi sign-in",
                ])
            let all = try await susi.run("status", "--all")
            #expect(all.standardOutput.contains("\(susi.home.susiHome)/key\n"))
            #expect(all.standardOutput.contains("  B2C_1_susi          default  –  no account\n"), "\(all)")
            #expect(try await susi.run("status", "-v").standardOutput == all.standardOutput)
            let json = try JSONNode(parsing: try await susi.run("status", "--json").standardOutput.utf8)
            #expect(
                json.members.map(\.name) == [
                    "application", "applicationWhy", "authority", "inNoApplication", "isShared", "key", "policies",
                    "policiesFile",
                    "policy", "policyWhy", "schemaVersion", "store",
                ])
            #expect(json["policies"]?.array?.count == 4)
        }
    }

    @Test("default marks the default policy, the asterisk the current account")
    func marksDefaultPolicyAndCurrentAccount() async throws {
        try await withStored([Self.ana]) { susi in
            for command in [["status"], ["status", "--all"], ["policies", "list"]] {
                let output = try await susi.command(command).run().standardOutput
                #expect(!output.contains("*") && output.contains("default"), "\(output)")
            }
            #expect(try await susi.run("accounts").standardOutput.hasPrefix("* "))
        }
    }
}
