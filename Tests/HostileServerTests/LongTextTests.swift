import Susi
import SusiTestSupport
import Testing

/// Long and strange texts of a provider, in results of the built program.
@Suite("Long texts", .inTurn, .timeLimit(.minutes(5)))
struct LongTextTests {
    @Test("a long claim is shown shortened, and makes no other line longer")
    func shortensLongClaim() async throws {
        try await Stage.withProgram(at: .openid) { stage, _, susi async throws in
            let long = String(repeating: "abcdefghi ", count: 40_000)
            stage.change {
                $0.claims["long"] = "\"\(long)\""
                $0.claims["list"] = "[\"\(long.prefix(40_000))\",1]"
                $0.claims["wide"] = "\"\(String(repeating: "w", count: 500))\""
            }
            _ = try await stage.signIn()
            for arguments in [["status", "--claims"], ["inspect", "--offline"]] {
                let shown = try await susi.command(arguments).run()
                let lines = shown.standardOutput.split(separator: "\n")
                #expect(shown.status == 0, "\(shown.standardOutput.prefix(2_000))")
                for name in ["  long ", "  list "] {
                    let line = try #require(lines.first { $0.hasPrefix(name) }, "\(arguments) has no \(name)")
                    #expect(
                        line.contains("abcdefghi") && line.contains("shortened") && line.contains("--json"), "\(line)")
                    #expect(line.contains(" bytes"), "the size is missing: \(line)")
                    #expect(line.utf8.count < 1_000)
                }
                #expect(lines.first { $0.hasPrefix("  wide ") }?.contains(String(repeating: "w", count: 500)) == true)
                let issuer = try #require(lines.first { $0.hasPrefix("  iss ") })
                #expect(issuer.utf8.count < 300, "\(issuer.utf8.count) bytes")
                #expect(shown.standardOutput.utf8.count < 10_000)
            }
            let json = try await susi.run("status", "--claims", "--json")
            #expect(json.standardOutput.contains(long))
        }
    }

    @Test("an address with control characters is no label; the next name is one")
    func labelHasNoControlCharacters() async throws {
        try await Stage.with(.b2c) { stage, _ in
            stage.change { $0.claims["emails"] = #"["ada\u001b[31m@example.com"]"# }
            let account = try await stage.signIn().account
            #expect(account.label == "Ada")
            #expect(try await stage.client.accounts().map(\.label) == ["Ada"])
        }
    }

    @Test("init says that nothing was stored only if it wrote no file")
    func initReportsProblemOfWrittenFile() async throws {
        try await Stage.withProgram(at: .openid) { stage, _, susi async throws in
            stage.change { $0.discovery["issuer"] = "\"https://other.example\"" }
            let made = try await susi.run(
                "init", stage.server.origin, "--kind", "openid", "--client-id", Provider.client, "-o", "new.json")
            #expect(made.standardOutput.contains("Wrote ") && made.standardOutput.contains("the issuer"), "\(made)")
            #expect(!made.description.contains("nothing was stored"), "\(made)")
            let checked = try await susi.run("policies", "check").exits(7, printing: "the issuer")
            #expect(!checked.description.contains("nothing was stored"), "\(checked)")
        }
    }

    @Test("a password of 4 KiB is sent as it is, without its line end", arguments: ["\r\n", "", "\nnext line"])
    func sendsLongestPassword(end: String) async throws {
        try await Stage.withProgram(at: .b2c) { stage, _, susi async throws in
            try susi.home.writePolicies(EchoTests.addingPasswordPolicy(to: Provider.b2c.policies(stage.server.origin)))
            let password = String(repeating: "é", count: 2_047)
            let outcome = try await susi.run(
                "sign-in", "-p", "B2C_1_ropc", "--username", "ada@example.com", "--password-stdin",
                input: password + end)
            #expect(stage.asked("password", at: "token") == password, "\(outcome)")
        }
    }
}
