import Foundation
import SusiBase
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiStore

/// Repairs, which keep the rows that SQLite reads and that can be decrypted, and report what is missing.
@Suite struct StoreRepairTests {
    let home = TemporaryStore()
    static let people = (0..<10).map { "a1000000-0000-0000-0000-0000000000\(10 + $0)" }

    init() throws {
        let store = try home.open()
        for person in Self.people { try store.signIn(Self.grant(person)) }
    }

    private static func grant(_ subject: String) -> TokenGrant {
        // As long as a real token, so that each account has its own pages.
        let long = String(repeating: "x", count: 900)
        return SusiStoreTests.grant(
            account(subject), profile: Profile(name: "N \(subject)", emails: ["\(subject.suffix(2))@example.com"]),
            mark: long)
    }

    private func put(_ bytes: Data) throws {
        for suffix in StoreFolder.companions { SmallFile.remove(home.folder.beside(suffix).string) }
        try home.put(bytes)
    }

    /// Returns the names in the folder, without the log and its index.
    private func names() -> [String] {
        StoreFolder.names(in: home.folder.path).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    /// Returns the number of accounts whose tokens can all be decrypted.
    private func wholeAccounts() throws -> Int {
        let store = try home.open()
        return try store.accounts(of: scope).count { stored in
            try stored.damage == nil
                && [TokenKey.refresh(stored.account), .id(stored.account), .access(stored.account, read)]
                    .allSatisfy { try store.secret($0) != nil }
        }
    }

    @Test func leavesAnIntactStoreAlone() throws {
        let before = try home.contents()
        #expect(try StoreRepair.run(home.folder, now: 5).wasGood)
        #expect(try home.contents() == before && names() == ["key", "locks", "store.sqlite"])
    }

    /// Damages each page in turn: what is kept is intact, and what is lost is reported. The cases take long and never wait, so
    /// they leave the other thread to the tests that do.
    @Test(.serialized, .timeLimit(.minutes(5)), arguments: [UInt8(0), 0xff, 0x0d])
    func keepsWhatIsReadableWhicheverPageIsDamaged(filler: UInt8) throws {
        let sound = try home.contents()
        let pages = sound.count / 4_096
        var counts: [Int] = []
        let claims = try #require(try home.raw().first("SELECT claims FROM accounts") { try $0.blob(0) })
        let first = try #require(sound.range(of: Data(claims))).lowerBound / 4_096
        // With SUSI_FULL=1 every page, otherwise each fourth, from another one on for each filler, and one with accounts.
        let isFull = TestEnvironment.variable("SUSI_FULL") == "1"
        let some = Set(stride(from: isFull ? 0 : Int(filler % 4), to: pages, by: isFull ? 1 : 4))
        for page in some.union([first]).sorted() {
            var bytes = sound
            bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: filler, count: 4_096))
            try put(bytes)
            guard try !StoreCheck.run(home.folder).isGood else { continue }
            let before = names()
            let preview = try StoreRepair.run(home.folder, isDryRun: true, now: 5)
            #expect(try home.contents() == bytes && names() == before)
            var report = try StoreRepair.run(home.folder, now: 5)
            let aside = try #require(report.keptAside)
            report.keptAside = nil
            #expect(report == preview)
            #expect(FileManager.default.contents(atPath: aside.string) == bytes, "page \(page + 1)")
            #expect(try StoreCheck.run(home.folder).findings == [], "page \(page + 1)")
            counts.append(report.accounts)
            #expect(report.accounts == Self.people.count || !report.lost.isEmpty, "page \(page + 1): \(report)")
            let kept = try home.open().allAccounts()
            #expect(kept.count == report.accounts && kept.allSatisfy { $0.damage == nil })
            try aside.remove()
        }
        #expect(counts.contains { $0 < Self.people.count }, "some page holds rows")
        #expect(counts.contains { $0 > 0 }, "some rows are kept")
    }

    @Test func keepsTheRowsBeforeADamagedPage() throws {
        let sealed = try #require(try home.raw().first("SELECT secret FROM tokens WHERE id = 15") { try $0.blob(0) })
        var bytes = try home.contents()
        let page = try #require(bytes.range(of: Data(sealed))).lowerBound / 4_096
        bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
        try put(bytes)
        let report = try StoreRepair.run(home.folder, now: 5)
        #expect(report.accounts == 10 && (6..<15).contains(report.tokens), "\(report)")
        #expect(report.lost == ["rows of tokens that SQLite cannot read"])
        #expect(try home.open().count(of: [scope]) == 10)
    }

    @Test(arguments: ["header", "end"]) func replacesAFileThatSQLiteCannotRead(damage: String) throws {
        let file = try home.contents()
        try put(damage == "end" ? file.dropLast(9_000) : Data(repeating: 0xa5, count: 100) + file.dropFirst(100))
        #expect(kind { _ = try home.open() } == .damaged)
        let report = try StoreRepair.run(home.folder, now: 5)
        #expect(report.accounts == 0 && report.lost.contains("rows of accounts that SQLite cannot read"), "\(report)")
        #expect(report.keptAside != nil)
        try home.open().signIn(Self.grant(Self.people[0]))
        #expect(try StoreCheck.run(home.folder).isGood && wholeAccounts() == 1)
    }

    @Test func restoresTheSchema() throws {
        do {
            let raw = try home.raw()
            try raw.execute("CREATE TABLE theirs (x)")
            try raw.execute("DROP INDEX person_homes_by_home")
            try raw.execute("DROP TABLE documents")
        }
        // Another repair in the same second has its name.
        try home.put(Data(), at: home.folder.aside(5))
        let report = try StoreRepair.run(home.folder, now: 5)
        #expect(report.keptAside == home.folder.aside(6))
        #expect(report.accounts == 10 && report.lost == ["rows of documents that SQLite cannot read"], "\(report)")
        #expect(try StoreCheck.run(home.folder).isGood && wholeAccounts() == 10)
    }

    @Test func leavesOutWhatCannotBeDecryptedOrBreaksARule() throws {
        do {
            let raw = try home.raw()
            try raw.execute("UPDATE tokens SET secret = zeroblob(60) WHERE kind = 'access' AND account = 3")
            try raw.execute("UPDATE accounts SET claims = zeroblob(60) WHERE id = 4")
            try raw.execute("UPDATE accounts SET person = 99 WHERE id = 6")
        }
        let report = try StoreRepair.run(home.folder, now: 5)
        #expect(report.accounts == 8 && report.persons == 8 && report.tokens == 8 * 3 - 1, "\(report)")
        // What belongs to a lost account is lost with it: its person and its three tokens.
        let lost = ["2 of 10 rows of persons", "2 of 10 rows of accounts", "7 of 30 rows of tokens"]
        #expect(Set(lost).isSubset(of: report.lost) && report.lostCount >= 11, "\(report)")
        #expect(try StoreCheck.run(home.folder).isGood && wholeAccounts() == 7)
    }

    @Test func reportsNoErasureWhileTheDamagedFileIsKept() throws {
        do { try home.raw().execute("UPDATE tokens SET secret = zeroblob(60) WHERE kind = 'id' AND account = 1") }
        let aside = try #require(try StoreRepair.run(home.folder, now: 5).keptAside)
        let store = try home.open()
        #expect(try StoreCheck.run(home.folder).keptAside == [aside.string])
        #expect(try store.remove(account(Self.people[0])).isErased == false)
        try aside.remove()
        #expect(try store.remove(account(Self.people[1])).isErased)
    }

    @Test func refusesAnotherStoresKey() throws {
        let other = TemporaryStore()
        do { _ = try other.open() }
        try home.folder.key.remove()
        try FileManager.default.copyItem(atPath: other.folder.key.string, toPath: home.folder.key.string)
        let before = try home.contents()
        #expect(kind { _ = try StoreRepair.run(home.folder, now: 5) } == .otherKey)
        #expect(try home.contents() == before && names() == ["key", "locks", "store.sqlite"])
    }

    /// The database names the right one of two keys; if it does not, its records do.
    @Test(arguments: [false, true], [false, true])
    func findsTheKeyAfterAnInterruptedChange(wasCommitted: Bool, namesItsKey: Bool) throws {
        let (key, next) = (home.folder.key.string, home.folder.newKey.string)
        let files = FileManager.default
        try files.copyItem(atPath: key, toPath: home.home.appending("old").string)
        if wasCommitted {
            do { _ = try home.open().rekey(to: NewKey(for: .file, lifetime: 0)) }
            try files.moveItem(atPath: key, toPath: next)
            try files.copyItem(atPath: home.home.appending("old").string, toPath: key)
        } else {
            let other = TemporaryStore()
            do { _ = try other.open() }
            try files.copyItem(atPath: other.folder.key.string, toPath: next)
        }
        #expect(try StoreCheck.run(home.folder).findings == [])
        do {
            let raw = try home.raw()
            try raw.execute("UPDATE tokens SET secret = zeroblob(60) WHERE kind = 'id' AND account = 1")
            if !namesItsKey { try raw.execute("DELETE FROM sealing") }
        }
        let report = try StoreRepair.run(home.folder, now: 5)
        #expect(report.accounts == 10 && report.tokens == 29 && report.lostCount == 1, "\(report)")
        let store = try home.open()
        #expect(try store.secret(.refresh(account(Self.people[0]))) != nil)
        #expect(try StoreCheck.run(home.folder).findings == [] && !files.fileExists(atPath: next))
    }

    @Test func keepsTheRowsIfTheirKeyIsMissing() throws {
        let key = try #require(FileManager.default.contents(atPath: home.folder.key.string))
        SmallFile.remove(home.folder.key.string)
        #expect(kind { _ = try StoreRepair.run(home.folder, now: 5) } == .keyMissing)
        do { try home.raw().execute("DROP INDEX person_homes_by_home") }
        #expect(try StoreRepair.run(home.folder, now: 5).lost == [])
        try home.put(key, at: home.folder.key)
        #expect(try wholeAccounts() == 10)
    }

    @Test func refusesWhileAWriterIsOpen() throws {
        let store = try home.open()
        #expect(kind { _ = try StoreRepair.run(home.folder, now: 5, busyTimeout: 10) } == .busy)
        #expect(try store.accounts(of: scope).count == 10)
    }

    @Test func blocksWritersButNotReaders() throws {
        let lock = try #require(try home.folder.lock(.exclusive, patience: 0))
        #expect(kind { _ = try home.open(busyTimeout: 10) } == .busy)
        #expect(try AccountStore(existing: home.folder)?.accounts(of: scope).count == 10)
        withExtendedLifetime(lock) {}
    }

    // MARK: Interrupted repairs

    /// Makes a damaged store with the repaired one beside it, as if the process had died just before the end.
    private func cutShort() throws -> FilePath {
        try home.raw().execute("UPDATE tokens SET secret = zeroblob(60) WHERE account = 1 AND kind = 'id'")
        let sound = TemporaryStore()
        try sound.folder.prepare()
        for name in ["store.sqlite", "key"] {
            try FileManager.default.copyItem(
                atPath: home.folder.path.appending(name).string, toPath: sound.folder.path.appending(name).string)
        }
        _ = try StoreRepair.run(sound.folder, now: 7)
        try FileManager.default.createDirectory(
            atPath: home.folder.repair.string, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let finished = home.folder.repair.appending("finished-7")
        try FileManager.default.copyItem(atPath: sound.folder.database.string, toPath: finished.string)
        return finished
    }

    @Test(arguments: 0...4) func finishesAnInterruptedRepair(step: Int) throws {
        let finished = try cutShort()
        let damaged = try home.contents()
        let aside = home.folder.aside(7)
        // The steps that put the repaired store in place, up to the one at which the process died.
        if step > 0 { try FileName.add(aside, to: home.folder.database) }
        if step > 1 { SmallFile.remove(home.folder.beside("-wal").string) }
        if step > 2 { SmallFile.remove(home.folder.beside("-shm").string) }
        if step == 4 { try FileName.move(finished, to: home.folder.database) }
        if step < 4 {
            let error = try #require(throws: StoreError.self) { try home.open() }
            #expect(error.fact == .repairInterrupted)
            #expect(throws: error) { try home.folder.checkUse() }
            let findings = try StoreCheck.run(home.folder).findings
            #expect(findings.contains { $0.what.hasPrefix("a repair was interrupted") })
            let preview = try StoreRepair.run(home.folder, isDryRun: true, now: 9)
            #expect(preview.endedEarlierOne && preview.keptAside == nil && names().contains("repair"))
            let report = try StoreRepair.run(home.folder, now: 9)
            #expect(report.endedEarlierOne && report.keptAside == aside)
        }
        #expect(FileManager.default.contents(atPath: aside.string) == damaged)
        #expect(try StoreCheck.run(home.folder).isGood)
        #expect(try home.open().accounts(of: scope).count == 10)
        #expect(!names().contains("repair"))
    }

    @Test(arguments: ["open", "remove", "rekey"]) func removesAnIncompleteRepair(by action: String) throws {
        let store = try home.open()
        try FileManager.default.createDirectory(atPath: home.folder.repair.string, withIntermediateDirectories: false)
        try home.folder.repair.appending("new.sqlite").write("half")
        _ = try AccountStore(existing: home.folder)?.accounts(of: scope)
        #expect(names().contains("repair"), "a reader leaves it")
        switch action {
        case "open": _ = try home.open()
        case "remove": #expect(try store.remove(account(Self.people[0])).isErased)
        default: #expect(try store.rekey(to: NewKey(for: .file, lifetime: 0)).isErased)
        }
        #expect(!names().contains("repair"))
        #expect(try store.secret(.refresh(account(Self.people[1]))) != nil)
    }
}
