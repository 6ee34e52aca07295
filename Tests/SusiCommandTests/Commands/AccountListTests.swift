import Susi
import SusiTestSupport
import Testing

/// The list of `susi accounts`, and the suggestions for a name without an account.
@Suite("Account list", .inTurn, .timeLimit(.minutes(5)))
struct AccountListTests {
    private static func lines(_ susi: SusiBinary, _ arguments: String...) async throws -> [String] {
        try await susi.command(["accounts"] + arguments).run().standardOutput.split(separator: "\n").map(String.init)
    }

    @Test("current accounts are first and marked; that of the default policy is the very first")
    func listsCurrentAccountsFirst() async throws {
        let people =
            StoredPerson.users(40)
            + [
                StoredPerson("zoe@contoso.example", "Zoe", policy: "B2C_1_partner", isCurrent: true),
                StoredPerson("bea@contoso.example", "Bea", policy: "B2C_1_partner"),
            ]
        try await withStored(people) { susi in
            let lines = try await Self.lines(susi)
            try #require(lines.count == 42)
            #expect(
                lines[0].hasPrefix("* User 07 <user07@contoso.example>  B2C_1_susi     sign-in valid 24 h"),
                "\(lines[0])")
            #expect(lines[1].hasPrefix("* Zoe <zoe@contoso.example>         B2C_1_partner  sign-in valid "))
            #expect(lines[2].hasPrefix("  Bea <bea@contoso.example> ") && lines[3].hasPrefix("  User 01 "))
            #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("  ") })
            #expect(lines.filter { $0.contains("user07@") }.count == 1)
            let limited = try await susi.run("accounts", "--limit", "3")
            #expect(limited.standardOutput.split(separator: "\n").map(String.init) == Array(lines.prefix(3)))
            #expect(!limited.standardError.isEmpty, "the rest is not mentioned")
            #expect(try await susi.run("accounts", "--limit", "42").standardError.isEmpty)
            let json = try await susi.run("accounts", "--limit", "1", "--json").json()
            #expect(json["accounts"]?.array?.count == 1 && json["hasMore"]?.bool == true)
        }
    }

    @Test(
        "what is stored under a policy that keeps no account is listed as that and removed by name; nothing uses it")
    func listsAccountsOfPoliciesThatKeepNone() async throws {
        let edit = "B2C_1_edit_profile"
        let people = [
            StoredPerson("ana@contoso.example", "Ana", isCurrent: true),
            StoredPerson("ana@contoso.example", "Ana", policy: edit, isCurrent: true),
        ]
        try await withStored(people) { susi in
            #expect(try await Self.lines(susi).count == 1)
            let all = try await Self.lines(susi, "--all")
            try #require(all.count == 4)
            #expect(all[2] == "1 account at http://localhost:8480, under a policy that keeps no account")
            #expect(all[3].hasPrefix("  Ana <ana@contoso.example>") && all[3].contains(" at http://localhost:8480/"))
            let listed = try await susi.run("accounts", "--all", "--json").json()["accounts"]?.array ?? []
            #expect(listed.map { $0["unusable"]?.string } == [nil, "keepsNoAccount"])
            #expect(listed.map { $0["isCurrent"]?.bool } == [true, false])
            try await susi.run("status").exits(0, printing: "also stored", hiding: edit)
            // Every verb says what the policy is for; only `status` is no error.
            let says = "\(edit) edits the profile and keeps no account"
            let verbs = [
                ["token"], ["call", "hello"], ["switch", "ana@contoso.example"], ["accounts"], ["sign-in"],
                ["sign-out"],
                ["export", "--format", "msal", "--yes"], ["exec", "true"],
            ]
            for verb in verbs {
                let command = susi.command([verb[0], "-p", edit] + verb.dropFirst())
                try await command.run().exits(5, saying: says, "next: susi edit-profile\n")
            }
            try await susi.run("status", "-p", edit).exits(0, printing: says, "Ana <ana@contoso.example>")
            try await susi.run("export", "--format", "msal", "--all", "--yes").exits(0, saying: "Exported 1 account")
            try susi.home.work("phrase").write("six words of one phrase\n", mode: 0o600)
            try await susi.run("export", "--format", "susi", "-o", "x", "--passphrase-file", "phrase").exits(
                0, saying: "Exported 1 account", "under \(edit)", "keeps no account")
            // No suggestion names it, and only its own policy removes it without a question.
            try await susi.run("remove", "ana@contoso.example", "--yes").exits(0, printing: "under B2C_1_susi")
            try await susi.refusal("remove", "anna").exits(5, hiding: "ana@")
            try await susi.refusal("remove", "ana@contoso.example", "--yes").exits(5, saying: "--client-id")
            try await susi.run("accounts").exits(0, saying: "next: susi accounts --all\n")
            try await susi.run("remove", "ana@contoso.example", "-p", edit, "--yes").exits(0, printing: "under \(edit)")
            try await susi.run("accounts", "--all").exits(0, output: "")
            try await susi.run("status", "-p", edit).exits(0, printing: says)
        }
    }

    @Test("an account at another authority than that of its policy is exported by none of the other formats")
    func exportsNoAccountOfAnotherAuthority() async throws {
        let people = ["B2C_1_susi", "B2C_1_partner"].map { StoredPerson("ana@contoso.example", "Ana", policy: $0) }
        try await withStored(people) { susi in
            let other = "http://localhost:8481/contoso.onmicrosoft.com"
            try susi.home.changePolicies {
                $0.replacing(
                    "\"B2C_1_susi\": { \"kind\": \"signUpOrSignIn\"",
                    with: "\"B2C_1_susi\": { \"authority\": \"\(other)\", \"kind\": \"signUpOrSignIn\"")
            }
            try await susi.run("export", "--format", "msal", "--all", "--yes").exits(
                0, saying: "Exported 1 account", printing: "-b2c_1_partner", hiding: "-b2c_1_susi")
        }
    }

    @Test("in a shared store of somebody whom no policy can sign in, no sign-in is proposed")
    func proposesNoSignInToOthers() async throws {
        try await withStored([StoredPerson("ana@contoso.example", "Ana", isCurrent: true)]) { susi in
            try await susi.run("store", "share").exits(0)
            try susi.home.changePolicies { $0.replacing("contoso.onmicrosoft.com", with: "fabrikam.onmicrosoft.com") }
            try await susi.run("token").exits(4, saying: "next: susi accounts --all\n", hiding: "susi sign-in")
        }
    }

    @Test("persons of the same name are listed with identity providers and identifiers")
    func distinguishesPersonsOfOneNameByIdentifier() async throws {
        var people = [
            StoredPerson("dee@contoso.example", "Dee", subject: "11111111-0000-0000-0000-000000000001"),
            StoredPerson("dee@contoso.example", "Dee", subject: "22222222-0000-0000-0000-000000000002"),
        ]
        people[1].identityProvider = "google.com"
        try await withStored(people) { susi in
            let lines = try await Self.lines(susi)
            try #require(lines.count == 2)
            #expect(
                lines[0].contains("Dee <dee@contoso.example> [11111111-") && lines[1].contains("[google.com, 22222222-")
            )
            try await susi.refusal("switch", "dee@contoso.example").exits(
                5, saying: "B2C_1_susi  google.com, 22222222-0000")
            try await susi.run("switch", people[0].subject ?? "").exits(0)
            try await susi.run("switch", people[1].subject ?? "").exits(
                0, printing: "Dee <dee@contoso.example> [google.com, 22222222-",
                "(before: dee@contoso.example [11111111-")
        }
    }

    @Test func needsNoDefaultPolicy() async throws {
        let policies = """
            { "applications": { "tests": { "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com",
              "clientId": "c", "policies": { "B2C_1_ropc": { "kind": "resourceOwner" } } } } }
            """
        try await withSusi(policies: policies) { susi in
            try await susi.run("accounts").exits(0, saying: "next: susi sign-in -p B2C_1_ropc --username")
        }
    }
}
