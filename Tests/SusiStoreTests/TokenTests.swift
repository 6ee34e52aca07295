import SusiOAuth
import SusiPolicies
import SusiStore
import Testing

@Suite struct TokenTests {
    let home = TemporaryStore()
    let store: AccountStore

    init() throws {
        store = try home.open()
        try store.signIn(grant(account()))
    }

    @Test func cachedTokenOfTheCurrentAccount() throws {
        try store.signIn(grant(account(ben), profile: Profile(name: "Ben")))
        let reader = try #require(try AccountStore(existing: home.folder))
        let found = try #require(
            try reader.cachedAccessToken(current: PolicyName("b2c_1_SUSI"), in: scope, scopes: read))
        #expect(found.account == account(ben))
        #expect(found.token.secret == "access-\(ben)|B2C_1_susi|1")
        #expect(found.token.info.line == "access \(read) \(read) 4600 2800 1000")
        #expect(try reader.cachedAccessToken(current: susi, in: scope, scopes: ScopeSet(["x"])) == nil)
    }

    @Test func scopesAreASet() throws {
        let two = ScopeSet(["https://api/b", "https://api/a"])
        try store.refresh(grant(account(), mark: "two", scopes: two))
        let asked = ScopeSet(text: "https://api/a https://api/b")
        #expect(try store.secret(.access(account(), asked))?.secret == "access-\(ana)|B2C_1_susi|two")
        #expect(try store.secret(.access(account(), read))?.secret == "access-\(ana)|B2C_1_susi|1")
        #expect(try store.secret(.access(account(), ScopeSet(["https://api/a"]))) == nil)
    }

    @Test func refreshReplacesTokensAndClaims() throws {
        try store.refresh(grant(account(), profile: Profile(name: "Ana Neu"), mark: "2", receivedOn: 2_000))
        let stored = try #require(try store.account(account()))
        #expect(stored.profile.name == "Ana Neu" && stored.claims.contains("|2"))
        #expect(stored.signedInOn == 1_000 && stored.claimsOn == 2_000 && stored.authority == authority)
        #expect(stored.tokens.map(\.savedOn) == [2_000, 2_000, 2_000])
        #expect(try store.secret(.refresh(account()))?.secret.hasSuffix("|2") == true)
    }

    @Test func withoutANewRefreshTokenTheOldOneStays() throws {
        try store.refresh(grant(account(), mark: "2", scopes: nil, refreshable: false))
        #expect(try store.secret(.refresh(account()))?.secret.hasSuffix("|1") == true)
        #expect(try store.secret(.access(account(), read))?.secret.hasSuffix("|1") == true)
        #expect(try store.secret(.id(account()))?.secret.hasSuffix("|2") == true)
    }

    @Test func refreshDoesNotBringARemovedAccountBack() throws {
        _ = try store.remove(account())
        #expect(kind { try store.refresh(grant(account(), mark: "2")) } == .missing)
        #expect(try store.accounts(of: scope).isEmpty)
    }

    @Test func aDeadRefreshTokenIsDroppedOnlyIfItIsStillThatOne() throws {
        try store.dropRefreshToken(account(), ifStill: "refresh-older")
        #expect(try store.secret(.refresh(account())) != nil)
        try store.dropRefreshToken(account(), ifStill: "refresh-\(ana)|B2C_1_susi|1")
        #expect(try store.secret(.refresh(account())) == nil)
        #expect(try store.secret(.access(account(), read)) != nil)
        try store.dropRefreshToken(account(ben), ifStill: "any")
    }

    @Test func aSignInDropsTheTokensThatItMakesOutdated() throws {
        let scopes = ["a", "b", "c"].map { ScopeSet([$0]) }
        for each in scopes { try store.refresh(grant(account(), mark: "\(each)", scopes: each)) }
        try store.save(
            grant(account(), mark: "2", scopes: scopes[0]), in: scope, authority: authority, makeCurrent: true,
            alsoFor: [scopes[2]], dropping: { $0 == scopes[1] })
        let ends = try scopes.map { try store.secret(.access(account(), $0))?.secret.suffix(2) }
        #expect(ends == ["|2", nil, "|2"])
        #expect(try store.secret(.access(account(), read)) != nil)
    }

    @Test(
        "a sign-in for other scopes keeps the older refresh token for its own, and drops those that it covers",
        arguments: [
            (["a", "b"], ["a"]), (["a", "a b"], []), (["a b", "a"], ["a b"]), (["a", "b", "a"], ["b"]),
            (["a", "b", "c", "b d"], ["a", "c"]), (["a", ""], ["a"]), (["", "a"], []), (["a", "x", "b"], ["a"]),
        ])
    func keepsRefreshTokenForScopes(signIns: [String], kept: [String]) throws {
        for (number, scopes) in signIns.enumerated() {
            let asked = scopes.isEmpty ? nil : ScopeSet(text: scopes)
            try store.save(
                grant(account(), mark: "\(number)", scopes: asked), in: scope, authority: authority, makeCurrent: true,
                dropping: { $0 == read || $0 == ScopeSet(["x"]) })
        }
        let tokens = try #require(try store.account(account())).tokens.filter { $0.kind == .refresh }
        #expect(tokens.map(\.scopes.description) == [""] + kept)
        #expect(tokens.map(\.granted.description) == [signIns.last ?? ""] + kept)
        let last = signIns.count - 1
        #expect(try store.secret(.refresh(account()))?.secret.hasSuffix("|\(last)") == true)
        for scopes in kept {
            let place = signIns.firstIndex(of: scopes).map { "|\($0)" }
            let token = try store.secret(.refresh(account(), ScopeSet(text: scopes)))
            #expect(place.map { token?.secret.hasSuffix($0) } == true)
        }
    }

    @Test("a refresh replaces the refresh token that it redeemed, and claims only with the latest")
    func replacesRedeemedRefreshToken() throws {
        let (kept, text) = (TokenKey.refresh(account(), read), "refresh-\(ana)|B2C_1_susi")
        try store.signIn(grant(account(), mark: "2", scopes: ScopeSet(["b"])))
        let refresh = { (mark: String, old: String) in
            try store.refresh(
                grant(account(), mark: mark, scopes: ScopeSet([mark]), receivedOn: 2_000), in: scope,
                redeeming: "\(text)|\(old)")
        }
        try refresh("3", "1")
        #expect(try store.secret(kept)?.secret == "\(text)|3" && store.secret(kept)?.info.granted == read)
        #expect(try store.secret(.refresh(account()))?.secret == "\(text)|2")
        #expect(try store.account(account())?.claims.contains("|2") == true)
        try refresh("4", "2")
        let latest = try #require(try store.secret(.refresh(account())))
        #expect(latest.secret == "\(text)|4" && latest.info.granted == ScopeSet(["b"]))
        #expect(try store.account(account())?.claims.contains("|4") == true)
        // A sign-in has replaced it meanwhile.
        try refresh("5", "1")
        #expect(try store.secret(kept)?.secret == "\(text)|3" && store.secret(.refresh(account())) == latest)
        #expect(try store.secret(.access(account(), ScopeSet(["5"]))) != nil)
        #expect(try store.account(account())?.claims.contains("|4") == true)
        try store.dropRefreshToken(account(), ifStill: "\(text)|3")
        #expect(try store.secret(kept) == nil && store.secret(.refresh(account())) == latest)
    }

    @Test func documentsAreReplacedAndRemovedAfterTheirLifetime() throws {
        let keep = { (text: String, address: String, time: Int64) in
            try store.keepDocument(Array(text.utf8), at: address, fetchedOn: time, lifetime: 100)
        }
        #expect(try store.document(at: "https://a") == nil)
        try keep("1", "https://a", 1_000)
        try keep("2", "https://b", 1_000)
        try keep("3", "https://a", 1_100)
        let found = try #require(try store.document(at: "https://a"))
        #expect(found.body == Array("3".utf8) && found.fetchedOn == 1_100)
        #expect(try store.document(at: "https://b")?.body == Array("2".utf8))
        try keep("4", "https://c", 1_101)
        #expect(try store.document(at: "https://b") == nil && store.document(at: "https://a") != nil)
    }
}
