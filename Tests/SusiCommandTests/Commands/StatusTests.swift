import Susi
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The default output of `susi status`: person, remaining time, next command.
@Suite("Status", .inTurn, .timeLimit(.minutes(5)))
struct StatusTests {
    private static let ana = StoredPerson("ana@contoso.example", "Ana Lima", isCurrent: true)

    @Test("exits with 4 if a sign-in is needed, and prints the same")
    func exitsByTheSession() async throws {
        try await withStored([Self.ana]) { susi in
            #expect(try await susi.run("status").status == 0)
            #expect(try await susi.run("status", "--all", "--json").status == 0)
            let other = try await susi.run("status", "-p", "B2C_1_partner")
            let missing = "No current account under B2C_1_partner; 1 stored"
            #expect(other.status == 4 && other.standardOutput.hasPrefix(missing), "\(other)")
            // A policy that keeps no accounts needs no sign-in.
            #expect(try await susi.run("status", "-p", "B2C_1_reset").status == 0)
            let ended = try await susi.run("status", environment: ["SUSI_CLOCK": "+2d"]).exits(
                4, printing: "sign-in needed")
            #expect(ended.standardError.isEmpty && other.standardError.isEmpty)
        }
    }

    @Test("a damaged account of another policy is shown as that; a shared store names its holder")
    func showsDamageAndHolder() async throws {
        let partner = StoredPerson("ana@contoso.example", "Ana Lima", policy: "B2C_1_partner", isCurrent: true)
        try await withStored([Self.ana, partner]) { susi in
            do {
                let raw = try Connection(path: susi.home.file("store.sqlite").string, mode: .readWrite)
                try raw.execute("UPDATE accounts SET claims = zeroblob(60) WHERE policy_key = 'b2c_1_partner'")
            }
            try await susi.run("status").exits(0, printing: "damaged: sign in again")
            try await susi.run("status", "-p", "B2C_1_partner").exits(4, printing: "damaged: sign in again")
            try await susi.run("store", "share").exits(0)
            try await susi.run("status").exits(0, printing: "belongs to Ana Lima <ana@contoso.example>")
            #expect(try await susi.run("status", "--json").json()["holder"]?.string == "Ana Lima <ana@contoso.example>")
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
                ["call", "hello", "--dry-run", "-a", named], ["sign-out", "--dry-run", "-a", named],
                ["remove", named, "-p", "B2C_1_susi", "--dry-run"],
                ["sign-in", "-a", named, "--browser", "/bin/false"],
                ["export", "--format", "msal", "-a", named, "-o", "-", "--yes"],
            ]
            for command in commands {
                let refused = try await susi.refusal(command).exits(5, code: "ambiguousAccount")
                for subject in [first, second] { #expect(refused.text.contains(subject), "\(refused)") }
            }
            try await susi.refusal("status", "-a", "two@contoso.example").exits(5, saying: fourth)
            try await susi.refusal("status", environment: ["SUSI_ACCOUNT": named]).exits(5, saying: second)
            // Only the shown policy decides.
            try await susi.run("status", "-a", named, "-p", "B2C_1_partner").exits(0)
            #expect(try await susi.refusal("status", "-a", "unknown@contoso.example").status == 5)
            try await susi.command(["status", "-a", "tw", "--no-color"]).inTerminal(columns: 160).run().exits(
                5, printing: second)
        }
    }

    @Test("without a default policy, a sign-in is needed until one sign-in policy has an account")
    func exitsByEveryPolicyWithoutDefault() async throws {
        let edit = { (text: String) in text.replacing(", \"default\": true", with: "") }
        // A reset policy keeps no accounts: it needs no sign-in, and none under it counts.
        let kinds = try PoliciesFile(text: edit(PoliciesFile.builtInText).utf8, source: "x").applications[0].policies
            .map(\.kind)
        try #require(kinds.count { $0 == .signUpOrSignIn } == 2 && kinds.contains(.passwordReset))
        try await withStored([], policies: edit) { susi in
            for more in [[], ["--all"], ["--json"]] {
                try await susi.command(["status"] + more).run().exits(4)
            }
        }
        try await withStored(
            [StoredPerson("chi@contoso.example", policy: "B2C_1_partner", isCurrent: true)], policies: edit
        ) { susi in
            try await susi.run("status").exits(0)
        }
    }

    @Test("the next command follows from the selected policy and its account")
    func suggestsNextCommand() async throws {
        let people = [
            Self.ana, StoredPerson("ben@contoso.example", "Ben Okoro"),
            StoredPerson("chi@contoso.example", "Chi Nwosu", policy: "B2C_1_partner", isCurrent: true),
        ]
        try await withStored(people) { susi in
            let next = { (arguments: [String], environment: [String: String]) in
                let lines = try await susi.command(["status"] + arguments, environment: environment).run()
                    .standardOutput.split(separator: "\n")
                return lines.first { $0.hasPrefix("  next  ") }.map { $0.dropFirst("  next         ".count) }
            }
            #expect(try await next([], [:]) == "susi call hello")
            #expect(try await next(["-p", "B2C_1_partner"], [:]) == "susi token -p B2C_1_partner")
            #expect(try await next([], ["SUSI_CLOCK": "+2d"]) == "susi sign-in -a ana@contoso.example")
            _ = try await susi.client().remove(try await susi.client().account(AccountSelection()))
            // The list of `switch` needs a terminal.
            #expect(try await next([], [:]) == "susi accounts")
            try await susi.runInTerminal("status").exits(4, printing: "susi switch")
            for account in try await susi.client().accounts() { _ = try await susi.client().remove(account) }
            #expect(try await next([], [:]) == "susi sign-in")
            let (all, verbose) = (try await susi.run("status", "--all"), try await susi.run("status", "-v"))
            #expect(
                all.standardOutput.contains("\(susi.home.susiHome)/key\n")
                    && all.standardOutput == verbose.standardOutput)
        }
    }
}
