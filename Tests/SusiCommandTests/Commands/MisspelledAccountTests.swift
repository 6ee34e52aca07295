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

    @Test("the similar account is named as the command takes it; a removal never names it")
    func suggestsTheSimilarAccount() async throws {
        try await withStored(Self.people) { susi in
            for (typed, next) in [
                (["switch", "bne@contoso.example"], "susi switch ben@contoso.example"),
                (["switch", "bne", "-p", "B2C_1_susi"], "susi switch ben@contoso.example -p B2C_1_susi"),
                (["token", "hello", "-a", "bne"], "name the account with -a ben@contoso.example"),
                (["exec", "--account=bne", "echo", "-a", "bne"], "name the account with -a ben@contoso.example"),
                (["remove", "bne", "--person", "--yes"], "susi accounts"),
                (["logout", "-a", "bne", "--yes"], "susi accounts"),
            ] {
                let refused = try await susi.refusal(typed)
                #expect(refused.status == 5 && refused.next == next, "\(typed): \(refused)")
                #expect(refused.error.why == "did you mean “ben@contoso.example”?", "\(refused)")
            }
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

    @Test func suggestsNothingBetweenEquallySimilarAccounts() async throws {
        try await withStored(Self.people + [StoredPerson("bea@contoso.example")]) { susi in
            let refused = try await susi.refusal("switch", "bet@contoso.example")
            #expect(refused.status == 5 && refused.error.why.isEmpty, "\(refused)")
            #expect(refused.error.candidates.prefix(2) == ["bea@contoso.example", "ben@contoso.example"], "\(refused)")
        }
    }
}
