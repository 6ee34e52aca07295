import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiStore

/// A store that an earlier version wrote opens, and nothing in it is lost.
@Suite struct MigrationTests {
    let home: TemporaryStore
    let edit = account(ana, PolicyName("B2C_1_edit"))
    let other = account(ben, tenant: Tenant(origin: "http://localhost:8480", id: guid))

    init() throws { home = try TemporaryStore() }

    private func install(_ version: Int64) throws { try StoreFixture.install(version, in: home.folder.path) }

    private func names(_ beginning: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.folder.path.string).filter {
            $0.hasPrefix(beginning)
        }
    }

    @Test func everyEarlierSchemaHasAStore() {
        #expect(StoreFixture.versions.starts(with: Array(1..<Migrations.newest)))
    }

    /// For the day when a new schema comes: the store of the newest one becomes a fixture.
    @Test(.enabled(if: TestEnvironment.variable("SUSI_WRITE_FIXTURE") != nil))
    func writesTheNewestFixture() throws {
        try install(try #require(StoreFixture.versions.last))
        _ = try home.open()
        try StoreFixture.write(home.folder.path)
    }

    @Test(arguments: StoreFixture.versions) func everythingIsKept(version: Int64) throws {
        try install(version)
        let isOlder = version < Migrations.newest
        #expect(kind { _ = try AccountStore(existing: home.folder) } == (isOlder ? .olderSchema : nil))
        let store = try home.open()
        let all = try store.accounts(of: scope)
        #expect(Set(all.map(\.account)) == [edit, account(), account(ben)] && all.count == 3)
        #expect(Set(all.map(\.claims)) == [#"{"id":12}"#, #"{"id":11}"#, #"{"id":13}"#])
        #expect(Set(all.filter(\.isCurrent).map(\.account)) == [edit, account()])
        #expect(all.allSatisfy { $0.damage == nil && $0.tokens.count == 3 })
        #expect(try store.current(susi, in: scope)?.account == account())
        #expect(try store.previous(susi, in: scope)?.account == account(ben))
        for (account, number) in [(account(), 11), (edit, 12), (account(ben), 13), (other, 14)] {
            #expect(try store.secret(.refresh(account))?.secret == "refresh-\(number)")
            #expect(try store.secret(.id(account))?.secret == "id-\(number)")
            #expect(try store.secret(.access(account, read))?.secret == "access-\(number)")
        }
        #expect(try store.cachedAccessToken(current: susi, in: scope, scopes: read)?.token.secret == "access-11")
        #expect(try store.find("ana@example.com", in: scope, policy: nil).count == 2)
        let local = ApplicationScope(origin: "http://localhost:8480", tenantName: guid, clientID: client)
        #expect(try store.current(susi, in: local)?.account == other)
        #expect(try store.accounts(of: [scope, local]).count == 4)
        // What came with the schemas in between.
        let partner = PolicyName("B2C_1_partner")
        #expect(try store.signedOut(partner, in: scope)?.label == (version >= 2 ? "ana@example.com" : nil))
        let document = "\(authority)/.well-known/openid-configuration"
        #expect(try store.document(at: document)?.body == (version >= 3 ? Array("{}".utf8) : nil))
        #expect(try (store.pendingClaims(of: account()) != nil) == (version >= 4))
        let imported = try store.imported(in: scope)
        #expect(imported.map(\.label) == (version >= 5 ? ["chi@example.com"] : []))
        #expect(try imported.map { try store.importedSecret($0.key) } == imported.map { _ in "refresh-chi" })
    }

    /// Terms are folded in Swift, so that no SQL can make them.
    @Test func whatWasStoredIsFoundListedAndCounted() throws {
        try install(1)
        try home.raw().execute("UPDATE persons SET name = 'ÁNA' WHERE id = 1")
        try home.raw().execute("UPDATE persons SET name = 'ana@example.com', label = 'ana@example.com' WHERE id = 2")
        let store = try home.open()
        #expect(try store.find("ANA@example.com", in: scope, policy: nil).map(\.account) == [edit, account()])
        #expect(try store.find("ána", in: scope, policy: susi).map(\.account) == [account()])
        #expect(try store.find("b1000000", in: scope, policy: nil).map(\.account) == [account(ben)])
        #expect(
            try store.find("\(ana.uppercased())-b2c_1", in: scope, policy: nil).map(\.account) == [edit, account()])
        #expect(try store.count(of: [scope]) == 3)
        #expect(try store.count(of: [scope], policy: susi) == 2)
        #expect(try store.accounts(of: scope).map(\.label) == ["ana@example.com", "ana@example.com", ben])
        #expect(
            try home.raw().rows("SELECT label FROM persons ORDER BY id") { try $0.text(0) }.suffix(2) == [ben, ben])
    }

    @Test(arguments: StoreFixture.versions) func itWorksOnAndIsMigratedOnce(version: Int64) throws {
        try install(version)
        let store = try home.open()
        try store.signIn(grant(account(ben)))
        #expect(try store.current(susi, in: scope)?.account == account(ben))
        #expect(try store.previous(susi, in: scope)?.account == account())
        _ = try home.open()
        let raw = try home.raw()
        let steps = try raw.rows("SELECT name FROM migrations ORDER BY number") { try $0.text(0) }
        #expect(steps.starts(with: ["accounts", "audiences"]) && Int64(steps.count) == Migrations.newest)
        #expect(try raw.rows("PRAGMA foreign_key_check") { try $0.text(0) }.isEmpty)
        #expect(try raw.first("PRAGMA integrity_check") { try $0.text(0) } == "ok")
        #expect(try raw.first("PRAGMA user_version") { try $0.integer(0) } == Migrations.newest)
        #expect(try AccountStore(existing: home.folder)?.accounts(of: scope).count == 3)
        #expect(try StoreCheck.run(home.folder).findings == [])
    }

    @Test(arguments: StoreFixture.versions) func theSameSchemaAsAFreshOne(version: Int64) throws {
        try install(version)
        _ = try home.open()
        let fresh = try TemporaryStore()
        _ = try fresh.open()
        let sql = "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name"
        let schemas = try [home, fresh].map { store in try store.raw().rows(sql) { try $0.text(0) } }
        #expect(schemas[0] == schemas[1])
    }

    @Test(.timeLimit(.minutes(2))) func manyMigrateAtOnce() async throws {
        try install(1)
        let folder = home.folder
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    do {
                        _ = try AccountStore(opening: folder)
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: [any Error]()) { if let error = $1 { $0.append(error) } }
        }
        #expect(errors.isEmpty, "\(errors)")
        #expect(try home.open().accounts(of: scope).count == 3)
        #expect(try names("store.sqlite.before").isEmpty)
    }

    // MARK: The copy that a migration begins with

    private var backup: FilePath { home.folder.backup(before: Migrations.newest) }

    @Test func theCopyIsTheOldStoreAndGoesAtTheNextGoodOpening() throws {
        try install(1)
        do { _ = try home.open() }
        #expect(try names("store.sqlite.before") == [backup.lastComponent?.string])
        #expect(backup.string.hasSuffix(".before-00\(Migrations.newest)"))
        let attributes = try FileManager.default.attributesOfItem(atPath: backup.string)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        do {
            let copy = try Connection(path: backup.string, mode: .readOnly)
            #expect(try copy.first("PRAGMA user_version") { try $0.integer(0) } == 1)
            #expect(try copy.first("PRAGMA integrity_check") { try $0.text(0) } == "ok")
        }
        // Put back, it is the old store, key and all.
        let old = try TemporaryStore()
        try old.folder.prepare()
        for (from, to) in [(backup, old.folder.database), (home.folder.key, old.folder.key)] {
            try FileManager.default.copyItem(atPath: from.string, toPath: to.string)
        }
        #expect(try old.open().secret(.refresh(account()))?.secret == "refresh-11")
        #expect(try old.raw().first("PRAGMA journal_mode") { try $0.text(0) } == "wal")
        // A reader leaves it; the next one who writes has opened the new store well.
        _ = try AccountStore(existing: home.folder)?.accounts(of: scope)
        #expect(try !names("store.sqlite.before").isEmpty)
        do { _ = try home.open() }
        #expect(try names("store.sqlite.before").isEmpty)
    }

    @Test func aRemovalTakesTheCopyAwayFirst() throws {
        try install(1)
        let sealed = try home.raw().rows(
            """
            SELECT k.secret FROM tokens AS k JOIN accounts AS a ON a.id = k.account WHERE a.person = 2
            UNION ALL SELECT claims FROM accounts WHERE person = 2
            """
        ) { try $0.blob(0) }
        #expect(sealed.count == 4)
        let store = try home.open()
        #expect(try !names("store.sqlite.before").isEmpty)
        let before = try home.bytes()
        #expect(sealed.allSatisfy { before.range(of: Data($0)) != nil })
        #expect(try store.remove(account(ben)).isErased)
        let after = try home.bytes()
        #expect(sealed.allSatisfy { after.range(of: Data($0)) == nil })
        #expect(after.range(of: Data("refresh-13".utf8)) == nil)
        #expect(try names("store.sqlite.before").isEmpty)
        #expect(try store.secret(.refresh(account()))?.secret == "refresh-11")
    }

    @Test func anotherKeyTakesTheCopyAwayToo() throws {
        try install(1)
        let store = try home.open()
        #expect(try !names("store.sqlite.before").isEmpty)
        #expect(try store.rekey(to: NewKey(for: .file, lifetime: 0)).isErased)
        #expect(try names("store.sqlite.before").isEmpty)
        #expect(try store.secret(.refresh(account()))?.secret == "refresh-11")
    }

    @Test func aMigrationThatFailsLeavesTheOldStore() throws {
        try install(2)
        // A table that the next step makes is there already.
        try home.raw().execute("CREATE TABLE documents (x)")
        #expect(kind { _ = try home.open() } == .sqlite)
        let raw = try home.raw()
        #expect(try raw.first("PRAGMA user_version") { try $0.integer(0) } == 2)
        #expect(try raw.first("SELECT count(*) FROM tokens") { try $0.integer(0) } == 12)
        try raw.execute("DROP TABLE documents")
        #expect(try home.open().secret(.refresh(account()))?.secret == "refresh-11")
    }

    @Test func rowsWithoutTheirOwnersAreNotMigrated() throws {
        try install(3)
        try home.raw().execute("DELETE FROM persons WHERE id = 2")
        #expect(kind { _ = try home.open() } == .damaged)
        #expect(try home.raw().first("PRAGMA user_version") { try $0.integer(0) } == 3)
    }

    @Test func aCopyThatWasCutShortIsMadeAgain() throws {
        try install(1)
        try Data("half".utf8).write(to: URL(filePath: backup.string + ".new"))
        do { _ = try home.open() }
        #expect(try names("store.sqlite.before") == [backup.lastComponent?.string])
        let copy = try Connection(path: backup.string, mode: .readOnly)
        #expect(try copy.first("PRAGMA user_version") { try $0.integer(0) } == 1)
    }
}
