import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// Whose session in the browser a sign-out ends: that of the account's own application, policy and tenant, or none.
@Suite("End of browser sessions", .inTurn, .timeLimit(.minutes(5)))
struct BrowserSessionEndTests {
    private static let ana = "ana@contoso.example"
    private static let noBrowser = ["BROWSER": "/bin/false"]
    private static let logout = "/oauth2/v2.0/logout"

    /// Signs out through a browser that follows every window.
    private func signOut(_ accounts: [StoredAccount], _ client: PublicClient) async throws -> SignOutResult {
        try await client.signOut(accounts, through: SignInSurface(browser: FormBrowser(answers: [:])))
    }

    private func results(_ result: SignOutResult) -> [String] {
        result.sessions.map { "\($0.application) \($0.policy) \($0.outcome)" }
    }

    @Test("after the host has changed no session is ended, and no command is proposed; the exit code is 1")
    func endsNothingAtAnotherHost() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let susi = tenant.susi
            try susi.home.changePolicies { $0.replacing("//localhost:", with: "//127.0.0.1:") }
            let line =
                "  not ended: the browser's session at \(tenant.emulator.origin)/contoso.onmicrosoft.com, a tenant of no policy"
            let preview = try await susi.run("sign-out", "--all", "--browser", "--dry-run")
            preview.exits(1, printing: line, hiding: "would end", "--browser-only")
            let out = try await susi.run(
                "sign-out", "--all", "--browser", "--yes", "--json", environment: Self.noBrowser)
            let json = try out.exits(1).json()
            #expect(json["browserSessions"]?.array?.map { $0["result"]?.string } == ["noPolicy"], "\(out)")
            #expect(json["removed"]?.array?.first?["unusable"]?.string == "noApplication", "\(out)")
            #expect(tenant.requests("GET", Self.logout) == 0)
        }
    }

    @Test("each session ends in its own application; without its policy, another one of its tenant probably ends it")
    func endsSessionsOfEveryApplication() async throws {
        try await withLocalTenant(policies: { _ in SharedStoreTests.policies() }) { tenant in
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            try await tenant.signIn(.ben)
            try await tenant.signIn(.ana, of: "two")
            try tenant.susi.home.changePolicies { $0.replacing("\"B2C_1_partner\"", with: "\"B2C_1_new\"") }
            let client = try tenant.client("two")
            let plan = try await client.plan(removing: try await client.everything().flatMap(\.accounts))
            // The hint is the token of the account that signed in under that very policy.
            #expect(plan.visits.map(\.application) == ["two", "one"] && plan.unreachable.isEmpty)
            let result = try await signOut(plan.accounts, client)
            #expect(
                results(result) == ["two B2C_1_susi ended", "one B2C_1_susi ended"], "\(results(result))")
            let asked = tenant.emulator.requests().filter { $0.path.hasSuffix(Self.logout) }
            #expect(asked.count == 2 && asked.allSatisfy { $0.status < 400 }, "\(asked)")
            #expect(try await client.storedCount().all == 0)
            // Alone, the account of the policy that left the file is reported with less certainty.
            try tenant.susi.home.changePolicies { $0.replacing("\"B2C_1_new\"", with: "\"B2C_1_partner\"") }
            try await tenant.signIn(.ana, under: "B2C_1_partner", of: "one")
            try tenant.susi.home.changePolicies { $0.replacing("\"B2C_1_partner\"", with: "\"B2C_1_gone\"") }
            let one = try tenant.client("one")
            let gone = try await signOut(try await one.everything().flatMap(\.accounts), one)
            #expect(results(gone) == ["one B2C_1_susi endedElsewhere"], "\(results(gone))")
        }
    }

    @Test("an account under a policy that keeps none now ends its session there, with certainty")
    func endsSessionOfPolicyThatKeepsNone() async throws {
        try await withLocalTenant(policies: { _ in SharedStoreTests.policies() }) { tenant in
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            try tenant.susi.home.changePolicies {
                $0.replacing(
                    "\"B2C_1_partner\": { \"kind\": \"signUpOrSignIn\"",
                    with: "\"B2C_1_partner\": { \"kind\": \"editProfile\"")
            }
            let client = try tenant.client("one")
            let result = try await signOut(try await client.everything().flatMap(\.accounts), client)
            #expect(results(result) == ["one B2C_1_partner ended"], "\(results(result))")
        }
    }

    @Test("a provider that offers no sign-out: exit code 1, and the browser is not opened")
    func providerOffersNoSignOut() async throws {
        let metadata = { @Sendable (request: ScriptedServer.Request) in
            let origin = "http://\(request.header("Host") ?? "")"
            return ScriptedServer.Response.ok(
                """
                { "issuer": "\(origin)", "authorization_endpoint": "\(origin)/a", "token_endpoint": "\(origin)/t",
                  "jwks_uri": "\(origin)/k" }
                """)
        }
        try await ScriptedServer.with(metadata) { server in
            let policies = """
                { "applications": { "only": { "kind": "openid", "authority": "\(server.origin)", "clientId": "c" } } }
                """
            try await withSusi(policies: policies) { susi in
                let out = try await susi.run("sign-out", "--browser-only", "--json", environment: Self.noBrowser)
                let sessions = try out.exits(1, error: "").json()["browserSessions"]?.array ?? []
                #expect(sessions.map { $0["result"]?.string } == ["notOffered"], "\(out)")
            }
        }
    }

    @Test("the hint after a removal ends the session and removes no account, also of another person")
    func hintRemovesNobody() async throws {
        try await withLocalTenant(signedIn: [.ana, .ben]) { tenant in
            let removed = try await tenant.susi.run("remove", Self.ana, "--yes")
            removed.exits(
                0, printing: "session under B2C_1_susi (susi sign-out --browser-only -p B2C_1_susi ends it)")
            for arguments in [["--dry-run"], []] {
                let command = ["sign-out", "--browser-only", "-p", "B2C_1_susi"] + arguments
                let outcome = try await tenant.susi.command(command, environment: Self.noBrowser).run()
                outcome.exits(arguments.isEmpty ? 3 : 0, hiding: "Removed", "Would remove")
            }
            let (outcome, _, _) = try await signOutInBrowser(tenant, ["--browser-only", "-p", "B2C_1_edit_profile"])
            outcome.exits(0, output: "  ended: the browser's session under B2C_1_edit_profile\n")
            #expect(try await tenant.client().accounts().map(\.label) == ["ben@contoso.example"])
            try await tenant.susi.refusal("sign-out", "--browser-only", "--all").exits(64)
        }
    }

    @Test("a shared sign-out visits the policies that keep no account too; so does one that finds nothing stored")
    func sharedSignOutVisitsChangingPolicies() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try tenant.share()
            let client = try tenant.client()
            let ended = ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_reset"].map { "local \($0) ended" }
            #expect(Set(results(try await signOut([], client))) == Set(ended))
            #expect(try await client.storedCount().all == 0)
            let empty = try client.plan(endingSessionOf: nil, endingShared: true)
            #expect(Set(empty.visits.map { "local \($0.policy.name) ended" }) == Set(ended))
            let edit = PolicyName("B2C_1_edit_profile")
            let one = try client.plan(endingSessionOf: edit, endingShared: false)
            #expect(one.visits.map(\.policy.name) == [edit])
            let twice = try client.plan(endingSessionOf: edit, endingShared: true)
            #expect(twice.visits.count == 2)
            // Sessions that the browser does not reach are reported, each of them.
            let out = try await tenant.susi.run("sign-out", "--yes", "--json", environment: Self.noBrowser).exits(3)
            let sessions = try out.json()["browserSessions"]?.array ?? []
            #expect(sessions.map { $0["result"]?.string } == ["noResponse", "noResponse", "noResponse"], "\(out)")
        }
    }

    @Test(
        "sign-out --all with a tenant or an application is that one's accounts; each policy is named with its application"
    )
    func signsOutOfOneTenant() async throws {
        try await withLocalTenant(policies: { _ in SharedStoreTests.policies() }) { tenant in
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ana, of: "two")
            let preview = try await tenant.susi.run("sign-out", "--all", "--dry-run", "--json").exits(0).json()
            try await tenant.susi.run("sign-out", "--all", "--dry-run").exits(
                0, printing: "left under B2C_1_susi\n", "left under B2C_1_susi of “two”\n",
                "susi sign-out --browser-only -p B2C_1_susi -A two ends it")
            try await tenant.susi.run("sign-out", "--all", "-A", "two", "--yes").exits(
                0, printing: "kept: 1 other account", hiding: "of “one”")
            let act = try await tenant.susi.run("sign-out", "--all", "--yes", "--json").exits(0).json()
            #expect(preview["removed"]?.array?.count == 2 && act["removed"]?.array?.count == 1)
            #expect(act["keptSessions"]?.array?.first?["application"]?.string == "one", "\(act)")
        }
    }
}
