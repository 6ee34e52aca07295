import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// `sign-out` and `remove`: the removed accounts, the kept ones, and the report.
@Suite("Sign-out", .inTurn, .timeLimit(.minutes(5)))
struct SignOutTests {
    @Test("the current account is removed, the others are kept, and status names it and the previous one")
    func removesCurrentAccountOnly() async throws {
        try await withLocalTenant { tenant in
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person) }
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            let susi = tenant.susi
            try await susi.refusal("sign-out").exits(64, saying: "next: susi sign-out --yes\n")
            let preview = try await susi.run("sign-out", "--dry-run").exits(
                0, printing: "Ana Lima <ana@contoso.example> under B2C_1_susi")
            #expect(try await labels(tenant).count == 3)

            let before = tenant.requestLines.count
            let signedOut = try await susi.run("sign-out", "--yes").exits(0)
            #expect(signedOut.standardOutput.replacing("Removed", with: "Would remove") == preview.standardOutput)
            #expect(tenant.requestLines.count == before, "B2C cannot revoke tokens, but was contacted")
            #expect(
                try await labels(tenant) == ["B2C_1_partner ana@contoso.example*", "B2C_1_susi ben@contoso.example"])
            try await susi.run("status").exits(
                4, printing: "signed out: ana@contoso.example; before: ben@contoso.example")
            #expect(try await susi.refusal("token").status == 4)
            _ = try await tenant.client().switchBack(policy: nil)
            #expect(!(try await susi.run("status").standardOutput.contains("signed out")))
        }
    }

    @Test("a sign-in that changes no current account ends a sign-out, and its report names the account for a token")
    func isNotSignedOutAfterSignIn() async throws {
        try await withLocalTenant { tenant, susi in
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person) }
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            try await susi.run("sign-out", "--yes").exits(0)
            let signedIn = try await tenant.interact(["sign-in", "--no-switch"], as: .ana)
            signedIn.exits(0, printing: "use it: susi token -a ana@contoso.example\n")
            let status = try await susi.run("status").exits(4, printing: "none of 2 is the current account")
            #expect(!status.standardOutput.contains("signed out"))
            try await susi.run("token", "-a", "ana@contoso.example").exits(0)
        }
    }

    @Test("all accounts of a person, all accounts, and no account")
    func removesPersonOrEverything() async throws {
        try await withLocalTenant { tenant, susi in
            let unknown = try await susi.refusal("sign-out", "--yes")
            unknown.exits(5, next: "")
            #expect(!susi.home.file("store.sqlite").exists)
            try await tenant.signIn(.ben)
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            #expect(try await susi.run("sign-out", "--yes").status == 0)
            // The person is signed in under another policy than the default one.
            try await susi.run("sign-out", "--person", "-a", "ana@contoso.example", "--yes").exits(0)
            #expect(try await labels(tenant) == ["B2C_1_susi ben@contoso.example"])
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            _ = try await susi.run("sign-out", "--person", "--yes")
            #expect(try await labels(tenant) == ["B2C_1_susi ben@contoso.example"])
            let none = try await susi.refusal("sign-out", "--yes")
            // A sign-out proposes no sign-in.
            none.exits(5, next: "susi accounts --all", saying: "stored: accounts under B2C_1_susi")
            try await susi.refusal("sign-out", "-p", "B2C_1_partner", "--yes").exits(5, saying: "under B2C_1_susi")
            #expect(try await susi.refusal("sign-out", "--all", "--person").status == 64)
            #expect(try await susi.run("sign-out", "--all", "--yes").status == 0)
            #expect(try await labels(tenant).isEmpty)
            #expect(try await susi.run("sign-out", "--all", "--yes").status == 0)
        }
    }

    @Test("--browser uses a short address, and the landing page reports the result without a token")
    func signsOutInBrowser() async throws {
        try await withLocalTenant { tenant in
            for policy in ["B2C_1_partner", "B2C_1_susi"] {
                try await tenant.signIn(.ana, under: policy)
            }
            let (outcome, url, page) = try await signOutInBrowser(tenant, ["--browser"])
            #expect(outcome.status == 0, "\(outcome)")
            // The id token is sent as a hint, but never in an argument list.
            #expect(!url.contains("eyJ") && url.contains("/go"))
            #expect(tenant.requests("GET", "/oauth2/v2.0/logout") == 1)
            #expect(page.contains("ana@contoso.example") && page.contains("you may still be signed in there"))
            #expect(!page.contains("eyJ") && !page.contains("state"))
            #expect(!outcome.standardError.contains("eyJ") && !outcome.standardOutput.contains("eyJ"))
            #expect(try await labels(tenant) == ["B2C_1_partner ana@contoso.example*"])
        }
    }

    @Test(
        "without a response of the browser the account is removed, and this is reported",
        // One opens nothing, the other one opens the address and does not go on.
        arguments: ["/bin/true", "curl -s -o /dev/null %u"])
    func removesAccountWithoutBrowserResponse(browser: String) async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let report = try await tenant.susi.run(
                "sign-out", "--browser", "--yes", "--json", environment: ["BROWSER": browser]
            ).exits(3).json()
            #expect(report["browserSessions"]?.array?.first?["result"]?.string == "noResponse")
            #expect(report["removed"]?.array?.count == 1)
            #expect(try await labels(tenant).isEmpty)
        }
    }

    @Test("the browser stays at the provider after the sign-out of a personal account, which is no failure")
    func signsOutPersonalAccount() async throws {
        try await withLocalTenant(policies: onlyApplication("entra", "common", more: helloAPI)) { tenant in
            let dee = ["signInName": User.personal.signInName, "password": User.personal.password]
            try await signIn(tenant, dee)
            let (outcome, _, page) = try await signOutInBrowser(tenant, ["--browser", "--json"])
            #expect(page.contains("You have signed out"))
            #expect(outcome.status == 0, "\(outcome)")
            let report = try outcome.json()
            #expect(report["browserSessions"]?.array?.first?["result"]?.string == "probablyEnded")
            #expect(report["removed"]?.array?.count == 1)
            #expect(try await labels(tenant).isEmpty)
            // A browser that opened nothing has ended nothing.
            try await signIn(tenant, dee)
            try await tenant.susi.run("sign-out", "--browser", "--yes", environment: ["BROWSER": "/bin/true"]).exits(
                3, printing: "unknown: ")
            // On a machine that several people use in turn, probably is not enough.
            #expect(try await tenant.susi.run("store", "share").status == 0)
            try await signIn(tenant, dee)
            #expect(try await signOutInBrowser(tenant, ["--browser"]).outcome.status == 3)
            #expect(try await tenant.susi.run("store", "unshare").status == 0)
            // A work account comes back.
            try await tenant.signIn(.ana)
            let work = try await signOutInBrowser(tenant, ["--browser"]).outcome
            #expect(work.status == 0 && work.standardOutput.contains("  ended: the browser's session"), "\(work)")
        }
    }

    @Test("a sign-out does not claim that the session of a social provider has ended")
    func namesSessionOfSocialProvider() async throws {
        try await withLocalTenant(configure: { $0.offerSocialProvider(alone: true) }) { tenant in
            try await signIn(tenant, ["email": "pat@mail.example"])
            let outcome = try await signOutInBrowser(tenant, ["--browser"]).outcome
            #expect(outcome.status == 0, "\(outcome)")
            #expect(
                outcome.standardOutput.contains("may remain: the browser's session at social.example"), "\(outcome)")
        }
    }

    private func labels(_ tenant: LocalTenant) async throws -> [String] {
        try await tenant.client().accounts().map { account in
            "\(account.account.policy) \(account.label)" + (account.isCurrent ? "*" : "")
        }
    }

    /// Signs in with these entries on the pages.
    private func signIn(_ tenant: LocalTenant, _ answers: [String: String]) async throws {
        let surface = SignInSurface(browser: FormBrowser(answers: answers))
        _ = try await tenant.client().signIn(SignInRequest(), through: surface)
    }
}

/// Runs `susi sign-out`, opens the address that it passes to `$BROWSER`, and returns the outcome and the last page.
func signOutInBrowser(
    _ tenant: LocalTenant, _ more: [String]
) async throws -> (outcome: ProgramOutcome, url: String, page: String) {
    let browser = try await BrowserCommand.capture(in: tenant.susi.home.folder)
    let command = tenant.susi.command(["sign-out", "--yes"] + more, environment: ["BROWSER": browser.command])
    return try await command.start { run in
        let url = try await browser.nextArgument()
        let page = try await WebClient.with { web in try await FormVisitor(answers: [:], client: web).visit(url) }
        return (try await run.waitUntilExit(), url, page)
    }
}
