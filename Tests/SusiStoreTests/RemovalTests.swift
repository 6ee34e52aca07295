import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiStore
import Testing

@Suite struct RemovalTests {
    let home = TemporaryStore()
    let store: AccountStore
    let edit = account(ana, PolicyName("B2C_1_edit"))

    init() throws {
        store = try home.open()
        for account in [account(), edit, account(ben)] { try store.signIn(grant(account)) }
    }

    @Test func removesThatAccountOnly() throws {
        let removal = try store.remove(account())
        #expect(removal.account.account == account() && !removal.personGone && removal.isErased)
        #expect(removal.tokens.map(\.kind) == [.access, .id, .refresh])
        #expect(try store.account(account()) == nil)
        #expect(try store.secret(.refresh(account())) == nil)
        #expect(try store.accounts(of: scope).map(\.account) == [edit, account(ben)])
        #expect(try store.secret(.refresh(edit)) != nil)
        #expect(try store.current(edit.policy, in: scope)?.account == edit)
    }

    @Test func thePersonGoesWithTheLastAccount() throws {
        #expect(try store.remove(edit).personGone == false)
        #expect(try store.remove(account()).personGone)
        let database = try home.raw()
        #expect(try database.rows("SELECT subject FROM persons") { try $0.text(0) } == [ben])
        #expect(try database.first("SELECT count(*) FROM tokens") { try $0.integer(0) } == 3)
        #expect(try database.first("SELECT count(*) FROM current_accounts") { try $0.integer(0) } == 1)
        #expect(kind { _ = try store.remove(account()) } == .missing)
    }

    @Test func sealedBytesAreGoneFromEveryFile() throws {
        let profile = Profile(name: "Ben Ärmel", emails: ["second@example.com"])
        try store.signIn(grant(account(ben), profile: profile, mark: "2", receivedOn: 2_000))
        let database = try home.raw()
        let sealed = try database.rows(
            """
            SELECT k.secret FROM tokens AS k JOIN accounts AS a ON a.id = k.account JOIN persons AS p ON p.id = a.person
            WHERE p.subject = '\(ben)' UNION ALL
            SELECT a.claims FROM accounts AS a JOIN persons AS p ON p.id = a.person WHERE p.subject = '\(ben)'
            """
        ) { try $0.blob(0) }
        #expect(sealed.count == 4)
        let before = try home.bytes()
        #expect(sealed.allSatisfy { before.range(of: Data($0)) != nil })
        // What is searched for is not encrypted, but erased.
        let words = ["second@example.com", "Ben Ärmel", ben, "\(ben)-b2c_1_susi"].map { Data($0.utf8) }
        #expect(words.allSatisfy { before.range(of: $0) != nil })
        #expect(before.range(of: Data("refresh-\(ben)".utf8)) == nil)
        #expect(before.range(of: Data(#"{"mark""#.utf8)) == nil)
        #expect(try store.remove(account(ben)).isErased)
        let after = try home.bytes()
        #expect(sealed.allSatisfy { after.range(of: Data($0)) == nil })
        #expect(words.allSatisfy { after.range(of: $0) == nil })
    }

    @Test func aReaderElsewhereOnlyDelaysTheErasing() throws {
        let quick = try home.open(busyTimeout: 10)
        let reader = try home.raw()
        try reader.read {
            _ = try reader.first("SELECT count(*) FROM tokens") { try $0.integer(0) }
            #expect(try quick.remove(account(ben)).isErased == false)
            #expect(try reader.first("SELECT count(*) FROM tokens") { try $0.integer(0) } == 9)
        }
        #expect(try quick.account(account(ben)) == nil)
    }
}
