import Foundation
import Susi
import SusiTestSupport
import SusiTools
import SystemPackage
import Testing

/// Responses of another tenant to the refresh token of the sign-in at home.
@Suite("Another tenant", .timeLimit(.minutes(5)))
struct OtherTenantTests {
    private static let tenant = "22225555-9a37-4307-8b3d-cc311f58d925"

    /// Returns a client for the other tenant, or a third one, which its policies at `common` know.
    private static func client(_ stage: Stage, at tenant: String = tenant) throws -> PublicClient {
        let origin = stage.server.origin
        return try stage.client(at: tenant) {
            $0.replacing(
                "\"knownAuthorities\": [\"\(origin)\"]",
                with: "\"knownAuthorities\": [\"\(origin)/common\", \"\(origin)/\(tenant)\"]")
        }
    }

    /// Makes the server answer as the other tenant, with the same person there each time.
    private static func response(_ script: inout Script, _ clientInfo: String?) {
        let issuer = "\"\(script.origin)/\(tenant)/v2.0\""
        script.discovery["issuer"] = issuer
        script.claims["iss"] = issuer
        script.claims["tid"] = "\"\(tenant)\""
        script.claims["oid"] = "\"bbbbbbbb-0000-4000-8000-000000000002\""
        script.response["client_info"] = .some(clientInfo)
    }

    /// Returns the account in the other tenant of the person in ``answer(_:_:)``.
    private static func guest(in stage: Stage) throws -> StoredAccount {
        let person = Person(
            tenant: Tenant(origin: stage.server.origin, id: tenant), subject: "bbbbbbbb-0000-4000-8000-000000000002")
        return try #require(
            try stage.store.account(Account(person: person, policy: PolicyName("default"), clientID: Provider.client)))
    }

    /// Signs in at `common`, then makes the server answer as the other tenant with `clientInfo`.
    private func withTenant(
        clientInfo: String?, _ body: (Stage, PublicClient, StoredAccount) async throws -> Void
    ) async throws {
        try await Stage.with(.common) { stage, elsewhere in
            let home = try await stage.signIn().account
            stage.change { Self.response(&$0, clientInfo) }
            try await body(stage, try Self.client(stage), home)
            #expect(elsewhere.connections == 0)
        }
    }

    @Test("the same account at home is accepted, as a person of the other tenant")
    func acceptsSameHomeAccount() async throws {
        try await withTenant(clientInfo: Provider.clientInfo(Provider.object)) { stage, client, home in
            let token = try await client.token(api: "hello")
            #expect(token.secret == "at-2" && token.account.homeAccountID == home.homeAccountID)
            #expect(token.account.account.person != home.account.person)
            #expect(stage.asked("refresh_token", at: "token") == "rt-1")
            #expect(try stage.store.secret(.refresh(home.account))?.secret == "rt-1")
            #expect(try stage.store.secret(.refresh(token.account.account))?.secret == "rt-2")
            // The account at home brings the other one again.
            let export = try await client.exportSealed(passphrase: "correct horse")
            #expect(export.tokens == 1)
            #expect(export.leftOut.map(\.reason) == ["the account in the person's own tenant brings it again"])
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
        try await withTenant(clientInfo: clientInfo) { stage, client, home async throws in
            await expectRefusal(.invalidResponse, why: reason) { try await client.token(api: "hello") }
            #expect(try await client.accounts().isEmpty)
            #expect(try await stage.client.accounts().map(\.account) == [home.account])
            #expect(try stage.store.secret(.refresh(home.account))?.secret == "rt-1")
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
        try await withTenant(clientInfo: nil) { stage, client, home async throws in
            stage.change {
                $0.refuseToken(error, text, more: #","claims":"{\"access_token\":{\"acrs\":{\"value\":\"c1\"}}}""#)
            }
            await expectRefusal(code) { try await client.token(api: "hello") }
            #expect(try stage.store.secret(.refresh(home.account))?.secret == "rt-1")
            #expect(try stage.store.pendingClaims(of: home.account) == nil)
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
            stage.change { Self.response(&$0, clientInfo) }
            let client = try Self.client(stage)
            let expected = try await client.expectedPerson(AccountSelection(), api: "hello").person
            guard case .home? = expected else {
                Issue.record("expected the person at home: \(String(describing: expected))")
                return
            }
            let request = SignInRequest(api: "hello", expected: expected)
            await expectRefusal(.differentPerson) { try await stage.signIn(request, with: client) }
            #expect(try await client.accounts().isEmpty)
            stage.change { $0.response["client_info"] = Provider.clientInfo(Provider.object) }
            _ = try await stage.signIn(request, with: client)
            #expect(try await client.accounts().count == 1)
        }
    }

    @Test("the tenant of the sign-in itself is the same person")
    func recognizesOwnTenant() async throws {
        try await Stage.with(.common) { stage, _ in
            let home = try await stage.signIn().account
            let client = try Self.client(stage, at: Provider.guid)
            stage.change { $0.discovery["issuer"] = "\"\($0.origin)/\(Provider.guid)/v2.0\"" }
            let token = try await client.token(api: "hello")
            #expect(token.account.account == home.account)
            #expect(try await stage.client.accounts().count == 1)
        }
    }

    @Test("a refresh there that names another account at home is refused, and the account keeps its home")
    func refusesOtherHomeAtRefresh() async throws {
        try await withTenant(clientInfo: Provider.clientInfo(Provider.object)) { stage, client, home in
            #expect(try await client.token(api: "hello").secret == "at-2")
            let there = try Self.guest(in: stage)
            #expect(there.homeAccountID == home.homeAccountID)
            for info in [
                Provider.clientInfo(Self.ben), Provider.clientInfo(Provider.object, Provider.home), "\"e30\"",
            ] {
                stage.change { Self.response(&$0, info) }
                await expectRefusal(.invalidResponse, why: "client_info") { try await stage.refresh(with: client) }
                #expect(try Self.guest(in: stage) == there, "the account changed: \(info)")
            }
            // A response without the member, or in another spelling, leaves the account where it is.
            for info in [nil, Provider.clientInfo(Provider.object.uppercased())] {
                stage.change { Self.response(&$0, info) }
                _ = try await stage.refresh(with: client)
                #expect(try Self.guest(in: stage).homeAccountID == home.homeAccountID)
            }
        }
    }

    @Test("the first token there for an account of another person at home is refused")
    func refusesAccountOfOtherHome() async throws {
        try await withTenant(clientInfo: Provider.clientInfo(Provider.object)) { stage, client, home in
            _ = try await client.token(api: "hello")
            let there = try Self.guest(in: stage)
            stage.change { script in
                script.discovery["issuer"] = "\"\(Provider.common.issuer(script.origin))\""
                script.claims = ["oid": "\"\(Self.ben)\"", "name": "\"Ben\""]
                script.response["client_info"] = Provider.clientInfo(Self.ben)
            }
            _ = try await stage.signIn()
            // The tenant answers Ben's refresh token with Ana's account there.
            stage.change { Self.response(&$0, Provider.clientInfo(Self.ben)) }
            await expectRefusal(.invalidResponse, why: "client_info") {
                try await client.token(api: "hello", of: AccountSelection(text: Self.ben))
            }
            #expect(try Self.guest(in: stage).homeAccountID == home.homeAccountID)
            #expect(try Self.guest(in: stage).account == there.account)
        }
    }

    /// Returns how many descriptors of this process have the file open.
    private static func openings(of file: FilePath) throws -> Int {
        let (files, name) = (FileManager.default, file.lastComponent?.string ?? "")
        return try files.contentsOfDirectory(atPath: "/proc/self/fd").count {
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasSuffix(name) ?? false
        }
    }

    @Test(
        "parallel requests for a token there redeem once, also where only the sign-in at home brings another token",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")), arguments: [false, true])
    func redeemsOnce(skipsCache: Bool) async throws {
        try await withTenant(clientInfo: Provider.clientInfo(Provider.object)) { stage, client, home in
            if skipsCache {
                stage.change { $0.response["refresh_token"] = .some(nil) }
                _ = try await client.token(api: "hello")
                stage.change { $0.now = Provider.now + 10 }
            }
            let before = stage.tokenRequests
            let options = TokenRequestOptions(forcesRefresh: skipsCache)
            let tasks: [Task<String, any Error>]
            do {
                // None redeems until all wait for this lock.
                let lock = try FileLock(stage.folder.lock(of: home.account))
                try #require(try lock.tryLock(.exclusive))
                tasks = try (1...4).map { _ in
                    let client = try Self.client(stage)
                    return Task { try await client.token(api: "hello", options: options).secret }
                }
                let end = ContinuousClock.now + .seconds(60)
                while try Self.openings(of: stage.folder.lock(of: home.account)) < 5, ContinuousClock.now < end {
                    _ = try await stage.client.accounts()
                }
                withExtendedLifetime(lock) {}
            }
            var secrets: Set<String> = []
            for task in tasks { secrets.insert(try await task.value) }
            #expect(secrets.count == 1 && stage.tokenRequests == before + 1)
        }
    }

    private static let ana = "aaaaaaaa-0000-4000-8000-00000000000a"
    private static let ben = "bbbbbbbb-0000-4000-8000-00000000000b"
    private static let anaByName = AccountSelection(text: "ana@example.com")

    /// Signs Ana and Ben in at home, then runs `body` with a server that answers as the other tenant, for Ana's account there with
    /// Ben's home account in `client_info`.
    private func withBoth(_ body: (Stage, PublicClient) async throws -> Void) async throws {
        try await Stage.with(.common) { stage, elsewhere in
            for (subject, name) in [(Self.ana, "ana"), (Self.ben, "ben")] {
                stage.change { script in
                    script.claims["oid"] = "\"\(subject)\""
                    script.claims["preferred_username"] = "\"\(name)@example.com\""
                    script.response["client_info"] = Provider.clientInfo(subject)
                }
                _ = try await stage.signIn()
            }
            stage.change {
                Self.response(&$0, Provider.clientInfo(Self.ben))
                $0.claims["preferred_username"] = "\"ana@example.com\""
            }
            try await body(stage, try Self.client(stage))
            #expect(elsewhere.connections == 0)
        }
    }

    /// Signs in there, as the person with the name if there is one.
    @discardableResult
    private func signIn(_ stage: Stage, _ client: PublicClient, as name: String? = nil) async throws -> StoredAccount {
        var request = SignInRequest(api: "hello")
        if let name {
            request.expected = try await client.expectedPerson(AccountSelection(text: name), api: "hello").person
        }
        return try await stage.signIn(request, with: client).account
    }

    @Test("a sign-in there as Ben is not met by Ana, although client_info names Ben")
    func refusesAnotherPersonWithTheExpectedHome() async throws {
        try await withBoth { stage, client async throws in
            await expectRefusal(.differentPerson) { try await signIn(stage, client, as: "ben@example.com") }
            #expect(try await client.accounts().isEmpty)
        }
    }

    @Test("an account there is not found by a name at home that client_info gives it")
    func findsNoAccountByUnsignedHome() async throws {
        try await withBoth { stage, client in
            try await signIn(stage, client)
            stage.change { $0.refuseToken("invalid_grant", "AADSTS50020: no guest") }
            for name in ["ben@example.com", Self.ben, "\(Self.ben).\(Provider.guid)"] {
                let error = await #expect(throws: SusiError.self) {
                    try await client.token(api: "hello", of: AccountSelection(text: name))
                }
                #expect(
                    [.signInNeeded, .unknownAccount].contains(error?.code), "\(name): \(String(describing: error))")
            }
            // By a name of Ana's it is.
            _ = try await client.token(api: "hello", of: Self.anaByName)
        }
    }

    @Test("a sign-in that names another account at home does not move a stored account there")
    func keepsHomeAtSignIn() async throws {
        try await withBoth { stage, client in
            stage.change { $0.response["client_info"] = Provider.clientInfo(Self.ana) }
            _ = try await client.token(api: "hello", of: Self.anaByName)
            let before = try Self.guest(in: stage)
            stage.change { $0.response["client_info"] = Provider.clientInfo(Self.ben) }
            await expectRefusal(.invalidResponse) { try await signIn(stage, client) }
            #expect(try Self.guest(in: stage) == before)
            stage.change { $0.response["client_info"] = .some(nil) }
            #expect(try await signIn(stage, client).homeAccountID == before.homeAccountID)
        }
    }

    @Test("the refresh token at home links an account that signed in there by itself")
    func linksAccountOfASignInThere() async throws {
        try await withBoth { stage, client in
            stage.change { $0.response["client_info"] = Provider.clientInfo(Self.ana) }
            try await signIn(stage, client)
            let count = stage.tokenRequests
            let byIdentifier = AccountSelection(text: Self.ana)
            let first = try await client.token(api: "hello", of: byIdentifier)
            #expect(stage.tokenRequests == count + 1)
            #expect(try await client.token(api: "hello", of: byIdentifier).secret == first.secret)
            #expect(stage.tokenRequests == count + 1)
        }
    }

    @Test("where the person's account there is stored, that person is expected")
    func expectsStoredAccount() async throws {
        try await withBoth { stage, client in
            stage.change { $0.response["client_info"] = Provider.clientInfo(Self.ana) }
            _ = try await client.token(api: "hello", of: Self.anaByName)
            // Another subject there with Ana's address and home account.
            stage.change { $0.claims["oid"] = "\"cccccccc-0000-4000-8000-000000000003\"" }
            await expectRefusal(.differentPerson) { try await signIn(stage, client, as: "ana@example.com") }
            stage.change { Self.response(&$0, Provider.clientInfo(Self.ana)) }
            try await signIn(stage, client, as: "ana@example.com")
        }
    }
}
