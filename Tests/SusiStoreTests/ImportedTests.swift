import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiStore
import SystemPackage
import Testing

/// Imported tokens: encrypted like all others, and not accounts until a verified grant replaces them.
@Suite struct ImportedTests {
    let home: TemporaryStore
    let store: AccountStore
    let raw: Connection

    init() throws {
        home = try TemporaryStore()
        store = try home.open()
        raw = try home.raw()
    }

    private func token(
        _ subject: String = ana, _ policy: PolicyName = susi, label: String = "ana@contoso.example", states: Bool = true
    ) -> ImportedToken {
        ImportedToken(
            key: ImportedToken.Key(
                scope: scope, policy: policy, home: HomeAccountID(uid: "\(subject)-\(policy.lowercased)", utid: guid)),
            subject: states ? subject : nil, label: label, source: "msal", importedOn: 500)
    }

    private func keep(_ token: ImportedToken, _ secret: String) throws -> ImportOutcome? {
        try store.keepImported([(token: token, secret: secret)]).first
    }

    @Test("signed claims must bear the name by which an imported token was chosen")
    func names() {
        let anas = grant(account(), profile: Profile(name: "ben@example.com", emails: ["ana@example.com"]))
        #expect(token().isOf(anas))
        for text in ["ana@example.com", "ANA@example.com", ana, token().key.home.description] {
            #expect(token().isOf(anas, named: text), "\(text)")
        }
        // The cache's label and a display name have this address, but neither is signed.
        #expect(!token(label: "carl@example.com").isOf(anas, named: "carl@example.com"))
        #expect(!token().isOf(anas, named: "ben@example.com"))
        #expect(!token().isOf(anas, named: String(ana.prefix(8))))
        #expect(!token(ben).isOf(anas))
        let nameless = { (label: String) in
            ImportedToken(
                key: .init(scope: scope, policy: susi, home: HomeAccountID(uid: label, utid: "")), subject: nil,
                label: label, source: "adal", importedOn: 500)
        }
        #expect(nameless("ana@example.com").isOf(anas) && !nameless("carl@example.com").isOf(anas))
    }

    @Test func theSameAgainChangesNothing() throws {
        #expect(try store.outcomeOfImporting(token(), secret: "refresh-secret-1") == .added)
        #expect(try keep(token(), "refresh-secret-1") == .added)
        #expect(try keep(token(), "refresh-secret-1") == .unchanged)
        #expect(try keep(token(), "refresh-secret-2") == .replaced)
        #expect(try store.importedSecret(token().key) == "refresh-secret-2")
        #expect(try store.imported(in: scope) == [token()])
        #expect(try store.imported(in: scope, policy: PolicyName("B2C_1_SUSI")).count == 1)
        #expect(try store.imported(in: scope, policy: PolicyName("b2c_1_other")).isEmpty)
        #expect(try store.accounts(of: scope).isEmpty, "an account was made")
        #expect(try home.bytes().range(of: Data("refresh-secret".utf8)) == nil)
    }

    @Test func anAccountKeepsItsToken() throws {
        try store.signIn(grant(account()))
        #expect(try keep(token(), "older") == .known)
        #expect(try keep(token(states: false), "older") == .known, "by the object id in the handle")
        #expect(try keep(token(ben), "older") == .added)
        let key = TokenKey.refresh(account())
        try store.dropRefreshToken(account(), ifStill: try #require(try store.secret(key)).secret)
        #expect(try keep(token(), "older") == .added, "ours is gone")
    }

    @Test func theFirstUsePutsAnAccountInItsPlace() throws {
        _ = try keep(token(), "refresh-imported")
        _ = try keep(token(ben, label: "ben"), "refresh-ben")
        try store.adopt(grant(account()), inPlaceOf: token().key, authority: authority, makeCurrent: true)
        #expect(try store.imported(in: scope).map(\.label) == ["ben"])
        #expect(try store.current(susi, in: scope)?.account == account())
        #expect(try store.importedSecret(token().key) == nil)
        // A sign-in of the same person removes the imported token too.
        try store.signIn(grant(account(ben)))
        #expect(try store.imported(in: scope).isEmpty)
    }

    @Test func whoCameBackIsCompared() {
        let other = PolicyName("B2C_1_other")
        #expect(token().isOf(grant(account())))
        #expect(!token().isOf(grant(account(ben))))
        #expect(token(states: false).isOf(grant(account())))
        #expect(!token(states: false).isOf(grant(account(ben))))
        #expect(!token(states: false).isOf(grant(account(ana, other))))
        let nameless = ImportedToken(
            key: ImportedToken.Key(
                scope: scope, policy: susi, home: HomeAccountID(uid: "ana@contoso.example", utid: "")),
            subject: nil, label: "ana", source: "adal", importedOn: 1)
        #expect(nameless.isOf(grant(account(ben))), "nothing to compare")
    }

    @Test func anotherRowsTokenDoesNotOpen() throws {
        _ = try keep(token(), "refresh-ana")
        _ = try keep(token(ben), "refresh-ben")
        try raw.execute(
            "UPDATE imported SET secret = (SELECT secret FROM imported WHERE subject = ?) WHERE subject = ?",
            [.text(ben), .text(ana)])
        #expect(kind { _ = try store.importedSecret(token().key) } == .sealBroken)
        #expect(try store.importedSecret(token(ben).key) == "refresh-ben")
        #expect(try store.imported(in: scope).count == 2, "listed all the same")
        #expect(try keep(token(), "refresh-new") == .replaced)
        #expect(try store.importedSecret(token().key) == "refresh-new")
        // The secret cannot be decrypted as a token of an account.
        try store.signIn(grant(account()))
        try raw.execute(
            "UPDATE tokens SET secret = (SELECT secret FROM imported WHERE subject = ?) WHERE kind = 'refresh'",
            [.text(ben)])
        #expect(kind { _ = try store.secret(.refresh(account())) } == .sealBroken)
    }

    @Test func aRemovedTokenIsInNoFile() throws {
        _ = try keep(token(), "refresh-ana")
        let sealed = try #require(try raw.first("SELECT secret FROM imported") { try $0.blob(0) })
        #expect(try home.bytes().range(of: Data(sealed)) != nil)
        #expect(try !store.removeImported(token().key, ifStill: "another"))
        #expect(try store.removeImported(token().key, ifStill: "refresh-ana"))
        #expect(try !store.removeImported(token().key))
        #expect(try home.bytes().range(of: Data(sealed)) == nil)
    }

    @Test func theKeyIsNotMadeAnewWhileSomethingIsSealed() throws {
        _ = try keep(token(), "refresh-ana")
        try FileManager.default.removeItem(atPath: home.folder.key.string)
        #expect(kind { _ = try home.open() } == .keyMissing)
    }
}
