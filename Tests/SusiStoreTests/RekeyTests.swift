import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SystemPackage
import Testing

@testable import SusiStore

/// The change to a new key, in one step.
@Suite struct RekeyTests {
    let home = TemporaryStore()
    let store: AccountStore
    let edit = account(ana, PolicyName("B2C_1_edit"))
    var all: [Account] { [account(), account(ben), edit] }

    init() throws {
        store = try home.open()
        for account in [account(), account(ben), edit] { try store.signIn(grant(account)) }
    }

    private func expectAll(in store: AccountStore, _ comment: Comment? = nil) throws {
        let accounts = try store.accounts(of: scope)
        #expect(accounts.count == 3 && accounts.allSatisfy { $0.damage == nil }, comment)
        for account in all {
            for key in [TokenKey.refresh(account), .id(account), .access(account, read)] {
                #expect(try store.secret(key)?.secret.contains(account.person.subject) == true, comment)
            }
        }
    }

    private func sealed() throws -> [[UInt8]] {
        try home.raw().rows("SELECT secret FROM tokens UNION ALL SELECT claims FROM accounts") { try $0.blob(0) }
    }

    @Test func everythingOpensWithTheNewKeyAndNothingOfTheOldOneStays() throws {
        let (before, key) = (try sealed(), try home.folder.keyRecord()?.key)
        let old = try #require(key)
        let new = NewKey(for: .file, lifetime: 0)
        let change = try store.rekey(to: new)
        #expect(change.resealed == 12 && change.dropped == 0 && change.isErased)
        #expect(change.old?.id == old.id)
        try expectAll(in: store)
        try expectAll(in: try home.open())
        try expectAll(in: try #require(try AccountStore(existing: home.folder)))
        #expect(try home.folder.keyRecord()?.id == new.key.id)
        let files = try home.bytes()
        #expect(before.count == 12 && before.allSatisfy { files.range(of: Data($0)) == nil })
        #expect(files.range(of: Data(old.digits.utf8)) == nil && files.range(of: Data(old.bytes)) == nil)
        #expect(!FileManager.default.fileExists(atPath: home.folder.newKey.string))
    }

    /// A repair by another process may leave a copy while this one has the store open.
    @Test func copiesWithTheOldKeyDoNotStay() throws {
        let before = try sealed()
        let copy = home.folder.repair.appending("store.sqlite")
        try FileManager.default.createDirectory(atPath: home.folder.repair.string, withIntermediateDirectories: true)
        _ = try checkpointed()
        try FileManager.default.copyItem(atPath: home.folder.database.string, toPath: copy.string)
        let copied = try home.bytes()
        #expect(before.allSatisfy { copied.range(of: Data($0)) != nil })
        #expect(try store.rekey(to: NewKey(for: .file, lifetime: 0)).isErased)
        let files = try home.bytes()
        #expect(before.allSatisfy { files.range(of: Data($0)) == nil })
        #expect(!FileManager.default.fileExists(atPath: copy.string))
        try expectAll(in: store)
    }

    /// Every table with an encrypted column has to be re-encrypted too.
    @Test func everySealedColumnIsAmongThem() throws {
        let tables = try home.raw().rows(
            """
            SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.type = 'table' AND c.name = 'key_id' ORDER BY m.name
            """
        ) { try $0.text(0) }
        #expect(tables == ["accounts", "sealing", "sign_outs", "tokens"])
        let leaver = account(ben, PolicyName("other"))
        try store.signIn(grant(leaver))
        _ = try store.remove([leaver], signedOutOn: 5_000)
        let new = NewKey(for: .file, lifetime: 0)
        _ = try store.rekey(to: new)
        for table in tables {
            let ids = try home.raw().rows("SELECT DISTINCT key_id FROM \(table)") { try $0.blob(0) }
            #expect(ids == [new.key.id.bytes], "\(table)")
        }
    }

    @Test func thoseWhoHaveItOpenFindTheNewKey() throws {
        let writer = try home.open()
        let reader = try #require(try AccountStore(existing: home.folder))
        try expectAll(in: writer)
        try expectAll(in: reader)
        _ = try store.rekey(to: NewKey(for: .file, lifetime: 0))
        try expectAll(in: reader)
        // The writer's first operation writes without reading any encrypted data.
        let chi = account("chi")
        try writer.signIn(grant(chi))
        #expect(try home.open().secret(.refresh(chi)) != nil)
        _ = try writer.remove(chi)
        try writer.signIn(grant(account(ben), mark: "2"))
        try expectAll(in: writer)
        try expectAll(in: try home.open())
    }

    /// The files on the disk if the process dies between two steps, assembled from real ones.
    @Test func whereverItDiesTheStoreOpens() throws {
        let files = FileManager.default
        func content(_ path: FilePath) throws -> Data { try #require(files.contents(atPath: path.string)) }
        let (old, rowsBefore) = (try content(home.folder.key), try checkpointed())
        let new = NewKey(for: .file, lifetime: 0)
        _ = try store.rekey(to: new)
        let (next, rowsAfter) = (try content(home.folder.key), try checkpointed())
        #expect(old != next && rowsBefore != rowsAfter)
        let half = Data(next.prefix(20))
        let steps: [(String, rows: Data, key: Data, new: Data?, temporary: Data?, isNew: Bool)] = [
            ("nothing yet", rowsBefore, old, nil, nil, false),
            ("half of the new file", rowsBefore, old, nil, half, false),
            ("the new file, rows as before", rowsBefore, old, next, nil, false),
            ("the rows", rowsAfter, old, next, nil, true),
            ("all", rowsAfter, next, nil, nil, true),
        ]
        for step in steps {
            for isReadFirst in [true, false] {
                let place = TemporaryStore()
                try place.folder.prepare()
                let temporary = FilePath(place.folder.key.string + ".tmp")
                for (path, data) in [
                    (place.folder.database, step.rows), (place.folder.key, step.key), (place.folder.newKey, step.new),
                    (temporary, step.temporary),
                ] {
                    if let data { try place.put(data, at: path) }
                }
                if isReadFirst {
                    try expectAll(in: try #require(try AccountStore(existing: place.folder)), "\(step.0)")
                }
                let opened = try place.open()
                try expectAll(in: opened, "\(step.0)")
                #expect(try place.folder.keyRecord()?.id == (step.isNew ? new.key.id : store(old)), "\(step.0)")
                #expect(!files.fileExists(atPath: place.folder.newKey.string), "\(step.0)")
                try opened.signIn(grant(account(ben), mark: "2"))
                _ = try opened.rekey(to: NewKey(for: .file, lifetime: 0))
                try expectAll(in: try place.open(), "\(step.0)")
            }
        }
    }

    private func store(_ key: Data) -> KeyID? { KeyRecord(Array(key))?.id }

    // Returns the whole database in one file.
    private func checkpointed() throws -> Data {
        _ = try home.raw().first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.integer(0) }
        return try home.contents()
    }

    @Test func aNewFileThatIsNoKeyFileIsDroppedWhileTheOldOneIsRight() throws {
        try home.put(Data("x".utf8), at: home.folder.newKey)
        #expect(try KeyFiles(folder: home.folder, given: nil).seal(of: home.raw()) != nil)
        try expectAll(in: try home.open())
        #expect(!FileManager.default.fileExists(atPath: home.folder.newKey.string))
    }

    @Test func aDamagedNewFileIsDroppedIfNothingIsToBeDecrypted() throws {
        let old = try #require(FileManager.default.contents(atPath: home.folder.key.string))
        _ = try store.rekey(to: NewKey(for: .file, lifetime: 0))
        let place = TemporaryStore()
        try place.folder.prepare()
        try place.put(try checkpointed())
        try place.put(old, at: place.folder.key)
        try place.put(Data("x".utf8), at: place.folder.newKey)
        #expect(kind { _ = try place.open() } == .keyDamaged)
        #expect(FileManager.default.fileExists(atPath: place.folder.newKey.string))
        let opened = try AccountStore(opening: place.folder, rule: .unneeded)
        #expect(try opened.count(of: [scope]) == 3)
        #expect(!FileManager.default.fileExists(atPath: place.folder.newKey.string))
    }

    @Test func whatDoesNotOpenIsNamedAndRefuses() throws {
        let raw = try home.raw()
        try raw.execute("UPDATE tokens SET secret = x'00' WHERE kind = 'refresh' AND account = 1")
        let (rows, file) = (try sealed(), try home.folder.keyRecord()?.id)
        let error = try #require(throws: StoreError.self) { try store.rekey(to: NewKey(for: .file, lifetime: 0)) }
        guard case .rekeyRefused(let first, 1) = error.fact else { Issue.record("\(error)"); return }
        #expect(first.contains("refresh token of"))
        #expect(try sealed() == rows)
        #expect(try home.folder.keyRecord()?.id == file)
        #expect(!FileManager.default.fileExists(atPath: home.folder.newKey.string))
        let change = try store.rekey(to: NewKey(for: .file, lifetime: 0), droppingDamaged: true)
        #expect(change.dropped == 1 && change.resealed == 11 && change.droppedNames.count == 1)
        #expect(try store.accounts(of: scope).count == 3)
        #expect(try store.secret(.refresh(account())) == nil)
        #expect(try store.secret(.access(account(), read)) != nil)
    }

    @Test func namesTheFirstOfManyLosses() throws {
        for number in 0..<20 { try store.signIn(grant(account("s-\(number)"))) }
        try home.raw().execute("UPDATE accounts SET claims = x'00'")
        let change = try store.rekey(to: NewKey(for: .file, lifetime: 0), droppingDamaged: true)
        #expect(change.dropped == 23 && change.droppedNames.count == 20)
    }

    @Test func anAccountWithoutClaimsGoesAsAWhole() throws {
        try home.raw().execute(
            "UPDATE accounts SET claims = x'00' WHERE person = (SELECT id FROM persons WHERE subject = '\(ben)')")
        let change = try store.rekey(to: NewKey(for: .file, lifetime: 0), droppingDamaged: true)
        #expect(change.dropped == 1 && change.resealed == 8)
        #expect(try store.accounts(of: scope).map(\.account) == [edit, account()])
        #expect(try home.raw().first("SELECT count(*) FROM persons") { try $0.integer(0) } == 1)
    }

    @Test func aLostKeyIsBegunAfreshOnlyWhenThatIsWanted() throws {
        try FileManager.default.removeItem(atPath: home.folder.key.string)
        #expect(kind { _ = try home.open() } == .keyMissing)
        let open = { try AccountStore(opening: home.folder, rule: .unneeded) }
        #expect(kind { _ = try open().rekey(to: NewKey(for: .file, lifetime: 0)) } == .keyMissing)
        let change = try open().rekey(to: NewKey(for: .file, lifetime: 0), droppingDamaged: true)
        // Three accounts with their tokens.
        #expect(change.dropped == 3 && change.resealed == 0)
        #expect(try home.open().accounts(of: scope).isEmpty)
        try home.open().signIn(grant(account()))
    }

    @Test func aBusyStoreKeepsItsKey() throws {
        let quick = try home.open(busyTimeout: 10)
        let (files, writer) = (try sealed(), try home.raw())
        let key = try home.folder.keyRecord()?.id
        try writer.write { () throws in
            #expect(kind { _ = try quick.rekey(to: NewKey(for: .file, lifetime: 0)) } == .busy)
        }
        #expect(try sealed() == files && home.folder.keyRecord()?.id == key)
        #expect(!FileManager.default.fileExists(atPath: home.folder.newKey.string))
        try expectAll(in: try home.open())
    }

    @Test func aLockedStoreLosesNothing() throws {
        let new = NewKey(for: .secretService, lifetime: 60)
        _ = try store.rekey(to: new)
        try expectAll(in: store)
        let locked = try AccountStore(opening: home.folder, rule: .unneeded)
        #expect(kind { _ = try locked.rekey(to: NewKey(for: .file, lifetime: 0), droppingDamaged: true) } == .locked)
        try expectAll(in: try AccountStore(opening: home.folder, key: new.key))
    }

    @Test(.timeLimit(.minutes(5))) func nobodyIsDisturbedByIt() async throws {
        let folder = home.folder
        let wanted = "access-\(ana)|B2C_1_susi|1"
        try store.makeCurrent(account())
        let errors = await withTaskGroup(of: [String].self) { group in
            for number in 0..<4 {
                group.addTask { @concurrent in
                    var errors: [String] = []
                    for turn in 0..<24 {
                        do {
                            // Each turn stands for one process.
                            let reader = try AccountStore(existing: folder)
                            let token = try reader?.cachedAccessToken(current: susi, in: scope, scopes: read)?.token
                            if token?.secret != wanted { errors.append("no token") }
                            if number == 0, turn % 6 == 0 {
                                try AccountStore(opening: folder).signIn(
                                    grant(account("subject-\(turn)")), makeCurrent: false)
                            }
                        } catch { errors.append("\(error)") }
                    }
                    return errors
                }
            }
            group.addTask { @concurrent in
                var errors: [String] = []
                for _ in 0..<12 {
                    do {
                        _ = try AccountStore(opening: folder).rekey(to: NewKey(for: .file, lifetime: 0))
                    } catch { errors.append("rekey: \(error)") }
                }
                return errors
            }
            return await group.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(errors.isEmpty, "\(errors.prefix(5))")
        #expect(try home.open().accounts(of: scope).allSatisfy { $0.damage == nil })
    }
}
