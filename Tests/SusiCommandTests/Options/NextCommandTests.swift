import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Suggestions after a command without a result.
@Suite("Very next command", .inTurn, .timeLimit(.minutes(5)))
struct NextCommandTests {
    @Test("an unknown address is suggested for a sign-in; a misspelled one is not")
    func suggestsSignInForUnknownAddress() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            for command in [["switch", "chi@contoso.example"], ["token", "-a", "chi@contoso.example"]] {
                let outcome = try await susi.command(command).run()
                #expect(outcome.status == 5 && !outcome.standardError.contains("did you mean"), "\(outcome)")
                #expect(
                    outcome.standardError.contains("next: susi sign-in -a chi@contoso.example\n"),
                    "\(outcome)")
            }
            for near in ["anna@contoso.example", "ana@contoso.exampel"] {
                let outcome = try await susi.run("switch", near)
                #expect(outcome.standardError.contains("did you mean “ana@contoso.example”?"), "\(outcome)")
                #expect(outcome.standardError.hasSuffix("next: susi switch ana@contoso.example\n"), "\(outcome)")
            }
            for command in [["remove"], ["sign-out", "--yes", "-a"]] {
                let outcome = try await susi.command(command + ["chi@contoso.example"]).run()
                #expect(outcome.status == 5 && !outcome.standardError.contains("sign-in"), "\(outcome)")
            }
        }
    }

    @Test func suggestsTheBuiltInApplication() async throws {
        try await withSusi { susi in
            let text = PoliciesFile.builtInText.replacing("\"local\"", with: "\"production\"")
                .replacing("http://localhost:8480", with: "https://login.example")
            try susi.home.writePolicies(text)
            let outcome = try await susi.run("accounts", "-A", "locl")
            #expect(outcome.status == 5 && outcome.standardError.contains("did you mean “local”?"), "\(outcome)")
            #expect(outcome.standardError.contains("    production\n    local\n"), "\(outcome)")
        }
    }

    @Test(
        "a misspelled command is suggested corrected, with its arguments",
        arguments: [
            (["toke"], "susi token"), (["toke", "hello", "-p", "a b"], "susi token hello -p 'a b'"),
            (["policies", "lst"], "susi policies list"), (["help", "tokn"], "susi help token"),
            (["inspec", String(repeating: "x", count: 65)], "susi inspect"), (["nothing-like-it"], "susi help"),
        ] as [([String], String)])
    func correctsMisspelledCommand(_ arguments: [String], _ next: String) async throws {
        try await withSusi { susi in
            let outcome = try await susi.command(arguments).run()
            #expect(outcome.status == 64 && outcome.standardError.hasSuffix("next: \(next)\n"), "\(outcome)")
        }
    }

    /// A later command does not have the same open file.
    @Test(arguments: ["/dev/stdin", "/dev/fd/3", "/proc/self/fd/3"])
    func repeatsNoPolicyFileOfAnOpenDescriptor(path: String) async throws {
        try await withSusi { susi in
            try susi.home.writePolicies(PoliciesFile.builtInText)
            let run = { (arguments: String) in
                let line = "'\(susi.path)' \(arguments) --config \(path) 3<'\(susi.home.policiesFile)' <&3"
                var command = susi.command(["-c", line])
                command.path = "/bin/sh"
                return try await command.run()
            }
            let token = try await run("token")
            #expect(
                token.status == 4
                    && token.standardError.hasSuffix("next: susi sign-in -p B2C_1_susi --config FILE\n"), "\(token)")
            let option = try await run("token --plicy B2C_1_susi")
            #expect(
                option.standardError.hasSuffix("next: susi token --policy B2C_1_susi --config FILE\n"), "\(option)")
        }
    }

    @Test("call without an API lists the APIs of the application")
    func listsAPIs() async throws {
        try await withSusi { susi in
            let outcome = try await susi.run("call")
            #expect(outcome.status == 64, "\(outcome)")
            #expect(outcome.standardError.contains("hello  http://localhost:8480/api/hello"), "\(outcome)")
            #expect(outcome.standardError.hasSuffix("next: susi call hello\n"), "\(outcome)")
            let json = try JSONNode(parsing: try await susi.run("call", "--json").standardError.utf8)["error"]
            #expect(json?["candidates"]?.array?.count == 1 && json?["code"]?.string == "usage")
        }
    }

    @Test("-X names the method, as in curl")
    func acceptsMethodOption() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            for option in [["-X", "POST"], ["--request", "post"]] {
                let outcome = try await tenant.susi.command(["call", "hello", "-d", "{}"] + option).run()
                #expect(outcome.status == 0 && outcome.standardOutput.contains(#""method":"POST""#), "\(outcome)")
            }
            let before = tenant.requests("DELETE", "/api/hello")
            _ = try await tenant.susi.run("call", "-X", "DELETE", "hello")
            #expect(tenant.requests("DELETE", "/api/hello") == before + 1)
            let unknown = try await tenant.susi.run("call", "-X", "BREW", "hello")
            #expect(unknown.status == 64 && unknown.standardError.contains("POST"), "\(unknown)")
        }
    }

    @Test("an account that is still current is not reported as the previous one")
    func namesNoPreviousAccountWithoutSwitch() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let ben = try await tenant.interact(["sign-in", "--no-switch"], as: .ben)
            #expect(ben.status == 0 && !ben.standardOutput.contains("before:"), "\(ben)")
            #expect(!ben.standardOutput.contains("switch -"), "\(ben)")
            #expect(ben.standardOutput.contains("ana@contoso.example"), "\(ben)")
            let chi = try await tenant.interact(["sign-in"], as: .chi)
            #expect(chi.standardOutput.contains("before: ana@contoso.example; susi switch -"), "\(chi)")
        }
    }

    @Test("the reason why no account is current: signed out, removed, never chosen")
    func explainsMissingCurrentAccount() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            _ = try await tenant.interact(["sign-in", "--no-switch"], as: .chi)
            let unchosen = try await susi.run("call", "hello")
            #expect(
                unchosen.status == 4 && unchosen.standardError.contains("accounts are stored, but none is chosen"),
                "\(unchosen)")
            #expect(!unchosen.standardError.contains("removed"), "\(unchosen)")
            for person in [LocalTenant.Person.ana, .chi, .ben] {
                try await tenant.signIn(person)
            }
            _ = try await susi.run("remove", "ben@contoso.example", "--yes")
            let removed = try await susi.run("token")
            #expect(
                removed.standardError.contains("was removed; the one before it was chi@contoso.example"), "\(removed)")
            #expect(removed.standardError.contains("next: susi switch chi@contoso.example"), "\(removed)")
            _ = try await susi.run("switch", "ana@contoso.example")
            _ = try await susi.run("sign-out", "--yes")
            let signedOut = try await susi.run("token")
            #expect(signedOut.standardError.contains("ana@contoso.example signed out"), "\(signedOut)")
            #expect(!signedOut.standardError.contains("removed"), "\(signedOut)")
        }
    }
}
