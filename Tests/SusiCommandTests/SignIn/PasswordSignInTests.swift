import Susi
import SusiEmulator
import SusiTestSupport
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
            try await tenant.susi.run(
                "sign-in", "--username", Self.name, "--password-stdin", "-v", environment: environment,
                input: "\(Self.password)\nsecond line\n"
            ).exits(0, printing: "Ana Lima <ana@contoso.example> under B2C_1_ropc", hiding: Self.password, "eyJ")
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

    @Test("a refused password of a known person leads to the typed user name again")
    func keepsTypedUserName() async throws {
        try await Self.withPolicy { tenant in
            let signIn = ["sign-in", "--password-stdin", "--username"]
            let first = tenant.susi.command(signIn + [Self.name], input: .text(Self.password))
            #expect(try await first.run().status == 0)
            let typed = Self.name.uppercased()
            let wrong = tenant.susi.command(signIn + [typed, "-a", Self.name], input: .text("Wrong-1-password"))
            try await wrong.run().exits(4, saying: "--username \(typed)")
        }
    }

    @Test("a wrong password or unknown name exits with 4 and a next step; nothing is stored or printed of it")
    func reportsWrongPassword() async throws {
        try await Self.withPolicy { tenant in
            for (name, password) in [(Self.name, "Wrong-1-password"), ("unknown", Self.password)] {
                try await tenant.susi.run(
                    "sign-in", "--username", name, "--password-stdin", "-v", input: password
                ).exits(
                    4, output: "", saying: "AADB2C90225", "next: susi sign-in -p B2C_1_ropc --username \(name)",
                    hiding: password)
            }
            #expect(try await tenant.susi.run("accounts").standardOutput.isEmpty)
            try await tenant.susi.run(
                "sign-in", "-a", "ben@contoso.example", "--username", Self.name, "--password-stdin",
                input: Self.password
            ).exits(7, saying: "not as ben@")
            #expect(try await tenant.susi.run("accounts").standardOutput.isEmpty)
            try await tenant.susi.run("sign-in", "--username", Self.name, "--password-stdin", input: "\n").exits(64)
            try await tenant.susi.run("sign-in", "--username", Self.name, "--password-stdin").exits(64)
            let unasked = try await tenant.susi.run("sign-in", "--username", Self.name)
            let next = "next: susi sign-in --username \(Self.name) --password-stdin < FILE\n"
            #expect(unasked.status == 64 && unasked.standardError.hasSuffix(next), "\(unasked)")
            let silent = tenant.susi.command(["sign-in", "--username", Self.name, "--no-input"])
            #expect(try await silent.inTerminal().run().status == 64)
        }
    }

    @Test("without a sign-in page, missing consent needs the administrator")
    func explainsMissingConsentOfAdministrator() async throws {
        let policies = #""policies": { "p": { "kind": "resourceOwner" }, "s": { "kind": "signUpOrSignIn" } },"#
        let edit = onlyApplication("entra", "tailspin.onmicrosoft.com", more: policies + helloAPI)
        let scope = "https://contoso.onmicrosoft.com/hello/demo.read"
        try await withLocalTenant(policies: edit, configure: { $0.userConsent = [scope] }) { tenant in
            try await tenant.susi.run(
                "sign-in", "--api", "hello", "--username", Self.name, "--password-stdin", input: Self.password
            ).exits(
                4, saying: "AADSTS65001",
                "next: ask the tenant's administrator to consent, then susi sign-in -p p --username", hiding: "--prompt"
            )
        }
    }

    @Test("no password is asked for if no policy accepts one")
    func asksForNoPasswordWithoutSuitablePolicy() async throws {
        try await withLocalTenant { tenant in
            for more in [[], ["-p", "B2C_1_susi"]] {
                let command = try tenant.susi.command(["sign-in", "--username", "x", "--no-color"] + more).inTerminal()
                // A policy with a sign-in page suggests no --username.
                try await command.run().exits(5, hiding: "Password of", "--username")
            }
            #expect(tenant.requestLines.isEmpty)
        }
    }
}
