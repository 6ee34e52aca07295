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
                (["whoami", "-a", "bne"], "susi status -a ben@contoso.example"),
            ] {
                let refused = try await susi.refusal(typed)
                #expect(refused.status == 5 && refused.next == next, "\(typed): \(refused)")
                #expect(refused.error.why == "did you mean “ben@contoso.example”?", "\(refused)")
            }
            let json = try await susi.run("token", "-a", "bne", "--json")
            let error = try JSONNode(parsing: json.standardError.utf8)["error"]
            #expect(error?["next"]?.string == "susi token -a ben@contoso.example --json", "\(json)")
        }
    }

    @Test func quotesTheSuggestedAccountForAShell() async throws {
        let names = ["o'neil; rm@contoso.example", "-x@contoso.example"]
        try await withStored(names.map { StoredPerson($0) }) { susi in
            let quoted = try await susi.refusal("switch", "o'neil, rm@contoso.example")
            #expect(quoted.next == "susi switch 'o'\\''neil; rm@contoso.example'", "\(quoted)")
            // A shell would read it as an option.
            let option = try await susi.refusal("switch", "x@contoso.example")
            #expect(option.text.contains("“-x@contoso.example”") && option.next == "susi accounts", "\(option)")
        }
    }

    @Test("neither a removal nor a command line with a secret or without an account is repeated")
    func suggestsTheListInsteadOfTheCommand() async throws {
        try await withStored(Self.people) { susi in
            let long = String(repeating: "x", count: 65)
            for (typed, environment) in [
                (["remove", "bne"], [:]), (["remove", "bne", "--person", "--yes"], [:]),
                (["sign-out", "-a", "bne", "--yes"], [:]), (["logout", "--account=bne"], [:]),
                (["call", "POST", "hello", "-d", long, "-a", "bne"], [:]), (["token"], ["SUSI_ACCOUNT": "bne"]),
            ] {
                let refused = try await susi.refusal(typed, environment: environment)
                #expect(refused.status == 5 && refused.next == "susi accounts", "\(refused)")
                #expect(refused.error.why == "did you mean “ben@contoso.example”?", "\(refused)")
            }
        }
    }

    @Test func suggestsNothingBetweenEquallySimilarAccounts() async throws {
        try await withStored(Self.people + [StoredPerson("bea@contoso.example")]) { susi in
            let refused = try await susi.refusal("switch", "bet@contoso.example")
            #expect(refused.status == 5 && refused.error.why.isEmpty, "\(refused)")
            #expect(refused.error.candidates.prefix(2) == ["bea@contoso.example", "ben@contoso.example"], "\(refused)")
        }
    }
}
