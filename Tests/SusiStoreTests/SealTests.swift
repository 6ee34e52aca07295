import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

@Suite struct SealTests {
    let home = TemporaryStore()
    let store: AccountStore
    let raw: Connection
    let edit = account(ana, PolicyName("B2C_1_edit"))

    init() throws {
        store = try home.open()
        for account in [account(), account(ben), edit] { try store.signIn(grant(account)) }
        raw = try home.raw()
    }

    private static func token(
        _ subject: String, _ kind: String, _ policy: String = "b2c_1_susi", client clientID: String = client
    ) -> String {
        """
        k.id = (SELECT k.id FROM tokens AS k JOIN accounts AS a ON a.id = k.account JOIN persons AS p ON p.id = a.person
        WHERE p.subject = '\(subject)' AND a.client_id = '\(clientID)' AND a.policy_key = '\(policy)' AND k.kind = '\(kind)')
        """
    }

    private func sealed(_ place: String) throws -> [UInt8] {
        try #require(try raw.first("SELECT secret FROM tokens AS k WHERE \(place)") { try $0.blob(0) })
    }

    private func put(_ bytes: [UInt8], _ place: String) throws {
        #expect(try raw.execute("UPDATE tokens AS k SET secret = ? WHERE \(place)", [.blob(bytes)]) == 1)
    }

    private func broken(_ key: TokenKey) throws {
        let error = try #require(throws: StoreError.self) { try store.secret(key) }
        #expect(error.fact == .sealBroken("\(key.kind.rawValue) token", key.account))
    }

    @Test(arguments: [
        (ben, "refresh", "b2c_1_susi"), (ana, "access", "b2c_1_susi"), (ana, "id", "b2c_1_susi"),
        (ana, "refresh", "b2c_1_edit"),
    ])
    func aTokenOfAnotherRowDoesNotOpen(subject: String, kind: String, policy: String) throws {
        let (mine, other) = (Self.token(ana, "refresh"), Self.token(subject, kind, policy))
        let (first, second) = (try sealed(mine), try sealed(other))
        try put(second, mine)
        try put(first, other)
        try broken(.refresh(account()))
        #expect(try store.account(account()) != nil, "the rest works")
        try put(first, mine)
        #expect(try store.secret(.refresh(account())) != nil)
    }

    @Test(arguments: TokenKind.allCases) func aTokenOfAnotherClientDoesNotOpen(kind: TokenKind) throws {
        let other = account(client: "22222222-2222-2222-2222-222222222222")
        try store.signIn(grant(other))
        let mine = Self.token(ana, kind.rawValue)
        let theirs = Self.token(ana, kind.rawValue, client: other.clientID)
        let (first, second) = (try sealed(mine), try sealed(theirs))
        try put(second, mine)
        try put(first, theirs)
        let scopes = kind == .access ? read : ScopeSet([])
        for owner in [account(), other] { try broken(.of(kind, account: owner, scopes: scopes)) }
    }

    @Test func claimsAndTokensDoNotChangePlaces() throws {
        let claims = try #require(
            try raw.first(
                "SELECT claims FROM accounts JOIN persons AS p ON p.id = person WHERE p.subject = ? AND policy_key = ?",
                [.text(ana), .text("b2c_1_susi")]
            ) { try $0.blob(0) })
        let id = try sealed(Self.token(ana, "id"))
        // Both are bound to the id token's key and differ only in the column.
        try put(claims, Self.token(ana, "id"))
        try broken(.id(account()))
        try raw.execute("UPDATE accounts SET claims = ? WHERE claims = ?", [.blob(id), .blob(claims)])
        #expect(kind { _ = try store.account(account()) } == .sealBroken)
        #expect(kind { _ = try store.current(susi, in: scope) } == nil, "the current one is ben")
        try store.makeCurrent(account())
        #expect(kind { _ = try store.current(susi, in: scope) } == .sealBroken)
    }

    @Test func listsAndRemovalsGoOnBesideABrokenSeal() throws {
        try raw.execute(
            "UPDATE accounts SET claims = x'00' WHERE person IN (SELECT id FROM persons WHERE subject = ?)",
            [.text(ana)])
        let listed = try store.accounts(of: scope)
        #expect(listed.map { $0.damage?.kind } == [.sealBroken, .sealBroken, nil])
        #expect(listed.map(\.claims.isEmpty) == [true, true, false])
        #expect(try store.account(account(ben)) != nil)
        #expect(try store.remove(account()).account.damage?.kind == .sealBroken)
    }

    @Test func noNonceIsUsedTwice() throws {
        func nonces() throws -> [[UInt8]] {
            try raw.rows("SELECT secret FROM tokens UNION ALL SELECT claims FROM accounts") {
                Array(try $0.blob(0).prefix(12))
            }
        }
        var all = try nonces()
        // The same values are encrypted again.
        try store.signIn(grant(account()))
        try store.signIn(grant(account(ben)))
        try store.signIn(grant(edit))
        all += try nonces()
        #expect(all.count == 24 && Set(all).count == 24)
    }

    @Test func cutOrAlteredBytesDoNotOpen() throws {
        let place = Self.token(ana, "refresh")
        let whole = try sealed(place)
        for count in [0, 1, 11, 12, 27, 28, whole.count - 1] {
            try put(Array(whole.prefix(count)), place)
            try broken(.refresh(account()))
        }
        for index in [0, 11, 12, whole.count / 2, whole.count - 1] {
            var altered = whole
            altered[index] ^= 1
            try put(altered, place)
            try broken(.refresh(account()))
        }
        try put(whole + [0], place)
        try broken(.refresh(account()))
        try put(whole, place)
        try raw.execute("UPDATE tokens AS k SET key_id = zeroblob(8) WHERE \(place)")
        try broken(.refresh(account()))
    }

    @Test func aRowThatWasGivenToAnotherAccountDoesNotOpen() throws {
        try raw.execute("UPDATE tokens AS k SET kind = 'access', scopes = 'x' WHERE \(Self.token(ana, "refresh"))")
        try broken(.access(account(), ScopeSet(["x"])))
        try raw.execute("UPDATE tokens AS k SET scopes = 'wide' WHERE k.scopes = ?", [.text(read.description)])
        try broken(.access(account(ben), ScopeSet(["wide"])))
        #expect(
            kind { _ = try store.cachedAccessToken(current: susi, in: scope, scopes: ScopeSet(["wide"])) }
                == .sealBroken)
    }
}
