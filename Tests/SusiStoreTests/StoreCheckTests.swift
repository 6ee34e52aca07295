import Foundation
import SusiBase
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SystemPackage
import Testing

@testable import SusiStore

/// The check of the whole store.
@Suite struct StoreCheckTests {
    let home = TemporaryStore()
    let edit = account(ana, PolicyName("B2C_1_edit"))

    init() throws {
        let store = try home.open()
        for account in [account(), edit, account(ben)] { try store.signIn(grant(account)) }
    }

    private func found(_ kind: StoreCheck.Finding.Kind) throws -> [String] {
        try StoreCheck.run(home.folder).findings.filter { $0.kind == kind }.map(\.what)
    }

    @Test func findsNothingInAnIntactStore() throws {
        let before = try home.contents()
        let check = try StoreCheck.run(home.folder)
        #expect(check.isGood && check.findings == [] && !check.isRepairable)
        #expect(check.accounts == 3 && check.goodAccounts == 3 && check.persons == 2 && check.tokens == 9)
        #expect(try home.contents() == before)
    }

    @Test func throwsMissingWithoutAStore() throws {
        let empty = TemporaryStore()
        #expect(kind { _ = try StoreCheck.run(empty.folder) } == .missing)
        #expect(!FileManager.default.fileExists(atPath: empty.folder.path.string))
        #expect(kind { _ = try StoreRepair.run(empty.folder, now: 5) } == .missing)
        try empty.folder.prepare()
        #expect(kind { _ = try StoreCheck.run(empty.folder) } == .missing)
        // A first sign-in that ended at once leaves an empty file.
        try empty.put(Data())
        #expect(kind { _ = try StoreCheck.run(empty.folder) } == .missing)
        let copy = empty.home.appending("copy")
        #expect(kind { _ = try StoreBackup.make(of: empty.folder, at: copy) } == .missing)
    }

    @Test func countsWhatCannotBeDecrypted() throws {
        let raw = try home.raw()
        try raw.execute("UPDATE tokens SET secret = zeroblob(60) WHERE kind <> 'id' AND account = 1")
        try raw.execute("UPDATE accounts SET claims = zeroblob(60) WHERE policy_key = 'b2c_1_edit'")
        let check = try StoreCheck.run(home.folder)
        #expect(try found(.seal) == ["accounts that cannot be decrypted: 1", "tokens that cannot be decrypted: 2"])
        #expect(check.findings.count == 2 && check.isRepairable)
        #expect(check.accounts == 3 && check.goodAccounts == 1)
    }

    @Test func reportsRowsWithoutTheirOwners() throws {
        try home.raw().execute("DELETE FROM accounts WHERE policy_key = 'b2c_1_edit'")
        #expect(try found(.reference).contains("rows of tokens that refer to missing rows: 3"))
    }

    @Test func reportsForeignAndMissingTables() throws {
        let raw = try home.raw()
        try raw.execute("CREATE TABLE theirs (x)")
        try raw.execute("DROP INDEX tenant_group_names_by_group")
        #expect(
            try found(.schema) == [
                "index tenant_group_names_by_group differs from the schema that susi creates",
                "table theirs differs from the schema that susi creates",
            ])
    }

    @Test func reportsAMissingTableThatItCannotRead() throws {
        try home.raw().execute("DROP TABLE tokens")
        #expect(try found(.schema).contains("table tokens differs from the schema that susi creates"))
        #expect(try found(.structure).contains { $0.contains("no such table") })
    }

    @Test(arguments: [nil, "", "rubbish\n"]) func reportsAMissingOrInvalidKey(content: String?) throws {
        SmallFile.remove(home.folder.key.string)
        if let content { try home.put(Data(content.utf8), at: home.folder.key) }
        let check = try StoreCheck.run(home.folder)
        #expect(!check.isGood && check.accounts == 3 && check.goodAccounts == 0)
        let fact = content.map { StoreError.Fact.keyDamaged(isEmpty: $0.isEmpty) } ?? .keyMissing
        #expect(check.keyError == StoreError(fact, home.folder.key))
        #expect(!check.isRepairable, "a repair would find nothing that opens")
    }

    @Test func reportsAnotherStoresKey() throws {
        let other = TemporaryStore()
        do { _ = try other.open() }
        try home.put(try #require(FileManager.default.contents(atPath: other.folder.key.string)), at: home.folder.key)
        #expect(try StoreCheck.run(home.folder).keyError?.kind == .otherKey)
        SmallFile.remove(other.folder.key.string)
        #expect(try StoreCheck.run(other.folder).isGood, "nothing is encrypted there")
    }

    @Test(arguments: [0, 16, 100, 4_096, 8_192, 20_480]) func reportsADamagedPage(offset: Int) throws {
        var bytes = try home.contents()
        let end = offset < 4_096 ? offset + 16 : offset + 4_096
        bytes.replaceSubrange(offset..<end, with: Data(repeating: 0xff, count: end - offset))
        try home.put(bytes)
        do {
            let check = try StoreCheck.run(home.folder)
            #expect(!check.findings.contains { $0.what.contains("\n") || $0.what.contains("***") })
            #expect(!check.isGood && check.isRepairable)
        } catch { #expect(error.kind == .damaged || error.kind == .notOurs) }
        #expect(try home.contents() == bytes)
    }

    // MARK: The log

    /// Makes a store whose last four changes are only in the log, as after a sudden death. Returns a copy of the log.
    private func leaveLog() throws -> Data {
        let keeper = try home.raw()
        try keeper.keepWALOnClose()
        _ = try keeper.first("SELECT count(*) FROM persons") { try $0.integer(0) }
        let store = try home.open()
        for number in 0..<4 { try store.signIn(grant(account("subject-\(number)"))) }
        return try #require(FileManager.default.contents(atPath: home.folder.beside("-wal").string))
    }

    @Test("a log whose end is damaged, or missing after an interrupted write, loses only the last change")
    func losesOnlyTheChangesBehindADamagedLogFrame() throws {
        let before = try home.contents()
        let log = try leaveLog()
        var changed = log
        changed[log.count - 77] ^= 1
        for log in [changed, log.dropLast(1_000)] {
            // The database as it was before the log.
            for suffix in StoreFolder.companions { SmallFile.remove(home.folder.beside(suffix).string) }
            try home.put(before)
            try home.put(log, at: home.folder.beside("-wal"))
            #expect(try StoreCheck.run(home.folder).isGood)
            #expect(try home.open().accounts(of: scope).count == 6)
            #expect(try StoreCheck.run(home.folder).isGood)
        }
    }
}
