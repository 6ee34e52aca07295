import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SystemPackage
import Testing

@testable import SusiStore

/// The database file: other programs, damage, simultaneous use.
@Suite struct FileTests {
    let home = TemporaryStore()

    private func write(_ bytes: Data) throws {
        try home.folder.prepare()
        try home.put(bytes)
    }

    @Test func onlyALogWithContentIsALog() throws {
        try home.folder.prepare()
        let log = home.folder.beside("-wal")
        #expect(try !home.folder.hasReadableLog())
        try home.put(Data(), at: log)
        #expect(try !home.folder.hasReadableLog())
        try home.put(Data("log".utf8), at: log)
        #expect(try home.folder.hasReadableLog())
    }

    @Test func anotherProgramsDatabaseIsLeftAlone() throws {
        try write(Data())
        do { try home.raw().execute("CREATE TABLE theirs (x)") }
        let before = try home.contents()
        #expect(kind { _ = try home.open() } == .notOurs)
        #expect(kind { _ = try AccountStore(existing: home.folder) } == .notOurs)
        #expect(try home.contents() == before)
        #expect(!FileManager.default.fileExists(atPath: home.folder.key.string))
    }

    @Test func aFileThatIsNoDatabaseIsLeftAlone() throws {
        let text = Data(String(repeating: "no database. ", count: 1_000).utf8)
        try write(text)
        #expect(kind { _ = try home.open() } == .damaged)
        #expect(kind { _ = try AccountStore(existing: home.folder) } == .damaged)
        #expect(try home.contents() == text)
    }

    @Test func aDamagedFileIsSaid() throws {
        do { try home.open().signIn(grant(account())) }
        var bytes = try home.contents()
        // Overwrites every page but the first, so that the schema can be read and the rows cannot.
        bytes.replaceSubrange(4_096..., with: Data(repeating: 0xff, count: bytes.count - 4_096))
        try write(bytes)
        #expect(kind { _ = try AccountStore(existing: home.folder)?.account(account()) } == .damaged)
    }

    @Test func anEmptyFileBecomesAStore() throws {
        try write(Data())
        #expect(try AccountStore(existing: home.folder) == nil)
        try home.open().signIn(grant(account()))
        #expect(try home.open().account(account()) != nil)
    }

    @Test func theSchemaRefusesBadRows() throws {
        try home.open().signIn(grant(account()))
        let raw = try home.raw()
        try raw.execute("PRAGMA foreign_keys = ON")
        for sql in [
            "UPDATE tokens SET kind = 'other'", "UPDATE tokens SET scopes = 'x' WHERE kind = 'id'",
            "UPDATE tokens SET account = 99", "UPDATE tokens SET key_id = x'00'", "UPDATE tokens SET secret = NULL",
            "UPDATE persons SET subject = ''", "UPDATE persons SET emails = '{}'",
            "UPDATE accounts SET claims_on = 'x'",
            "UPDATE accounts SET tenant = 99", "UPDATE current_accounts SET policy_key = 'other'",
            "UPDATE current_accounts SET role = 'third'", "UPDATE current_accounts SET tenant_group = 99",
            "UPDATE tenant_group_members SET tenant = 99", "INSERT INTO tenant_groups (tenant) VALUES (1)",
        ] {
            #expect(throws: SQLiteError.self, "\(sql)") { try raw.execute(sql) }
        }
        try raw.execute("DELETE FROM persons")
        for table in ["accounts", "tokens", "current_accounts"] {
            #expect(try raw.first("SELECT count(*) FROM \(table)") { try $0.integer(0) } == 0, "\(table)")
        }
    }

    @Test func aReaderSeesWhatAnotherWrites() throws {
        let writer = try home.open()
        try writer.signIn(grant(account()))
        let reader = try #require(try AccountStore(existing: home.folder))
        #expect(try reader.accounts(of: scope).count == 1)
        let seen = try reader.accounts(of: [scope]) { accounts in
            // A list keeps the state at its start and does not block the writer.
            #expect(kind { try writer.signIn(grant(account(ben), profile: Profile(name: "Zoe"))) } == nil)
            return accounts
        }
        #expect(seen.count == 1)
        #expect(try reader.accounts(of: scope).count == 2)
    }

    @Test func aHeldLockIsBusyForWritersOnly() throws {
        let store = try home.open(busyTimeout: 10)
        try store.signIn(grant(account()))
        let other = try home.raw()
        try other.write { () throws in
            #expect(kind { try store.signIn(grant(account(ben))) } == .busy)
            #expect(try store.account(account()) != nil)
            #expect(try AccountStore(existing: home.folder)?.account(account()) != nil)
        }
        try store.signIn(grant(account(ben)))
    }

    @Test func aStoreForReadingWritesNothing() throws {
        do { try home.open().signIn(grant(account())) }
        let before = try home.contents()
        do {
            let reader = try #require(try AccountStore(existing: home.folder))
            #expect(try reader.cachedAccessToken(current: susi, in: scope, scopes: read) != nil)
            #expect(kind { try reader.signIn(grant(account(ben))) } == .sqlite)
            #expect(kind { _ = try reader.remove(account()) } == .sqlite)
        }
        #expect(try home.contents() == before)
    }

    @Test(.timeLimit(.minutes(5)), arguments: 0..<2)
    func manyOpenTheFirstTimeAtOnce(_: Int) async throws {
        let folder = home.folder
        let errors: [StoreError] = await withTaskGroup(of: StoreError?.self) { group in
            for number in 0..<12 {
                group.addTask { @concurrent in
                    do {
                        let store = try AccountStore(opening: folder)
                        try store.signIn(grant(account("subject-\(number)")))
                        return nil
                    } catch {
                        return error as? StoreError
                    }
                }
            }
            return await group.reduce(into: [StoreError]()) { if let error = $1 { $0.append(error) } }
        }
        #expect(errors.isEmpty, "\(errors)")
        let stored = try home.open().accounts(of: scope)
        #expect(stored.count == 12 && stored.allSatisfy { $0.damage == nil })
        #expect(stored.filter(\.isCurrent).count == 1)
    }

    /// Values that the schema cannot check are checked when they are read.
    @Test func addressesThatCannotBeReadAreDamage() throws {
        let store = try home.open()
        try store.signIn(grant(account()))
        try home.raw().execute("UPDATE persons SET emails = '[1]'")
        #expect(kind { _ = try store.account(account()) } == .damaged)
        #expect(kind { _ = try store.accounts(of: scope) } == .damaged)
        #expect(try store.secret(.refresh(account())) != nil)
    }

    /// A reader changes no file, even if it closes last and the log has changes that are not in the database file yet.
    @Test func aReaderLeavesEveryFileAsItIs() throws {
        func sizes() throws -> [String: Int] {
            let files = FileManager.default
            return try files.contentsOfDirectory(atPath: home.folder.path.string).reduce(into: [:]) { sizes, name in
                let path = home.folder.path.appending(name).string
                sizes[name] = try files.attributesOfItem(atPath: path)[.size] as? Int
            }
        }
        _ = try home.open()
        do {
            let other = try home.raw()
            try other.keepWALOnClose()
            _ = try other.first("SELECT count(*) FROM persons") { try $0.integer(0) }
            try home.open().signIn(grant(account()))
            _ = try other.first("SELECT count(*) FROM persons") { try $0.integer(0) }
        }
        let (before, database) = (try sizes(), try home.contents())
        #expect(try #require(before["store.sqlite-wal"]) > 0)
        #expect(try AccountStore(existing: home.folder)?.accounts(of: scope).count == 1)
        #expect(try sizes() == before)
        #expect(try home.contents() == database)
    }
}
