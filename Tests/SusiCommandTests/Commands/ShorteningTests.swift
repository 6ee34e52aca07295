import FoundationEssentials
import Susi
import SusiTestSupport
import Testing

/// Accounts and policies named by the beginning of their names on a terminal, in every command. Elsewhere: ``ExactNameTests``.
@Suite("Shortened names", .inTurn, .timeLimit(.minutes(5)))
struct ShorteningTests {
    private static let people = [
        StoredPerson("ana@contoso.example", "Ana Lima", isCurrent: true),
        StoredPerson("ana@contoso.example", "Ana Lima", policy: "B2C_1_partner", isCurrent: true),
        StoredPerson("anabel@contoso.example", "Zoe Anders"),
        StoredPerson("ben@contoso.example", "Ben Okoro"),
        StoredPerson("ben@contoso.example", "Ben Okoro", policy: "B2C_1_edit_profile", isCurrent: true),
        StoredPerson("chi@contoso.example", "Chi Nwosu", policy: "B2C_1_partner"),
    ]

    @Test("an ambiguous beginning lists its matches and exits with 5; a complete name has priority")
    func listsMatchesOfAmbiguousBeginning() async throws {
        let named = Self.people + [StoredPerson("dan@contoso.example", "Be")]
        try await withStored(named) { susi in
            let several = try await susi.runInTerminal("switch", "ana", "--no-color")
            let text = several.standardOutput
            #expect(several.status == 5 && text.contains("“ana” matches 2 accounts under B2C_1_susi"), "\(text)")
            #expect(text.contains("    Ana Lima <ana@contoso.example>  B2C_1_susi\r\n"))
            #expect(text.contains("    Zoe Anders <anabel@contoso.example>  B2C_1_susi\r\n"))
            try await susi.runInTerminal("switch", "be").exits(0, printing: "dan@contoso.example")
            // An identifier needs four characters, so that a few letters match names.
            #expect(try await susi.runInTerminal("switch", "0f6").status == 5)
        }
    }

    @Test("remove and sign-out name the account in full before they ask")
    func removeNamesAccountInFull() async throws {
        try await withStored(Self.people) { susi in
            for arguments in [["remove", "zoe"], ["sign-out", "-a", "zoe"]] {
                let outcome = try await susi.command(arguments + ["--no-input", "--no-color"])
                    .inTerminal(columns: 160).run()
                let full = "not removed: Zoe Anders <anabel@contoso.example> under B2C_1_susi"
                #expect(outcome.status == 64 && outcome.standardOutput.contains(full), "\(outcome)")
                try await susi.command(arguments + ["--no-color"]).inTerminal().start { run in
                    try await run.type("n\n", at: "Zoe Anders <anabel@contoso.example> under B2C_1_susi? [y/N] ")
                    #expect(try await run.waitUntilExit().status == 2)
                }
            }
        }
    }

    @Test("switch --person makes a person's accounts current under every sign-in policy")
    func switchesEveryPolicyOfPerson() async throws {
        try await withStored(Self.people + [StoredPerson("chi@contoso.example", "Chi Nwosu")]) { susi in
            try await susi.command(["switch", "chi", "--person", "--no-color"])
                .inTerminal(columns: 160).run().exits(
                    0, printing: "under B2C_1_partner (before: ana@contoso.example)\r\n",
                    "under B2C_1_susi (before: ana@contoso.example)\r\n")
            #expect(try await susi.run("token").standardOutput == "token of chi@contoso.example\n")
            #expect(try await susi.runInTerminal("switch", "ana", "--person").status == 5)
            #expect(try await susi.refusal("switch", "-", "--person").status == 64)
            #expect(try await susi.refusal("switch", "ana", "--person", "-p", "susi").status == 64)
        }
    }

    @Test("sign-in -a accepts the beginning of a known name on a terminal, and a complete new address")
    func signInAcceptsBeginningOrNewAddress() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let other = try await tenant.interact(["sign-in", "-a", "ana", "--no-color"], as: .ben, inTerminal: true)
            let text = other.standardOutput
            #expect(other.status == 7 && text.contains("Ana Lima <ana@contoso.example>"), "\(text)")
            #expect(text.contains("ben@contoso.example"), "\(text)")
            // She is known under another policy.
            try await tenant.interact(["sign-in", "-a", "an", "-p", "partner"], as: .ana, inTerminal: true).exits(0)
            for name in ["ana", "Ana Lima", "Chi Nwosu"] {
                #expect(try await tenant.susi.refusal("sign-in", name, "--browser", "/bin/false").status == 5)
            }
            // Not short for Ana's address, although it has the same beginning.
            try await tenant.interact(["sign-in", "-a", "ana@contoso.exam"], as: .ana).exits(
                7, saying: "ana@contoso.exam\n")
            try await tenant.interact(
                ["edit-profile", "-a", "ana", "-p", "edit"], as: .ana, typing: ["displayName": "Ana Maria"],
                inTerminal: true
            ).exits(0)
        }
    }
}
