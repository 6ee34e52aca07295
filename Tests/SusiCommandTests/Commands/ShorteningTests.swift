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

    @Test(
        "switch accepts the beginning of an address, a name or an identifier",
        arguments: [
            ("BEN@c", "ben@contoso.example"), ("Zoe An", "anabel@contoso.example"),
            ("0f62656e", "ben@contoso.example"), ("b", "ben@contoso.example"), ("ana@", "ana@contoso.example"),
        ])
    func switchAcceptsBeginning(_ typed: String, _ meant: String) async throws {
        try await withStored(Self.people) { susi in
            let outcome = try await susi.command(["switch", typed, "--no-color"]).inTerminal(columns: 160).run()
            #expect(outcome.status == 0 && outcome.standardOutput.contains("<\(meant)>"), "\(outcome)")
            #expect(outcome.standardOutput.hasPrefix("“\(typed)” is short for "), "\(outcome)")
            let current = try await susi.client().account(AccountSelection())
            #expect(current.label == meant)
        }
    }

    @Test("an ambiguous beginning lists its matches and exits with 5; a complete name has priority")
    func listsMatchesOfAmbiguousBeginning() async throws {
        let named = Self.people + [StoredPerson("dan@contoso.example", "Be")]
        try await withStored(named) { susi in
            let several = try await susi.runInTerminal("switch", "ana", "--no-color")
            let text = several.standardOutput
            #expect(several.status == 5 && text.contains("“ana” matches 2 accounts under B2C_1_susi"), "\(text)")
            #expect(text.contains("    Ana Lima <ana@contoso.example>  B2C_1_susi\r\n"))
            #expect(text.contains("    Zoe Anders <anabel@contoso.example>  B2C_1_susi\r\n"))
            let whole = try await susi.runInTerminal("switch", "be")
            #expect(whole.status == 0 && whole.standardOutput.contains("dan@contoso.example"))
            // An identifier needs four characters, so that a few letters match names.
            #expect(try await susi.runInTerminal("switch", "0f6").status == 5)
        }
    }

    @Test("a sign-in completes a name to an account of the same authority only")
    func completesWithinAuthority() async throws {
        for (authority, completes) in [("http://localhost:8481/contoso.onmicrosoft.com", false), (nil, true)] {
            let edit = { (text: String) in
                let partner = "\"B2C_1_partner\": {"
                return authority.map { text.replacing(partner, with: "\(partner) \"authority\": \"\($0)\",") } ?? text
            }
            #expect(authority == nil || PoliciesFile.builtInText != edit(PoliciesFile.builtInText))
            try await withStored(
                [StoredPerson("chi@contoso.example", "Chi Nwosu", policy: "B2C_1_partner", isCurrent: true)],
                policies: edit
            ) { susi in
                let outcome = try await susi.runInTerminal("sign-in", "chi", "--browser", "/bin/false", "--no-color")
                let note = "“chi” is short for Chi Nwosu <chi@contoso.example>"
                #expect(outcome.standardOutput.contains(note) == completes, "\(outcome)")
                #expect(outcome.status == (completes ? 3 : 5), "\(outcome)")
            }
        }
    }

    @Test("a user name that begins another one means itself, without a note")
    func prefersWholeUserName() async throws {
        try await withStored([StoredPerson("dan"), StoredPerson("dan-2", isCurrent: true)]) { susi in
            for arguments in [["token", "-a", "dan"], ["switch", "dan"], ["remove", "dan", "--dry-run"]] {
                let outcome = try await susi.command(arguments).inTerminal(columns: 160).run()
                #expect(outcome.status == 0 && !outcome.standardOutput.contains("short for"), "\(outcome)")
                #expect(!outcome.standardOutput.contains("dan-2 "), "\(outcome)")
            }
        }
    }

    @Test("-a and -p accept beginnings, each with its note")
    func optionsAcceptBeginning() async throws {
        try await withStored(Self.people) { susi in
            for (arguments, meant) in [
                (["status", "-p", "susi", "-a", "be"], "ben@contoso.example"),
                (["accounts", "-p", "part", "--json"], "chi@contoso.example"),
                (["sign-out", "-p", "part", "-a", "chi", "--dry-run"], "chi@contoso.example"),
                (["call", "hello", "-p", "P", "-a", "chi", "--dry-run"], "chi@contoso.example"),
                (["token", "hello", "-p", "part", "-a", "chi"], "token of chi@contoso.example"),
            ] {
                let outcome = try await susi.command(arguments).inTerminal(columns: 160).run()
                #expect(outcome.status == 0 && outcome.standardOutput.contains(meant), "\(arguments): \(outcome)")
                let notes = outcome.standardOutput.components(separatedBy: "” is short for ").count - 1
                #expect(notes == (arguments.contains("-a") ? 2 : 1), "\(arguments): \(outcome)")
            }
        }
    }

    @Test("the fast path of token and the full program refuse the same shortened policies")
    func fastPathAcceptsBeginning() async throws {
        let edit = { (text: String) in
            text.replacing("\"B2C_1_reset\"", with: "\"B2C_1_part2\"")
        }
        try await withStored(Self.people, policies: edit) { susi in
            _ = try await susi.run("token")
            for name in ["B2C_1_partner", "partn", "part"] {
                let fast = try await susi.run("token", "-p", name)
                let full = try await susi.run("token", "--policy=\(name)")
                #expect(fast.status == full.status && fast.standardOutput == full.standardOutput, "\(name)")
                #expect(fast.standardError == full.standardError, "\(name)")
                let variable = try await susi.run("token", environment: ["SUSI_POLICY": name])
                #expect(variable.standardOutput == full.standardOutput, "\(name)")
            }
            let one = try await susi.runInTerminal("token", "-p", "partn")
            #expect(one.standardOutput.hasSuffix("\r\ntoken of ana@contoso.example\r\n"), "\(one)")
            let both = try await susi.runInTerminal("token", "-p", "part", "--no-color")
            #expect(both.status == 5 && both.standardOutput.contains("“part” matches 2 policies"), "\(both)")
            #expect(both.standardOutput.contains("    B2C_1_partner\r\n    B2C_1_part2\r\n"))
        }
    }

    @Test("remove names the account in full before it asks, and needs the policy if there are several accounts")
    func removeNamesAccountInFull() async throws {
        try await withStored(Self.people) { susi in
            for arguments in [["remove", "zoe"], ["sign-out", "-a", "zoe"]] {
                let outcome = try await susi.command(arguments + ["--no-input", "--no-color"])
                    .inTerminal(columns: 160).run()
                let full = "not removed: Zoe Anders <anabel@contoso.example> under B2C_1_susi"
                #expect(outcome.status == 64 && outcome.standardOutput.contains(full), "\(outcome)")
                try await susi.command(arguments + ["--no-color"]).inTerminal().start { run in
                    try await run.waitForText("Zoe Anders <anabel@contoso.example> under B2C_1_susi? [y/N] ")
                    try await run.type("n\n")
                    #expect(try await run.waitUntilExit().status == 2)
                }
            }
            let both = try await susi.refusal("remove", "ana@contoso.example", "--yes")
            let accounts = ["ana@contoso.example  B2C_1_partner", "ana@contoso.example  B2C_1_susi"]
            #expect(both.status == 5 && both.error.candidates == accounts, "\(both)")
            #expect(both.next.contains("-p B2C_1_partner, or --person for all of them"), "\(both)")
            let one = try await susi.run("remove", "ana@contoso.example", "-p", "B2C_1_partner", "--yes")
            #expect(
                one.status == 0 && one.standardOutput.contains("Ana Lima <ana@contoso.example> under B2C_1_partner"))
            // The account that `edit-profile` left behind is listed, but never first.
            let edited = try await susi.refusal("remove", "ben@contoso.example", "--yes")
            let places = ["ben@contoso.example  B2C_1_susi", "ben@contoso.example  B2C_1_edit_profile"]
            #expect(edited.status == 5 && edited.error.candidates == places, "\(edited)")
            #expect(edited.next.contains("susi remove ben@contoso.example -p B2C_1_susi, or --person"), "\(edited)")
            #expect(try await susi.run("remove", "ben@contoso.example", "--person", "--yes").status == 0)
            #expect(try await susi.refusal("remove", "ben@contoso.example", "--yes").status == 5)
        }
    }

    @Test("switch --person makes a person's accounts current under every sign-in policy")
    func switchesEveryPolicyOfPerson() async throws {
        try await withStored(Self.people + [StoredPerson("chi@contoso.example", "Chi Nwosu")]) { susi in
            let outcome = try await susi.command(["switch", "chi", "--person", "--no-color"])
                .inTerminal(columns: 160).run()
            #expect(outcome.standardOutput.contains("under B2C_1_partner (before: ana@contoso.example)\r\n"))
            #expect(outcome.standardOutput.contains("under B2C_1_susi (before: ana@contoso.example)\r\n"))
            #expect(try await susi.run("token").standardOutput == "token of chi@contoso.example\n")
            #expect(try await susi.runInTerminal("switch", "ana", "--person").status == 5)
            #expect(try await susi.refusal("switch", "-", "--person").status == 64)
            #expect(try await susi.refusal("switch", "ana", "--person", "-p", "susi").status == 64)
        }
    }

    @Test("sign-in -a accepts the beginning of a known name on a terminal, and a complete new address")
    func signInAcceptsBeginningOrNewAddress() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let other = try await tenant.interact(["sign-in", "-a", "ana", "--no-color"], as: .ben, inTerminal: true)
            let text = other.standardOutput
            #expect(other.status == 7 && text.contains("Ana Lima <ana@contoso.example>"), "\(text)")
            #expect(text.contains("ben@contoso.example"), "\(text)")
            // She is known under another policy.
            let partner = try await tenant.interact(
                ["sign-in", "-a", "an", "-p", "partner"], as: .ana, inTerminal: true)
            #expect(partner.status == 0, "\(partner)")
            for name in ["ana", "Ana Lima", "Chi Nwosu"] {
                #expect(try await tenant.susi.refusal("sign-in", name, "--browser", "/bin/false").status == 5)
            }
            // Not short for Ana's address, although it has the same beginning.
            let unknown = try await tenant.interact(["sign-in", "-a", "ana@contoso.exam"], as: .ana)
            #expect(unknown.status == 7 && unknown.standardError.contains("ana@contoso.exam\n"), "\(unknown)")
            let edited = try await tenant.interact(
                ["edit-profile", "-a", "ana", "-p", "edit"], as: .ana, typing: ["displayName": "Ana Maria"],
                inTerminal: true)
            #expect(edited.status == 0, "\(edited)")
        }
    }
}
