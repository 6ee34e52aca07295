import Foundation
import SusiPolicies
import SusiSQLite
import SystemPackage
import Testing

@testable import SusiStore

/// The schema of a new store, and files with another one.
@Suite struct SchemaTests {
    let home = TemporaryStore()

    @Test func aNewStoreHasTheSchema() throws {
        _ = try home.open()
        _ = try home.open()
        let raw = try home.raw()
        #expect(try raw.first("PRAGMA journal_mode") { try $0.text(0) } == "wal")
        #expect(try raw.first("PRAGMA application_id") { try $0.integer(0) } == 0x7375_7369)
        #expect(try raw.first("PRAGMA user_version") { try $0.integer(0) } == 14)
        let strict = try raw.rows(
            "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ) { "\(try $0.text(0)) \(try $0.integer(1))" }
        let tables = [
            "accounts", "current_accounts", "documents", "pending_claims", "person_homes", "persons", "sealing",
            "sharing",
            "sign_outs", "tenant_group_members", "tenant_group_names", "tenant_groups", "tenants", "tokens",
        ]
        #expect(strict == tables.map { "\($0) 1" })
    }

    @Test(
        "another version, or another program's file (nil), is refused and stays as it is",
        arguments: [0, 1, 13, 15, 99, nil])
    func refusesAnotherVersionAndChangesNothing(version: Int64?) throws {
        do { try home.open().signIn(grant(account())) }
        try set(version.map { "user_version = \($0)" } ?? "application_id = 7")
        let before = try files()
        #expect(before["store.sqlite-wal"]?.isEmpty == false)
        let copy = home.home.appending("copy.sqlite")
        for attempt: () throws -> Void in [
            { _ = try home.open() }, { _ = try AccountStore(existing: home.folder) },
            { _ = try StoreBackup.make(of: home.folder, at: copy) }, { _ = try StoreCheck.run(home.folder) },
            { _ = try StoreRepair.run(home.folder, now: 5) },
        ] {
            let error = try #require(throws: StoreError.self) { try attempt() }
            let fact = version.map { StoreError.Fact.otherSchema($0, expected: Schema.version) } ?? .otherProgram
            #expect(error.fact == fact)
        }
        #expect(try files() == before)
        #expect(!FileManager.default.fileExists(atPath: copy.string))
    }

    @Test("a store of an earlier version takes the steps that it lacks, all or none, and no other file does")
    func takesMissingSteps() throws {
        do { try home.open().signIn(grant(account())) }
        let raw = try home.raw()
        let note = "ALTER TABLE accounts ADD COLUMN note TEXT"
        let steps = [note, "UPDATE accounts SET note = 'kept'"]
        let version = { try raw.first("PRAGMA user_version") { try $0.integer(0) } ?? 0 }
        let first = Schema.version - Int64(Schema.steps.count)
        #expect(throws: SQLiteError.self) { try Schema.takeSteps([note, "UPDATE nothing SET a = 1"], in: raw) }
        #expect(try version() == first)
        try Schema.takeSteps([note], in: raw)
        #expect(try version() == first + 1)
        for _ in 1...2 { try Schema.takeSteps(steps, in: raw) }
        #expect(try raw.rows("SELECT note FROM accounts") { try $0.text(0) } == ["kept"])
        #expect(try version() == first + 2)
        for pragma in ["application_id = 7", "user_version = \(first - 1)"] {
            try raw.execute("PRAGMA \(pragma)")
            let before = try version()
            try Schema.takeSteps(steps + ["DROP TABLE accounts"], in: raw)
            #expect(try version() == before && raw.rows("SELECT note FROM accounts") { try $0.text(0) } == ["kept"])
        }
    }

    @Test func aReaderDoesNotBecomeTheWriterOfAnotherVersion() throws {
        do { try home.open().signIn(grant(account())) }
        do {
            let reader = try #require(try AccountStore(existing: home.folder))
            try set("user_version = \(Schema.version + 1)")
            #expect(kind { _ = try reader.becomeWriter(rule: .makesFile) } == .otherSchema)
            #expect(reader.isForReading)
        }
        #expect(try files()["store.sqlite-wal"]?.isEmpty == false)
    }

    /// Leaves the change in the log. A connection that closes last writes the log into the database, unless it refuses the file.
    private func set(_ pragma: String) throws {
        let raw = try home.raw()
        try raw.keepWALOnClose()
        try raw.execute("PRAGMA \(pragma)")
    }

    /// Every file of the store, without SQLite's shared memory.
    private func files() throws -> [String: Data] {
        try FileManager.default.subpathsOfDirectory(atPath: home.folder.path.string).reduce(into: [:]) { files, name in
            if name == "store.sqlite-shm" { return }
            files[name] = FileManager.default.contents(atPath: home.folder.path.appending(name).string) ?? Data()
        }
    }
}
