import Susi
import SusiTestSupport
import Testing

/// The name that is shown for a person, from claims of a provider.
@Suite("Labels", .inTurn, .timeLimit(.minutes(5)))
struct LabelTests {
    @Test("an address with control characters is no label; the next name is one")
    func labelHasNoControlCharacters() async throws {
        try await Stage.withProgram(at: .b2c) { stage, _, susi async throws in
            stage.change { $0.claims["emails"] = #"["ada\u001b[31m@example.com"]"# }
            let account = try await stage.signIn().account
            #expect(account.label == "Ada")
            let shown = try await susi.run("accounts", "--json")
            let json = try JSONNode(parsing: shown.standardOutput.utf8)
            #expect(json["accounts"]?.array?.first?["label"]?.string == "Ada", "\(shown)")
        }
    }
}
