import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiStore
import SystemPackage
import Testing

/// A copy of the store in one file.
@Suite struct StoreBackupTests {
    let home = TemporaryStore()
    let file: FilePath

    init() throws {
        file = home.home.appending("copy.sqlite")
        let store = try home.open()
        for subject in [ana, ben] { try store.signIn(grant(account(subject))) }
    }

    private func mode(_ path: FilePath) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.home.string).sorted()
    }

    @Test func theCopyIsAStoreWithoutItsKey() throws {
        let made = try StoreBackup.make(of: home.folder, at: file)
        #expect(made.accounts == 2 && made.size > 0)
        #expect(try mode(file) == 0o600)
        #expect(try names() == ["copy.sqlite", "state"])
        let key = try #require(FileManager.default.contents(atPath: home.folder.key.string)).dropFirst(11).dropLast()
        let bytes = try #require(FileManager.default.contents(atPath: file.string))
        #expect(bytes.range(of: key) == nil)
        // The copy opens only with the key; without it, the error says so.
        let other = TemporaryStore()
        try other.folder.prepare()
        try FileManager.default.copyItem(atPath: file.string, toPath: other.folder.database.string)
        #expect(kind { _ = try other.open() } == .keyMissing)
        try FileManager.default.copyItem(atPath: home.folder.key.string, toPath: other.folder.key.string)
        #expect(try other.open().secret(.refresh(account())) != nil)
        #expect(try other.open().accounts(of: scope).count == 2)
    }

    @Test func copiesOneStateDuringWrites() throws {
        let store = try home.open()
        let raw = try home.raw()
        try raw.write {
            try raw.execute("UPDATE persons SET name = 'Half'")
            #expect(try StoreBackup.make(of: home.folder, at: file).accounts == 2)
        }
        let copy = try Connection(path: file.string, mode: .readOnly)
        #expect(try copy.first("SELECT count(*) FROM persons WHERE name = 'Half'") { try $0.integer(0) } == 0)
        try store.signIn(grant(account("third")))
        #expect(try StoreBackup.make(of: home.folder, at: file, replaces: true).accounts == 3)
    }

    @Test func acceptsLinksAboveTheFile() throws {
        let link = home.home.appending("link").string
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.home.string)
        let through = FilePath(link).appending("copy.sqlite")
        #expect(try StoreBackup.make(of: home.folder, at: through).accounts == 2)
        #expect(FileManager.default.fileExists(atPath: file.string))
    }

    @Test func refusesMissingFolderAndDamagedStore() throws {
        #expect(kind { _ = try StoreBackup.make(of: home.folder, at: home.home.appending("no/copy")) } == .disk)
        #expect(kind { _ = try StoreBackup.make(of: TemporaryStore().folder, at: file) } == .missing)
        var bytes = try home.contents()
        bytes.replaceSubrange(4_096..., with: Data(repeating: 0xff, count: bytes.count - 4_096))
        try home.put(bytes)
        #expect(kind { _ = try StoreBackup.make(of: home.folder, at: file) } == .damaged)
        #expect(!FileManager.default.fileExists(atPath: file.string))
    }
}
