import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiStore

/// A made-up next migration: no data is lost, and this version refuses the migrated store.
@Suite struct MigrationTests {
    let home: TemporaryStore
    private static let next = Migrations(
        steps: Migrations.ours.steps + [
            Migrations.Step(number: 11, name: "notes") {
                Array(
                    """
                    CREATE TABLE notes (account INTEGER PRIMARY KEY REFERENCES accounts, text TEXT NOT NULL) STRICT;
                    INSERT INTO notes SELECT id, label FROM accounts;
                    """.utf8)
            }
        ])

    private static let steps = ["accounts", "homes of persons", "no waiting tokens", "sharing"]

    init() throws {
        home = try TemporaryStore()
        let store = try home.open()
        for account in [account(), account(ben)] { try store.signIn(grant(account)) }
    }

    private func migrate() throws { try Self.next.apply(to: home.raw(), in: home.folder) }

    private func names(_ beginning: String) -> [String] {
        StoreFolder.names(in: home.folder.path).filter { $0.hasPrefix(beginning) }
    }

    private func version(_ path: FilePath) throws -> Int64? {
        try Connection(path: path.string, mode: .readOnly).first("PRAGMA user_version") { try $0.integer(0) }
    }

    private func schema(_ database: Connection) throws -> [String] {
        try database.rows("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name") { try $0.text(0) }
    }

    /// Makes an empty store as an older version did.
    private func store(ofSchema version: Int64) throws -> TemporaryStore {
        let old = try TemporaryStore()
        try old.folder.prepare()
        let path = old.folder.database.string
        #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
        let raw = try Connection(path: path, mode: .readWrite)
        try Migrations.ours.make(version, in: raw)
        try Migrations.useLog(raw)
        return old
    }

    @Test func migratesAStoreOfTheFirstSchema() throws {
        let old = try store(ofSchema: 1)
        #expect(kind { _ = try AccountStore(existing: old.folder) } == .olderSchema)
        try old.open().signIn(grant(account()))
        #expect(try version(old.folder.database) == 10)
        #expect(try AccountStore(existing: old.folder)?.account(account()) != nil)
    }

    /// Tokens that waited for their first use are in the caches that they came from.
    @Test func dropsWaitingTokensAlone() throws {
        let old = try store(ofSchema: 8)
        try old.raw().execute(
            """
            INSERT INTO imported VALUES (1, 'https://login.example', 't', 'c', 'p', 'P', 'u', '', NULL, 'ana', 'msal', 5,
                zeroblob(8), zeroblob(60))
            """)
        try old.open().signIn(grant(account()))
        #expect(try version(old.folder.database) == 10)
        #expect(try StoreCheck.run(old.folder).isGood)
        #expect(try AccountStore(existing: old.folder)?.secret(.refresh(account())) != nil)
    }

    /// Their labels were readable.
    @Test func dropsNotesOfSignOuts() throws {
        let old = try store(ofSchema: 9)
        try old.raw().executeScript(
            """
            INSERT INTO audiences (id) VALUES (1);
            INSERT INTO sign_outs VALUES (1, 'c', 'p', 'eva@example.com', 5);
            """)
        #expect(try old.bytes().contains("eva@example.com".utf8))
        _ = try old.open()
        _ = try old.open()
        #expect(try !old.bytes().contains("eva@example.com".utf8))
    }

    @Test func keepsEveryRow() throws {
        let before = try home.raw().rows("SELECT secret FROM tokens ORDER BY id") { try $0.blob(0) }
        try migrate()
        let raw = try home.raw()
        #expect(try raw.rows("SELECT secret FROM tokens ORDER BY id") { try $0.blob(0) } == before)
        #expect(try raw.rows("SELECT text FROM notes") { try $0.text(0) } == ["ana@example.com", "ana@example.com"])
        #expect(
            try raw.rows("SELECT name FROM migrations ORDER BY number") { try $0.text(0) } == Self.steps + ["notes"])
        #expect(try raw.first("PRAGMA integrity_check") { try $0.text(0) } == "ok")
        try migrate()
        #expect(try version(home.folder.database) == 11, "a second run changes nothing")
    }

    @Test func makesTheSchemaOfANewStore() throws {
        try migrate()
        let fresh = try Connection(path: ":memory:")
        try Self.next.make(11, in: fresh)
        #expect(try schema(home.raw()) == schema(fresh))
    }

    @Test(.timeLimit(.minutes(5))) func migratesOnceWhenManyStart() async throws {
        let folder = home.folder
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    do {
                        try Self.next.apply(to: Connection(path: folder.database.string, mode: .readWrite), in: folder)
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: [any Error]()) { if let error = $1 { $0.append(error) } }
        }
        #expect(errors.isEmpty, "\(errors)")
        #expect(try version(home.folder.database) == 11)
    }

    /// A development build wrote the schemas 2 to 7.
    @Test(arguments: [2, 7, 11, 99]) func refusesANewerSchemaAndChangesNothing(version: Int64) throws {
        do { try home.raw().execute("PRAGMA user_version = \(version)") }
        let before = FileManager.default.contents(atPath: home.folder.database.string)
        #expect(kind { _ = try home.open() } == .newerSchema)
        #expect(kind { _ = try AccountStore(existing: home.folder) } == .newerSchema)
        #expect(kind { _ = try StoreCheck.run(home.folder) } == .newerSchema)
        #expect(kind { _ = try StoreRepair.run(home.folder, now: 5) } == .newerSchema)
        #expect(names("").filter { !$0.hasPrefix("store.sqlite-") } == ["key", "locks", "store.sqlite"])
        #expect(FileManager.default.contents(atPath: home.folder.database.string) == before)
    }

    // MARK: The copy made before a migration

    private var backup: FilePath { home.folder.backup(before: 11) }

    @Test func copiesTheOldStoreFirst() throws {
        try migrate()
        #expect(names("store.sqlite.before") == ["store.sqlite.before-011"])
        let attributes = try FileManager.default.attributesOfItem(atPath: backup.string)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // The restored copy is the old store.
        let old = try TemporaryStore()
        try old.folder.prepare()
        for (from, to) in [(backup, old.folder.database), (home.folder.key, old.folder.key)] {
            try FileManager.default.copyItem(atPath: from.string, toPath: to.string)
        }
        #expect(try old.open().secret(.refresh(account()))?.secret.hasPrefix("refresh-") == true)
        #expect(try old.raw().first("PRAGMA journal_mode") { try $0.text(0) } == "wal")
    }

    @Test func copiesAgainAfterACopyThatWasCutShort() throws {
        try Data("half".utf8).write(to: URL(filePath: backup.string + ".new"))
        try migrate()
        #expect(names("store.sqlite.before") == ["store.sqlite.before-011"])
        #expect(try version(backup) == 10)
    }

    @Test(arguments: ["open", "remove", "rekey"]) func removesTheCopy(by action: String) throws {
        let store = try home.open()
        try FileManager.default.copyItem(atPath: home.folder.database.string, toPath: backup.string)
        _ = try AccountStore(existing: home.folder)?.accounts(of: scope)
        #expect(!names("store.sqlite.before").isEmpty, "a reader leaves it")
        switch action {
        case "open": _ = try home.open()
        case "remove": #expect(try store.remove(account(ben)).isErased)
        default: #expect(try store.rekey(to: NewKey(for: .file, lifetime: 0)).isErased)
        }
        #expect(names("store.sqlite.before").isEmpty)
        #expect(try store.secret(.refresh(account())) != nil)
    }

    // MARK: Failures

    @Test func leavesTheOldStoreWhenAStepFails() throws {
        try home.raw().execute("CREATE TABLE notes (x)")
        #expect(throws: SQLiteError.self) { try migrate() }
        #expect(try version(home.folder.database) == 10)
        #expect(try home.open().secret(.refresh(account())) != nil)
    }

    @Test func refusesRowsThatReferToMissingRows() throws {
        try home.raw().execute("DELETE FROM persons WHERE id = 2")
        #expect(kind { try migrate() } == .damaged)
        #expect(try version(home.folder.database) == 10)
    }
}
