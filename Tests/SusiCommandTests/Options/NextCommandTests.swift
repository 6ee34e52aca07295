import Susi
import SusiTestSupport
import Testing

/// Suggestions after a command without a result.
@Suite("Very next command", .inTurn, .timeLimit(.minutes(5)))
struct NextCommandTests {
    @Test("an unknown address is suggested for a sign-in; a similar one of another person is never a next step")
    func suggestsSignInForUnknownAddress() async throws {
        try await withStored([StoredPerson("ana@contoso.example", isCurrent: true)]) { susi in
            let (chi, signIn) = ("chi@contoso.example", "susi sign-in -a chi@contoso.example")
            for (command, next) in [
                (["switch", chi], signIn), (["token", "-a", chi], signIn), (["remove", chi], "susi accounts"),
                (["sign-out", "--yes", "-a", chi], "susi accounts"),
                (["switch", "anna@contoso.example"], "susi accounts"),
                (["token", "-a", "ana@contoso.exampel"], "susi accounts"),
            ] {
                try await susi.refusal(command).exits(5, next: next)
            }
            try await susi.run("token", "-a", chi, environment: ["SUSI_POLICY": "B2C_1_susi"]).exits(
                5, saying: "next: susi sign-in -p B2C_1_susi -a chi@contoso.example\n")
        }
    }

    @Test func suggestsTheBuiltInApplication() async throws {
        let text = PoliciesFile.builtInText.replacing("\"local\"", with: "\"production\"")
            .replacing("http://localhost:8480", with: "https://login.example")
        try await withSusi(policies: text) { susi in
            let refused = try await susi.refusal("accounts", "-A", "locl")
            #expect(refused.status == 5 && refused.error.why == "did you mean “local”?", "\(refused)")
            #expect(refused.error.candidates == ["production", "local"], "\(refused)")
        }
    }

    /// A later command does not have the same open file.
    @Test(arguments: ["/dev/stdin", "/dev/fd/3", "/proc/self/fd/3"])
    func repeatsNoPolicyFileOfAnOpenDescriptor(path: String) async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(PoliciesFile.builtInText)
            let run = { (arguments: String) in
                let line = "'\(susi.path)' \(arguments) --config \(path) 3<'\(susi.home.policiesFile)' <&3"
                return try await susi.shell(line).run()
            }
            let token = try await run("token")
            #expect(
                token.status == 4
                    && token.standardError.hasSuffix("next: susi sign-in -p B2C_1_susi --config FILE\n"), "\(token)")
            let word = try await run("tokn")
            #expect(word.standardError.hasSuffix("next: susi token --config FILE\n"), "\(word)")
        }
    }

    @Test("-X names the method, as in curl")
    func acceptsMethodOption() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            for option in [["-X", "POST"], ["--request", "post"]] {
                try await tenant.susi.command(["call", "hello", "-d", "{}"] + option).run().exits(
                    0, printing: #""method":"POST""#)
            }
            let before = tenant.requests("DELETE", "/api/hello")
            _ = try await tenant.susi.run("call", "-X", "DELETE", "hello")
            #expect(tenant.requests("DELETE", "/api/hello") == before + 1)
            #expect(try await tenant.susi.refusal("call", "-X", "BREW", "hello").status == 64)
        }
    }

    @Test("an account that is still current is not reported as the previous one")
    func namesNoPreviousAccountWithoutSwitch() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try await tenant.interact(["sign-in", "--no-switch"], as: .ben).exits(
                0, printing: "ana@contoso.example", hiding: "before:", "switch -")
            try await tenant.interact(["sign-in"], as: .chi).exits(
                0, printing: "before: ana@contoso.example; susi switch -")
        }
    }

    @Test("the reason why no account is current: never chosen, removed, signed out")
    func explainsMissingCurrentAccount() async throws {
        let people = ["ana", "ben", "chi"].map { StoredPerson("\($0)@contoso.example") }
        try await withStored(people) { susi in
            let expect = { (next: String, why: String) in
                let refused = try await susi.refusal("token")
                #expect(refused.status == 4 && refused.next == next && refused.error.why.contains(why), "\(refused)")
            }
            let client = try susi.client()
            try await expect("susi switch ana@contoso.example -p B2C_1_susi", "none is chosen")
            for name in ["chi", "ben"] {
                _ = try await client.switchTo(AccountSelection(text: "\(name)@contoso.example"))
            }
            _ = try await client.remove(try await client.account(AccountSelection()))
            try await expect(
                "susi switch chi@contoso.example -p B2C_1_susi", "the one before it was chi@contoso.example")
            _ = try await client.switchTo(AccountSelection(text: "ana@contoso.example"))
            #expect(try await susi.run("sign-out", "--yes").status == 0)
            try await expect("susi switch chi@contoso.example -p B2C_1_susi", "ana@contoso.example signed out")
        }
    }
}
