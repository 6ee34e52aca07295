import Susi
import SusiTestSupport
import Testing

/// Suggestions for an account name that does not exist.
@Suite("Misspelled accounts", .inTurn, .timeLimit(.minutes(5)))
struct MisspelledAccountTests {
    private static let people = [
        StoredPerson("ana@contoso.example", "Ana Lima", isCurrent: true),
        StoredPerson("ben@contoso.example", "Ben Okoro"),
    ]

    @Test func suggestsTheCommandLineWithTheSimilarAccount() async throws {
        try await withStored(Self.people) { susi in
            for (typed, next) in [
                (["switch", "bne@contoso.example"], "susi switch ben@contoso.example"),
                (["switch", "bne", "-p", "B2C_1_susi"], "susi switch ben@contoso.example -p B2C_1_susi"),
                (["token", "hello", "-a", "bne", "-f", "header"], "susi token hello -a ben@contoso.example -f header"),
                (["token", "--account=bne"], "susi token --account=ben@contoso.example"),
                (
                    ["call", "POST", "hello", "-d", "{\"a\": 1}", "-a", "bne"],
                    "susi call POST hello -d '{\"a\": 1}' -a ben@contoso.example"
                ),
                (["exec", "-a", "bne", "echo", "-a", "bne"], "susi exec -a ben@contoso.example echo -a bne"),
                (["inspect", "-a", "bne", "--offline"], "susi inspect -a ben@contoso.example --offline"),
                (["status", "-a", "bne@contoso.example"], "susi status -a ben@contoso.example"),
                (["whoami", "-a", "bne"], "susi status -a ben@contoso.example"),
            ] {
                let outcome = try await susi.command(typed).run()
                #expect(outcome.status == 5, "\(outcome)")
                #expect(outcome.standardError.contains("\n  did you mean “ben@contoso.example”?\n"), "\(outcome)")
                #expect(outcome.standardError.hasSuffix("\n  next: \(next)\n"), "\(typed): \(outcome)")
            }
            let json = try await susi.run("token", "-a", "bne", "--json")
            let error = try JSONNode(parsing: json.standardError.utf8)["error"]
            #expect(error?["next"]?.string == "susi token -a ben@contoso.example --json", "\(json)")
        }
    }

    @Test func quotesTheSuggestedAccountForAShell() async throws {
        let names = ["o'neil; rm@contoso.example", "-x@contoso.example"]
        try await withStored(names.map { StoredPerson($0) }) { susi in
            let quoted = try await susi.run("switch", "o'neil, rm@contoso.example")
            #expect(quoted.standardError.hasSuffix("next: susi switch 'o'\\''neil; rm@contoso.example'\n"), "\(quoted)")
            // A shell would read it as an option.
            let option = try await susi.run("switch", "x@contoso.example")
            #expect(option.standardError.contains("“-x@contoso.example”"), "\(option)")
            #expect(option.standardError.hasSuffix("next: susi accounts\n"), "\(option)")
        }
    }

    @Test func neverSuggestsRemovalOfASimilarAccount() async throws {
        try await withStored(Self.people) { susi in
            for typed in [
                ["remove", "bne"], ["remove", "bne", "--person", "--yes"], ["sign-out", "-a", "bne", "--yes"],
                ["logout", "--account=bne"],
            ] {
                let outcome = try await susi.command(typed).run()
                #expect(outcome.status == 5 && outcome.standardError.hasSuffix("next: susi accounts\n"), "\(outcome)")
                #expect(outcome.standardError.contains("“ben@contoso.example”"), "\(outcome)")
            }
        }
    }

    @Test func suggestsNothingBetweenEquallySimilarAccounts() async throws {
        try await withStored(Self.people + [StoredPerson("bea@contoso.example")]) { susi in
            let outcome = try await susi.run("switch", "bet@contoso.example")
            #expect(outcome.status == 5 && !outcome.standardError.contains("did you mean"), "\(outcome)")
            #expect(outcome.standardError.contains("    bea@contoso.example\n    ben@contoso.example\n"), "\(outcome)")
        }
    }

    @Test func repeatsNoCommandLineWithASecretOrWithoutAnAccount() async throws {
        try await withStored(Self.people) { susi in
            let long = String(repeating: "x", count: 65)
            for (typed, environment) in [
                (["call", "POST", "hello", "-d", long, "-a", "bne"], [:]), (["token"], ["SUSI_ACCOUNT": "bne"]),
            ] {
                let outcome = try await susi.command(typed, environment: environment).run()
                #expect(outcome.status == 5 && outcome.standardError.contains("did you mean “ben@"), "\(outcome)")
                #expect(outcome.standardError.hasSuffix("next: susi accounts\n"), "\(outcome)")
            }
        }
    }
}
