import Foundation
import SusiOAuth
import SystemPackage
import Testing

@testable import SusiStore

/// A store that was opened for reading and then writes, through one connection.
@Suite struct BecomingWriterTests {
    let home = TemporaryStore()

    init() throws { try home.open().signIn(grant(account())) }

    private func reader() throws -> AccountStore { try #require(try AccountStore(existing: home.folder)) }

    @Test func readerWritesAfterwards() throws {
        let store = try reader()
        #expect(kind { try store.signIn(grant(account(ben))) } == .sqlite)
        #expect(try store.becomeWriter(rule: .makesFile) && !store.isForReading)
        try store.signIn(grant(account(ben)))
        #expect(try home.open().accounts(of: scope).count == 2)
        #expect(try store.becomeWriter(rule: .makesFile), "again")
        // A repair is excluded, as by every writer.
        #expect(kind { _ = try StoreRepair.run(home.folder, now: 5, busyTimeout: 10) } == .busy)
    }

    @Test func readerOfAnOpenFolderStaysReader() throws {
        let store = try reader()
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: home.folder.path.string)
        #expect(kind { _ = try store.becomeWriter(rule: .makesFile) } == .unsafePermissions && store.isForReading)
    }

    // A refresh token that cannot be stored is lost: a writer waits longer than a reader.
    @Test func readerWaitsLikeAWriterAfterwards() throws {
        let store = try reader()
        #expect(try store.database.integer("PRAGMA busy_timeout") == 5_000)
        #expect(try store.becomeWriter(rule: .makesFile))
        #expect(try store.database.integer("PRAGMA busy_timeout") == 30_000)
    }

    @Test("a file that was replaced is not written through the old connection") func replacedFileIsRefused() throws {
        let store = try reader()
        let path = home.folder.database.string
        let before = try home.contents()
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).aside")
        try home.put(before)
        #expect(try !store.isOfCurrentFile && home.open().isOfCurrentFile)
        #expect(try !store.becomeWriter(rule: .makesFile) && store.isForReading)
    }

    @Test("without its key it stays a reader, until the key is there again") func lockedReaderStaysReader() throws {
        try FileManager.default.moveItem(atPath: home.folder.key.string, toPath: "\(home.folder.key).aside")
        let store = try reader()
        #expect(!store.isUnlocked)
        #expect(kind { _ = try store.becomeWriter(rule: .existing) } == .keyMissing && store.isForReading)
        #expect(try store.count(of: [scope]) == 1)
        try FileManager.default.moveItem(atPath: "\(home.folder.key).aside", toPath: home.folder.key.string)
        #expect(try store.secret(.refresh(account())) != nil && store.isUnlocked)
        #expect(try store.becomeWriter(rule: .existing))
    }

    @Test("a reader that writes leaves the log as a writer does") func emptiesLogOnClose() throws {
        do {
            let store = try reader()
            #expect(try store.becomeWriter(rule: .makesFile))
            try store.signIn(grant(account(ben)))
        }
        let log = try? FileManager.default.attributesOfItem(atPath: "\(home.folder.database)-wal")[.size] as? Int
        #expect(log == nil || log == 0)
    }
}
