import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Sign-ins by user name and password (RFC 6749 section 4.3).
@Suite("Password sign-in", .inTurn, .timeLimit(.minutes(5)))
struct PasswordSignInTests {
    private static let name = "ana@contoso.example"
    private static let password = LocalTenant.Person.ana.user.password

    private static func withPolicy(_ body: (LocalTenant) async throws -> Void) async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }, body)
    }

    @Test("the password is read from standard input; the account works like any other, and no browser opens")
    func readsPasswordFromStandardInput() async throws {
        try await Self.withPolicy { tenant in
            let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
            let environment = ["BROWSER": browser.command, "DISPLAY": ":99"]
            let outcome = try await tenant.susi.run(
                "sign-in", "--username", Self.name, "--password-stdin", "-v", environment: environment,
                input: "\(Self.password)\nsecond line\n")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.standardOutput.contains("Ana Lima <ana@contoso.example> under B2C_1_ropc"))
            #expect(!"\(outcome)".contains(Self.password) && !"\(outcome)".contains("eyJ"))
            // Requests for configuration, tokens and keys only.
            #expect(tenant.requestLines.count == 3, "\(tenant.requestLines)")
            let client = try tenant.client()
            let selection = AccountSelection(policy: PolicyName("B2C_1_ropc"))
            let credentials = PasswordCredentials(username: Self.name, password: Self.password)
            _ = try await client.signIn(SignInRequest(api: "hello"), credentials: credentials)
            let before = tenant.requestLines.count
            let token = try await client.token(api: "hello", of: selection)
            #expect(tenant.requestLines.count == before)
            tenant.emulator.clock.advance(by: 60)
            let options = TokenRequestOptions(forcesRefresh: true)
            #expect(try await client.token(api: "hello", of: selection, options: options).secret != token.secret)
            await expectRefusal(.signInNeeded) { try await client.token(api: nil, of: AccountSelection()) }
            #expect(browser.openedURLs.isEmpty)
        }
    }

    @Test("the mark and the line break of a file from Windows are not part of the password")
    func readsPasswordOfWindowsFile() async throws {
        try await Self.withPolicy { tenant in
            for end in ["", "\r\n"] {
                let outcome = try await tenant.susi.run(
                    "sign-in", "--username", Self.name, "--password-stdin", input: "\u{feff}\(Self.password)\(end)")
                #expect(outcome.status == 0, "\(outcome)")
            }
        }
    }

    @Test("commands that do not name the password policy propose it, and the proposed command works")
    func proposesPolicyOfAccount() async throws {
        try await Self.withPolicy { tenant in
            let susi = tenant.susi
            let signedIn = try await susi.run(
                "sign-in", "--username", Self.name, "--password-stdin", input: Self.password)
            #expect(signedIn.status == 0, "\(signedIn)")
            let commands: [(words: [String], proposed: [String])] = [
                (["token", "hello"], ["token", "hello", "-p", "B2C_1_ropc"]),
                (["call", "GET", "hello", "/echo?x=1"], ["call", "GET", "hello", "/echo?x=1", "-p", "B2C_1_ropc"]),
                (["exec", "--", "/usr/bin/env"], ["exec", "-p", "B2C_1_ropc", "--", "/usr/bin/env"]),
            ]
            for (words, proposed) in commands {
                let refused = try await susi.command(words).run()
                let next = "  next: susi \(proposed.map(\.shellWord).joined(separator: " ")), or susi sign-in"
                #expect(
                    refused.status == 4 && refused.standardError.contains("there is one under B2C_1_ropc"), "\(refused)"
                )
                #expect(refused.standardError.contains(next), "\(refused)")
                let done = try await susi.command(proposed).run()
                #expect(done.status == 0, "\(done)")
            }
            let status = try await susi.run("status")
            #expect(status.status == 4, "\(status)")
            #expect(
                status.standardOutput.contains("  next         susi call hello -p B2C_1_ropc, or susi sign-in\n"),
                "\(status)")
            let named = try await susi.run("token", "-p", "B2C_1_susi")
            #expect(named.status == 4 && named.standardError.contains("for example -p B2C_1_ropc"), "\(named)")
            // There, -p names another policy.
            let edit = try await susi.run("edit-profile", "--browser", "/bin/false")
            #expect(
                edit.status == 4 && edit.standardError.contains("  next: susi accounts, or susi sign-in"), "\(edit)")
        }
    }

    @Test("a refused password of a known person leads to the typed user name again")
    func keepsTypedUserName() async throws {
        try await Self.withPolicy { tenant in
            let signIn = ["sign-in", "--password-stdin", "--username"]
            let first = tenant.susi.command(signIn + [Self.name], input: .text(Self.password))
            #expect(try await first.run().status == 0)
            let typed = Self.name.uppercased()
            let wrong = tenant.susi.command(signIn + [typed, "-a", Self.name], input: .text("Wrong-1-password"))
            let outcome = try await wrong.run()
            #expect(outcome.status == 4 && outcome.standardError.contains("--username \(typed)"), "\(outcome)")
        }
    }

    @Test("a wrong password or unknown name exits with 4 and a next step; nothing is stored or printed of it")
    func reportsWrongPassword() async throws {
        try await Self.withPolicy { tenant in
            for (name, password) in [(Self.name, "Wrong-1-password"), ("unknown", Self.password)] {
                let outcome = try await tenant.susi.run(
                    "sign-in", "--username", name, "--password-stdin", "-v", input: password)
                #expect(outcome.status == 4, "\(outcome)")
                #expect(outcome.standardError.contains("AADB2C90225"))
                #expect(outcome.standardError.contains("next: susi sign-in -p B2C_1_ropc --username \(name)"))
                #expect(!"\(outcome)".contains(password) && outcome.standardOutput.isEmpty)
            }
            #expect(try await tenant.susi.run("accounts").standardOutput.isEmpty)
            let other = try await tenant.susi.run(
                "sign-in", "-a", "ben@contoso.example", "--username", Self.name, "--password-stdin",
                input: Self.password)
            #expect(other.status == 7 && other.standardError.contains("not as ben@"), "\(other)")
            #expect(try await tenant.susi.run("accounts").standardOutput.isEmpty)
            let empty = try await tenant.susi.run(
                "sign-in", "--username", Self.name, "--password-stdin", input: "\n")
            #expect(empty.status == 64)
            let none = try await tenant.susi.run("sign-in", "--username", Self.name, "--password-stdin")
            #expect(none.status == 64)
            let unasked = try await tenant.susi.run("sign-in", "--username", Self.name)
            let next = "next: susi sign-in --password-stdin --username \(Self.name) < FILE\n"
            #expect(unasked.status == 64 && unasked.standardError.hasSuffix(next), "\(unasked)")
        }
    }

    @Test("without a sign-in page, missing consent needs the administrator")
    func explainsMissingConsentOfAdministrator() async throws {
        let tenant = "http://localhost:8480/tailspin.onmicrosoft.com"
        let edit = { (text: String) in
            KindSignInTests.policies("entra", tenant, tenant)(text).replacing(
                "\"knownAuthorities\"",
                with:
                    #""policies": { "p": { "kind": "resourceOwner" }, "s": { "kind": "signUpOrSignIn" } }, "knownAuthorities""#
            )
        }
        let scope = "https://contoso.onmicrosoft.com/hello/demo.read"
        try await withLocalTenant(policies: edit, configure: { $0.userConsent = [scope] }) { tenant in
            let refused = try await tenant.susi.run(
                "sign-in", "--api", "hello", "--username", Self.name, "--password-stdin", input: Self.password)
            #expect(refused.status == 4 && refused.standardError.contains("AADSTS65001"), "\(refused)")
            #expect(!refused.standardError.contains("--prompt"))
            #expect(
                refused.standardError.contains(
                    "next: ask the tenant's administrator to consent, then susi sign-in -p p --username"))
        }
    }

    @Test("on a terminal the password is asked for and not shown; Ctrl-C ends the question")
    func asksForPasswordWithoutEcho() async throws {
        try await Self.withPolicy { tenant in
            let command = try tenant.susi.command(["sign-in", "--username", Self.name, "--no-color"]).inTerminal()
            try await command.start { run in
                try await run.waitForText("Password for \(Self.name): ")
                try await run.type("\(Self.password)\n")
                let outcome = try await run.waitUntilExit()
                #expect(outcome.status == 0, "\(outcome)")
                #expect(outcome.standardOutput.contains("Signed in as Ana Lima"))
                #expect(!outcome.standardOutput.contains(Self.password))
            }
            // The terminal shows typed text again.
            let script = """
                trap : INT; \(tenant.susi.path.string.shellWord) sign-in --username x
                echo status $?; stty -a | grep -o ' echo '
                """
            let shell = try SusiTestSupport.Program(
                "/bin/sh", ["-c", script], environment: tenant.susi.home.environment,
                workingFolder: tenant.susi.home.workingFolder
            ).inTerminal()
            try await shell.start { run in
                try await run.waitForText("Password for x: ")
                try await run.type("\u{3}")
                let outcome = try await run.waitUntilExit()
                #expect(
                    outcome.standardOutput.contains("status 130") && outcome.standardOutput.contains(" echo "),
                    "\(outcome)")
            }
            let silent = try tenant.susi.command(["sign-in", "--username", "x", "--no-input"]).inTerminal()
            #expect(try await silent.run().status == 64)
        }
    }

    @Test("no password is asked for if no policy accepts one")
    func asksForNoPasswordWithoutSuitablePolicy() async throws {
        try await withLocalTenant { tenant in
            for more in [[], ["-p", "B2C_1_susi"]] {
                let command = try tenant.susi.command(["sign-in", "--username", "x", "--no-color"] + more).inTerminal()
                let outcome = try await command.run()
                #expect(outcome.status == 5 && !outcome.standardOutput.contains("Password of"), "\(outcome)")
                #expect(
                    !outcome.standardOutput.contains("--username"), "a policy with a sign-in page suggests --username")
            }
            #expect(tenant.requestLines.isEmpty)
        }
    }
}
