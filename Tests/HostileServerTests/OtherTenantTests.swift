import Susi
import SusiTestSupport
import Testing

/// Responses of another tenant to the refresh token of the sign-in at home.
@Suite("Another tenant", .timeLimit(.minutes(5)))
struct OtherTenantTests {
    private static let tenant = "22225555-9a37-4307-8b3d-cc311f58d925"

    /// The policies at `common`, which know the other tenant.
    private static func policies(_ origin: String) -> String {
        Provider.common.policies(origin).replacing(
            "\"knownAuthorities\": [\"\(origin)\"]",
            with: "\"knownAuthorities\": [\"\(origin)/common\", \"\(origin)/\(tenant)\"]")
    }

    /// Makes the server answer as the other tenant with `clientInfo`.
    private static func client(_ stage: Stage, clientInfo: String?) throws -> PublicClient {
        let origin = stage.server.origin
        stage.change { script in
            script.discovery["issuer"] = "\"\(origin)/\(tenant)/v2.0\""
            script.claims["iss"] = "\"\(origin)/\(tenant)/v2.0\""
            script.claims["tid"] = "\"\(tenant)\""
            script.claims["oid"] = "\"bbbbbbbb-0000-4000-8000-000000000002\""
            script.answer["client_info"] = .some(clientInfo)
        }
        let file = try PoliciesFile(text: policies(origin).utf8, source: "the test's policies")
        return PublicClient(
            application: try file.applications[0].at(try TenantName(tenant)), folder: stage.folder,
            clock: { Provider.now })
    }

    /// Signs in at `common`, then makes the server answer as the other tenant with `clientInfo`.
    private func withTenant(
        clientInfo: String?, _ body: (Stage, PublicClient, StoredAccount) async throws -> Void
    ) async throws {
        try await Stage.with(.common) { stage, elsewhere in
            let home = try await stage.signIn().account
            let client = try Self.client(stage, clientInfo: clientInfo)
            try await body(stage, client, home)
            #expect(elsewhere.connections == 0)
        }
    }

    @Test("the same account at home is accepted, as a person of the other tenant")
    func acceptsSameHomeAccount() async throws {
        try await withTenant(clientInfo: Provider.clientInfo(Provider.object)) { stage, client, home in
            let token = try await client.token(api: "hello", of: AccountSelection())
            #expect(token.secret == "at-2" && token.account.homeAccountID == home.homeAccountID)
            #expect(token.account.account.person != home.account.person)
            #expect(stage.asked("refresh_token", at: "token") == "rt-1")
            let store = try #require(try AccountStore(existing: stage.folder))
            #expect(try store.secret(.refresh(home.account))?.secret == "rt-1")
            #expect(try store.secret(.refresh(token.account.account))?.secret == "rt-2")
        }
    }

    @Test(
        "another account at home, or none, is refused, and nothing is stored",
        arguments: [
            (nil, "missing in the response"), (Provider.clientInfo("other"), "another account at home"),
            (Provider.clientInfo(Provider.object, Provider.home), "another account at home"),
            ("\"e30\"", "not base64url JSON"),
        ] as [(String?, String)])
    func refusesOtherHomeAccount(clientInfo: String?, reason: String) async throws {
        try await withTenant(clientInfo: clientInfo) { stage, client, home in
            let error = await #expect(throws: SusiError.self) {
                try await client.token(api: "hello", of: AccountSelection())
            }
            #expect(
                error?.code == .invalidAnswer && error?.why.contains(reason) == true, "\(String(describing: error))")
            #expect(try await client.accounts().isEmpty)
            #expect(try await stage.client.accounts().map(\.account) == [home.account])
            let store = try #require(try AccountStore(existing: stage.folder))
            #expect(try store.secret(.refresh(home.account))?.secret == "rt-1")
        }
    }

    @Test(
        "no refusal of the other tenant ends or changes the sign-in at home",
        arguments: [
            ("invalid_grant", "AADSTS50020: no guest", SusiError.Code.signInNeeded),
            ("invalid_grant", "AADSTS90072: no guest", .signInNeeded),
            ("invalid_grant", "AADSTS50173: revoked", .signInNeeded),
            ("invalid_grant", "AADSTS65001: consent", .consentNeeded),
            ("interaction_required", "AADSTS50076: second factor", .signInNeeded), ("invalid_grant", "", .signInNeeded),
            ("temporarily_unavailable", "AADSTS90033: busy", .network),
        ])
    func keepsHomeAfterRefusal(error: String, text: String, code: SusiError.Code) async throws {
        try await withTenant(clientInfo: nil) { stage, client, home in
            stage.change {
                $0.refuseToken(error, text, more: #","claims":"{\"access_token\":{\"acrs\":{\"value\":\"c1\"}}}""#)
            }
            let refused = await #expect(throws: SusiError.self) {
                try await client.token(api: "hello", of: AccountSelection())
            }
            #expect(refused?.code == code, "\(String(describing: refused))")
            let store = try #require(try AccountStore(existing: stage.folder))
            #expect(try store.secret(.refresh(home.account))?.secret == "rt-1")
            #expect(try store.pendingClaims(of: home.account) == nil)
            #expect(stage.tokenRequests == 2)
        }
    }

    @Test(
        "a sign-in there that expects the person at home refuses the same address with another home account, or none",
        arguments: [nil, Provider.clientInfo("bbbbbbbb-0000-4000-8000-000000000009", Provider.home)] as [String?])
    func expectsHomeAccount(clientInfo: String?) async throws {
        try await Stage.with(.common) { stage, _ in
            stage.change { $0.claims["preferred_username"] = "\"ada@example.com\"" }
            _ = try await stage.signIn()
            let client = try Self.client(stage, clientInfo: clientInfo)
            let expected = try await client.expectedPerson(AccountSelection(), api: "hello").person
            guard case .home? = expected else {
                Issue.record("expected the person at home: \(String(describing: expected))")
                return
            }
            let request = SignInRequest(api: "hello", expected: expected)
            let error = await #expect(throws: SusiError.self) { try await stage.signIn(request, with: client) }
            #expect(error?.code == .differentPerson, "\(String(describing: error))")
            #expect(try await client.accounts().isEmpty)
            stage.change { $0.answer["client_info"] = Provider.clientInfo(Provider.object) }
            _ = try await stage.signIn(request, with: client)
            #expect(try await client.accounts().count == 1)
        }
    }

    @Test("the tenant of the sign-in itself is the same person")
    func recognizesOwnTenant() async throws {
        try await Stage.with(.common) { stage, _ in
            let home = try await stage.signIn().account
            let origin = stage.server.origin
            let text = Provider.common.policies(origin).replacing(
                "\"knownAuthorities\": [\"\(origin)\"]", with: "\"knownAuthorities\": [\"\(origin)/\(Provider.guid)\"]")
            let file = try PoliciesFile(text: text.utf8, source: "the test's policies")
            let client = PublicClient(
                application: try file.applications[0].at(try TenantName(Provider.guid)), folder: stage.folder,
                clock: { Provider.now })
            stage.change { $0.discovery["issuer"] = "\"\(origin)/\(Provider.guid)/v2.0\"" }
            let token = try await client.token(api: "hello", of: AccountSelection())
            #expect(token.account.account == home.account)
            #expect(try await stage.client.accounts().count == 1)
        }
    }

    @Test("a refresh there that names another account at home is refused, and the account keeps its home")
    func refusesOtherHomeAtRefresh() async throws {
        try await Stage.withProgram(at: .common) { stage, elsewhere, susi async throws in
            let home = try await stage.signIn().account
            let origin = stage.server.origin
            try susi.home.writePolicies(Self.policies(origin))
            stage.change { Self.answer(&$0, Provider.clientInfo(Provider.object)) }
            let first = try await susi.run("token", "hello", "--tenant", Self.tenant)
            #expect(first.status == 0 && first.standardOutput == "at-2\n", "\(first)")
            let there = try Self.guest(in: stage)
            #expect(there.homeAccountID == home.homeAccountID)

            let ben = "bbbbbbbb-0000-4000-8000-00000000000b"
            for info in [Provider.clientInfo(ben), Provider.clientInfo(Provider.object, Provider.home), "\"e30\""] {
                stage.change { Self.answer(&$0, info) }
                let refused = try await susi.run("token", "hello", "--tenant", Self.tenant, "--refresh")
                #expect(refused.status == 7 && refused.standardOutput.isEmpty, "\(refused)")
                #expect(refused.standardError.contains("client_info"), "\(refused)")
                #expect(try Self.guest(in: stage) == there, "the account changed: \(info)")
            }
            // A response without the member, or in another spelling, leaves the account where it is.
            for info in [nil, Provider.clientInfo(Provider.object.uppercased())] {
                stage.change { Self.answer(&$0, info) }
                let renewed = try await susi.run("token", "hello", "--tenant", Self.tenant, "--refresh")
                #expect(renewed.status == 0, "\(renewed)")
                #expect(try Self.guest(in: stage).homeAccountID == home.homeAccountID)
            }
            #expect(elsewhere.connections == 0)
        }
    }

    @Test("the first token there for an account of another person at home is refused")
    func refusesAccountOfOtherHome() async throws {
        try await Stage.withProgram(at: .common) { stage, _, susi async throws in
            let origin = stage.server.origin
            try susi.home.writePolicies(Self.policies(origin))
            let ana = try await stage.signIn().account
            stage.change { Self.answer(&$0, Provider.clientInfo(Provider.object)) }
            #expect(try await susi.run("token", "hello", "--tenant", Self.tenant).status == 0)
            let there = try Self.guest(in: stage)

            let ben = "bbbbbbbb-0000-4000-8000-00000000000b"
            stage.change { script in
                script.discovery["issuer"] = "\"\(Provider.common.issuer(origin))\""
                script.claims["iss"] = "\"\(origin)/\(Provider.guid)/v2.0\""
                script.claims["tid"] = "\"\(Provider.guid)\""
                script.claims["oid"] = "\"\(ben)\""
                script.claims["name"] = "\"Ben\""
                script.answer["client_info"] = Provider.clientInfo(ben)
            }
            _ = try await stage.signIn()
            // The tenant answers Ben's refresh token with Ana's account there.
            stage.change { Self.answer(&$0, Provider.clientInfo(ben)) }
            let refused = try await susi.run("token", "hello", "--tenant", Self.tenant, "-a", ben)
            #expect(refused.status == 7 && refused.standardOutput.isEmpty, "\(refused)")
            #expect(refused.standardError.contains("client_info"), "\(refused)")
            let store = try #require(try AccountStore(existing: stage.folder))
            #expect(try store.account(there.account)?.homeAccountID == ana.homeAccountID)
        }
    }

    private static let ana = "aaaaaaaa-0000-4000-8000-00000000000a"
    private static let ben = "bbbbbbbb-0000-4000-8000-00000000000b"
    private static let there = ["--tenant", tenant]

    /// Signs Ana and Ben in at home, then runs `body` with a server that answers as the other tenant, for Ana's account there with
    /// Ben's home account in `client_info`.
    private func withBoth(_ body: (Stage, SusiBinary) async throws -> Void) async throws {
        try await Stage.withProgram(at: .common) { stage, elsewhere, susi async throws in
            let origin = stage.server.origin
            try susi.home.writePolicies(Self.policies(origin))
            for (subject, name) in [(Self.ana, "ana"), (Self.ben, "ben")] {
                stage.change { script in
                    script.claims["oid"] = "\"\(subject)\""
                    script.claims["preferred_username"] = "\"\(name)@example.com\""
                    script.answer["client_info"] = Provider.clientInfo(subject)
                }
                _ = try await stage.signIn()
            }
            stage.change {
                Self.answer(&$0, Provider.clientInfo(Self.ben))
                $0.claims["preferred_username"] = "\"ana@example.com\""
            }
            try await body(stage, susi)
            #expect(elsewhere.connections == 0)
        }
    }

    private func signIn(_ susi: SusiBinary, _ arguments: [String]) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: susi.home.folder)
        let command = susi.command(["sign-in"] + arguments + Self.there + ["--browser", browser.command])
        return try await command.start { run in
            try await FormBrowser(answers: [:]).open(try await browser.nextURL())
            return try await run.waitUntilExit()
        }
    }

    @Test("a sign-in there as Ben is not met by Ana, although client_info names Ben")
    func refusesAnotherPersonWithTheExpectedHome() async throws {
        try await withBoth { _, susi in
            let other = try await signIn(susi, ["ben@example.com"])
            #expect(other.status == 7 && other.standardOutput.isEmpty, "\(other)")
            #expect(try await susi.command(["accounts"] + Self.there).run().standardOutput.isEmpty)
        }
    }

    @Test("an account there is not found by a name at home that client_info gives it")
    func findsNoAccountByUnsignedHome() async throws {
        try await withBoth { stage, susi in
            let anybody = try await signIn(susi, [])
            #expect(anybody.status == 0, "\(anybody)")
            let names = ["ben@example.com", Self.ben, "\(Self.ben).\(Provider.guid)"]
            stage.change { $0.refuseToken("invalid_grant", "AADSTS50020: no guest") }
            for name in names {
                let token = try await susi.command(["token", "hello", "-a", name] + Self.there).run()
                #expect(token.status == 4 || token.status == 5, "\(name): \(token)")
                #expect(token.standardOutput.isEmpty, "\(name): \(token)")
            }
            // By a name of Ana's it is.
            let own = try await susi.command(["token", "hello", "-a", "ana@example.com"] + Self.there).run()
            #expect(own.status == 0, "\(own)")
        }
    }

    @Test("a sign-in that names another account at home does not move a stored account there")
    func keepsHomeAtSignIn() async throws {
        try await withBoth { stage, susi in
            stage.change { $0.answer["client_info"] = Provider.clientInfo(Self.ana) }
            #expect(try await susi.command(["token", "hello", "-a", "ana@example.com"] + Self.there).run().status == 0)
            let before = try Self.guest(in: stage)
            stage.change { $0.answer["client_info"] = Provider.clientInfo(Self.ben) }
            let moved = try await signIn(susi, [])
            #expect(moved.status == 7 && moved.standardOutput.isEmpty, "\(moved)")
            #expect(try Self.guest(in: stage) == before)
            stage.change { $0.answer["client_info"] = .some(nil) }
            #expect(try await signIn(susi, []).status == 0)
            #expect(try Self.guest(in: stage).homeAccountID == before.homeAccountID)
        }
    }

    @Test("the refresh token at home links an account that signed in there by itself")
    func linksAccountOfASignInThere() async throws {
        try await withBoth { stage, susi in
            stage.change { $0.answer["client_info"] = Provider.clientInfo(Self.ana) }
            #expect(try await signIn(susi, []).status == 0)
            let token = ["token", "hello", "-a", Self.ana] + Self.there
            let count = stage.tokenRequests
            let first = try await susi.command(token).run()
            #expect(first.status == 0 && stage.tokenRequests == count + 1, "\(first)")
            let second = try await susi.command(token).run()
            #expect(second.standardOutput == first.standardOutput && stage.tokenRequests == count + 1, "\(second)")
        }
    }

    @Test("where the person's account there is stored, that person is expected")
    func expectsStoredAccount() async throws {
        try await withBoth { stage, susi in
            stage.change { $0.answer["client_info"] = Provider.clientInfo(Self.ana) }
            #expect(try await susi.command(["token", "hello", "-a", "ana@example.com"] + Self.there).run().status == 0)
            // Another subject there with Ana's address and home account.
            stage.change { $0.claims["oid"] = "\"cccccccc-0000-4000-8000-000000000003\"" }
            let other = try await signIn(susi, ["ana@example.com"])
            #expect(other.status == 7 && other.standardOutput.isEmpty, "\(other)")
            stage.change { Self.answer(&$0, Provider.clientInfo(Self.ana)) }
            #expect(try await signIn(susi, ["ana@example.com"]).status == 0)
        }
    }

    /// Makes the server answer as the other tenant, with the same person there each time.
    private static func answer(_ script: inout Script, _ clientInfo: String?) {
        let issuer = "\"\(script.origin)/\(tenant)/v2.0\""
        script.discovery["issuer"] = issuer
        script.claims["iss"] = issuer
        script.claims["tid"] = "\"\(tenant)\""
        script.claims["oid"] = "\"bbbbbbbb-0000-4000-8000-000000000002\""
        script.claims["name"] = "\"Ada\""
        script.answer["client_info"] = .some(clientInfo)
    }

    /// Returns the account in the other tenant of the person in ``answer(_:_:)``.
    private static func guest(in stage: Stage) throws -> StoredAccount {
        let tenant = Tenant(origin: stage.server.origin, id: tenant)
        let store = try #require(try AccountStore(existing: stage.folder))
        return try #require(
            try store.account(
                Account(
                    person: Person(tenant: tenant, subject: "bbbbbbbb-0000-4000-8000-000000000002"),
                    policy: PolicyName("default"),
                    clientID: Provider.client)))
    }
}
