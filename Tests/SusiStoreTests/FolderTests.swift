import Foundation
import SusiStore
import SystemPackage
import Testing

@Suite struct FolderTests {
    let home = TemporaryStore()
    let files = FileManager.default

    private func mode(_ path: FilePath) throws -> FilePermissions { try path.stat().permissions }

    private func set(_ path: FilePath, _ mode: Int) throws {
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path.string)
    }

    @Test func everythingIsForTheOwnerAlone() throws {
        let store = try home.open()
        try store.signIn(grant(account()))
        #expect(try mode(home.folder.path) == .ownerReadWriteExecute)
        #expect(try mode(home.folder.locks) == .ownerReadWriteExecute)
        let names = try files.contentsOfDirectory(atPath: home.folder.path.string).sorted()
        #expect(try files.contentsOfDirectory(atPath: home.home.string) == ["state"])
        #expect(names == ["key", "locks", "store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
        for name in names where name != "locks" {
            #expect(try mode(home.folder.path.appending(name)) == .ownerReadWrite, "\(name)")
        }
    }

    @Test func nothingIsMadeForReading() throws {
        #expect(try AccountStore(existing: home.folder) == nil)
        #expect(!files.fileExists(atPath: home.folder.path.string))
        try home.folder.prepare()
        #expect(try AccountStore(existing: home.folder) == nil)
        #expect(try files.contentsOfDirectory(atPath: home.folder.path.string) == ["locks"])
        #expect(kind { try StoreFolder(home.home.appending("none"), owner: getuid()).check() } == .missing)
    }

    @Test func openToOthersIsRefused() throws {
        try home.open().signIn(grant(account()))
        let paths = [home.folder.path, home.folder.locks, home.folder.database, home.folder.key]
        for path in paths {
            let folder = path == home.folder.path || path == home.folder.locks
            for wide in folder ? [0o710, 0o702] : [0o640, 0o604] {
                try set(path, wide)
                #expect(kind { _ = try home.open() } == .unsafePermissions, "\(path)")
                #expect(kind { try home.folder.check() } == .unsafePermissions)
                if path != home.folder.locks {
                    #expect(kind { _ = try AccountStore(existing: home.folder) } == .unsafePermissions, "\(path)")
                }
                #expect(try mode(path).rawValue == CInterop.Mode(wide), "changed without a repair")
            }
            try set(path, folder ? 0o700 : 0o600)
        }
        #expect(try home.open().account(account()) != nil)
    }

    @Test func aMissingFolderKeepsNoCommandFromTheStore() throws {
        try home.folder.checkUse()
        _ = try home.open()
        try home.folder.checkUse()
        try set(home.folder.key, 0o644)
        #expect(kind { try home.folder.checkUse() } == .unsafePermissions)
    }

    @Test func refusesLinks() throws {
        try home.open().signIn(grant(account()))
        for path in [home.folder.key, home.folder.database, home.folder.locks, home.folder.path] {
            let real = home.home.appending("real-\(path.lastComponent?.string ?? "")")
            try files.moveItem(atPath: path.string, toPath: real.string)
            try files.createSymbolicLink(atPath: path.string, withDestinationPath: real.string)
            #expect(kind { _ = try home.open() } == .link, "\(path)")
            #expect(kind { try home.folder.check() } == .link, "\(path)")
            if path != home.folder.locks {
                #expect(kind { _ = try AccountStore(existing: home.folder) } == .link, "\(path)")
            }
            try files.removeItem(atPath: path.string)
            try files.moveItem(atPath: real.string, toPath: path.string)
        }
        #expect(try home.open().account(account()) != nil)
    }

    @Test func nothingIsMadeBehindALink() throws {
        let real = home.home.appending("real")
        try files.createDirectory(
            atPath: real.string, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try files.createSymbolicLink(atPath: home.folder.path.string, withDestinationPath: real.string)
        #expect(kind { _ = try home.open() } == .link)
        #expect(try files.contentsOfDirectory(atPath: real.string) == [])
    }

    /// On some systems, home folders are behind links, which must be accepted.
    @Test func linksAboveTheFolderAreFollowed() throws {
        try home.open().signIn(grant(account()))
        let link = home.home.appending("link")
        try files.createSymbolicLink(atPath: link.string, withDestinationPath: home.home.string)
        let folder = StoreFolder(link.appending("state"), owner: getuid())
        #expect(try AccountStore(opening: folder).account(account()) != nil)
        #expect(try AccountStore(existing: folder)?.account(account()) != nil)
    }

    @Test func whatBelongsToOthersIsRefused() throws {
        _ = try home.open()
        let other = StoreFolder(home.folder.path, owner: getuid() &+ 1)
        #expect(kind { _ = try AccountStore(opening: other) } == .notOurs)
        #expect(kind { _ = try AccountStore(existing: other) } == .notOurs)
    }

    @Test(arguments: ["store.sqlite", "key", "store.sqlite-wal"])
    func aFolderInAFilesPlaceIsRefused(name: String) throws {
        do { try home.open().signIn(grant(account())) }
        let path = home.folder.path.appending(name).string
        if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        if name != "store.sqlite-wal" { #expect(kind { _ = try home.open() } == .notOurs) }
        #expect(kind { _ = try AccountStore(existing: home.folder)?.account(account()) } == .notOurs)
    }

    @Test func aFolderThatCannotBeMadeIsSaid() throws {
        #expect(files.createFile(atPath: home.home.appending("file").string, contents: nil))
        let folder = StoreFolder(home.home.appending("file").appending("state"), owner: getuid())
        #expect(kind { _ = try AccountStore(opening: folder) } == .disk)
        // Whether it exists cannot be known.
        #expect(kind { try folder.check() } == .disk)
    }
}
