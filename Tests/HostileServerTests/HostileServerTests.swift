import Susi
import SusiTestSupport
import SusiTools
import Testing

extension Case {
    static let all =
        metadata + endpoints + documents + claims + signatures + clientInfos + redirects + refusals + goodAnswers
        + bodies + busy + tokenRefusals + external + entra + common + openid
}

/// Sign-ins and refreshes against a real server whose responses have one fault at a time.
@Suite("Hostile and broken servers", .timeLimit(.minutes(5)))
struct HostileServerTests {
    @Test("a sign-in accepts valid responses and rejects others", .serialized, arguments: Case.all)
    func checksSignInResponses(row: Case) async throws {
        try await Stage.with(row.provider) { stage, elsewhere in
            try stage.change(row.change)
            let result = await Result { () async throws(SusiError) in try await stage.signIn(hastily: row.hasNoEnd) }
            try await row.check(result, in: stage, beside: elsewhere)
            #expect(stage.tokenRequests <= 1, "too many token requests")
        }
    }

    @Test("a refresh accepts valid responses and rejects others", .serialized, arguments: RefreshCase.all)
    func checksRefreshResponses(testCase: RefreshCase) async throws {
        let row = testCase.row
        try await Stage.with(row.provider) { stage, elsewhere in
            let account = try await stage.signIn().account
            try stage.change(row.change)
            let result = await Result { () async throws(SusiError) in try await stage.refresh(hastily: row.hasNoEnd) }
            let after = try #require(try await stage.client.accounts().first)
            switch (row.expected, result) {
            case (.accepted, .success(let token)):
                #expect(token.secret == "at-2")
            case (.refused(let code, let text), .failure(let error)):
                row.check(error, code, text)
                let access = try stage.store.secret(.access(account.account, ScopeSet([Provider.scope])))
                #expect(access?.secret == "at-1", "the access token changed")
                if testCase.kept != "rt-2" { #expect(after.claims == account.claims, "the claims changed") }
            case (_, .success): Issue.record("accepted")
            case (_, .failure(let error)): Issue.record("refused: \(error)")
            }
            #expect(try stage.store.secret(.refresh(account.account))?.secret == testCase.kept)
            #expect(elsewhere.connections == 0, "another server was contacted")
            // A busy server is asked once more.
            let isBusy = if case .refused(.network, _) = row.expected { true } else { false }
            #expect(stage.tokenRequests <= (isBusy ? 3 : 2), "too many token requests")
        }
    }

    @Test(
        "a token that is still valid is used when an early refresh fails", .serialized,
        arguments: RefreshCase.broken.filter { $0.kept == "rt-1" })
    func keepsValidTokenWhenEarlyRefreshFails(testCase: RefreshCase) async throws {
        try await Stage.with(testCase.row.provider) { stage, _ in
            _ = try await stage.signIn()
            try stage.change { script in
                try testCase.row.change(&script)
                script.now = Provider.now + 3_400
            }
            let client = testCase.row.hasNoEnd ? stage.hasty : stage.client
            let token = try await client.token(api: "hello")
            #expect(token.secret == "at-1")
            #expect(stage.tokenRequests == 2, "no refresh was attempted")
        }
    }

    @Test(
        "an early refresh with an untrusted response is refused, and nothing is stored",
        .serialized, arguments: Array(RefreshCase.otherPersons.prefix(3)) + RefreshCase.changedAuthorities)
    func refusesUnsafeEarlyRefresh(testCase: RefreshCase) async throws {
        guard case .refused(let code, let text) = testCase.row.expected else { return }
        try await Stage.with(testCase.row.provider) { stage, elsewhere in
            // Longer than the configuration is cached (one day).
            stage.change { $0.response["expires_in"] = "90000" }
            let account = try await stage.signIn().account
            try stage.change { script in
                try testCase.row.change(&script)
                script.now = Provider.now + 89_900
                for name in ["iat", "nbf"] where script.claims[name] == nil {
                    script.claims[name] = "\(Provider.now + 89_900)"
                }
                script.claims["exp"] = "\(Provider.now + 90_000)"
            }
            let client = testCase.row.hasNoEnd ? stage.hasty : stage.client
            let error = try await #require(throws: SusiError.self) { try await client.token(api: "hello") }
            testCase.row.check(error, code, text)
            #expect([.invalidResponse, .differentPerson].contains(error.code))
            let access = try stage.store.secret(.access(account.account, ScopeSet([Provider.scope])))
            #expect(access?.secret == "at-1")
            #expect(try stage.store.secret(.refresh(account.account))?.secret == "rt-1")
            #expect(elsewhere.connections == 0, "another server was contacted")
        }
    }

    @Test("a signature proves no issuer: the tenants of one cloud have the same keys")
    func inspectsTokenOfOtherTenant() async throws {
        try await Stage.with(.external) { stage, _ in
            let signature = { (issuer: String) in
                let token = try Signer.main.get().token("{\"iss\":\"\(issuer)\",\"exp\":\(Provider.now + 60)}")
                return await stage.client.inspect(token).signature
            }
            let own = Provider.external.issuer(stage.server.origin)
            let other = own.replacing(Provider.guid, with: Provider.home)
            let (first, second) = (try await signature(own), try await signature(other))
            #expect(first == .valid(authority: "\(stage.server.origin)/contoso.onmicrosoft.com"))
            #expect(second == .unchecked(.unknownIssuer(other)))
        }
    }

    @Test("each refresh without any requested scope is an error with granted and declined scopes")
    func reportsDeclinedScopesAtEachRefresh() async throws {
        try await Stage.with(.b2c) { stage, _ in
            let signedIn = try await stage.signIn()
            #expect(signedIn.declined.isEmpty && signedIn.granted == ScopeSet([Provider.scope]))
            stage.change { $0.response["scope"] = "\"openid\"" }
            for _ in 1...2 {
                let error = await expectRefusal(.scopesDeclined) { try await stage.refresh() }
                #expect(error?.scopes == ScopeOutcome(granted: ScopeSet([]), declined: ScopeSet([Provider.scope])))
            }
        }
    }

    @Test("a refresh at a plain provider requests only granted scopes; at Microsoft's, the configured ones")
    func refreshesWithGrantedScopesOnly() async throws {
        try await Stage.with(.openid) { stage, _ in
            stage.change { $0.response["scope"] = "\"openid\"" }
            let granted = try await stage.signIn().granted
            stage.change { $0.response["scope"] = .some(nil) }
            let error = await #expect(throws: SusiError.self) { try await stage.refresh() }
            #expect(stage.asked("grant_type", at: "token") == "refresh_token")
            #expect(stage.asked("scope", at: "token") == nil)
            // A response without scopes means those granted before, not those requested.
            #expect(granted.isEmpty && error?.scopes?.granted.isEmpty == true)
        }
        try await Stage.with(.b2c) { stage, _ in
            _ = try await stage.signIn()
            _ = try await stage.refresh()
            let scopes = stage.asked("scope", at: "token").map { ScopeSet(text: $0) }
            #expect(scopes == ScopeSet.openID.union(ScopeSet([Provider.scope])))
        }
    }

    @Test("a provider that refuses more scopes at a refresh leads to a sign-in")
    func suggestsSignInWhenRefreshRefusesScope() async throws {
        try await Stage.with(.openid) { stage, _ in
            _ = try await stage.signIn()
            stage.change { $0.refuseToken("invalid_scope") }
            let options = TokenRequestOptions(scopes: ["more"])
            await expectRefusal(.signInNeeded) { try await stage.client.token(api: "hello", options: options) }
            let asked = stage.asked("scope", at: "token").map { ScopeSet(text: $0) }
            #expect(asked == ScopeSet(["openid", "more", Provider.scope]))
        }
    }

    @Test("an endpoint of another origin is refused when it is needed, by name, and not contacted")
    func refusesEndpointsOfOtherOrigins() async throws {
        try await Stage.with(.openid) { stage, elsewhere in
            stage.change { script in
                for name in Case.optional { script.discovery[name] = "\"\(script.elsewhere)/x\"" }
            }
            let account = try await stage.signIn().account
            let check = { (error: SusiError?, field: String) in
                #expect(error?.code == .invalidResponse && error?.why.contains("\(field) is at") == true, "\(field)")
            }
            check(
                await #expect(throws: SusiError.self) { try await stage.client.profile() },
                "userinfo_endpoint")
            check(
                await #expect(throws: SusiError.self) {
                    try await stage.client.signInOnAnotherDevice(SignInRequest(api: "hello"), tell: { _ in })
                }, "device_authorization_endpoint")
            let out = try await stage.client.signOut(
                [account], through: SignInSurface(browser: nil, timeout: 100))
            guard case .failed(let session) = out.sessions.first?.outcome,
                case .failed(let revocation) = out.removed.first?.revocation
            else { return #expect(Bool(false), "\(out)") }
            check(session, "end_session_endpoint")
            check(revocation, "revocation_endpoint")
            #expect(elsewhere.connections == 0)
        }
    }

    @Test("a provider without an endpoint that ends sessions is not visited, and the outcome says so")
    func reportsMissingSignOut() async throws {
        try await Stage.with(.openid) { stage, _ in
            stage.change { $0.discovery["end_session_endpoint"] = nil }
            let account = try await stage.signIn().account
            let out = try await stage.client.signOut(
                [account], through: SignInSurface(browser: nil, timeout: 100))
            #expect(out.sessions.map(\.outcome) == [.notOffered] && out.removed.count == 1)
        }
    }

    @Test("every case has a unique name and a source")
    func namesCasesUniquely() {
        let rows = Case.all + Case.native
        #expect((rows + RefreshCase.all.map(\.row)).allSatisfy { !$0.source.isEmpty })
        for provider in Provider.allCases {
            let names = rows.filter { $0.provider == provider }.map(\.testDescription).sorted()
            #expect(zip(names, names.dropFirst()).filter { $0 == $1 }.map(\.0) == [])
        }
    }
}
