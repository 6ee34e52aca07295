import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiStore
import SystemPackage
import Testing

@Suite struct KeyTests {
    let home = TemporaryStore()

    private func key() throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: home.folder.key.string)), as: UTF8.self)
    }

    private func write(_ text: String) throws { try home.put(Data(text.utf8), at: home.folder.key) }

    @Test func isOneLineAndStays() throws {
        _ = try home.open()
        let first = try key()
        let parts = first.split(separator: " ")
        #expect(parts.first == "susi-key-1" && parts.count == 2 && first.hasSuffix("\n"))
        #expect(parts[1].count == 65 && parts[1].dropLast().allSatisfy(\.isHexDigit))
        _ = try home.open()
        #expect(try key() == first)
        let other = TemporaryStore()
        _ = try other.open()
        #expect(FileManager.default.contents(atPath: other.folder.key.string) != Data(first.utf8))
    }

    @Test func isNeverMadeAnewWhileSomethingIsSealed() throws {
        let store = try home.open()
        try store.signIn(grant(account()))
        try FileManager.default.removeItem(atPath: home.folder.key.string)
        #expect(kind { _ = try home.open() } == .keyMissing)
        #expect(!FileManager.default.fileExists(atPath: home.folder.key.string))
        let reader = try #require(try AccountStore(existing: home.folder))
        #expect(kind { _ = try reader.account(account()) } == .keyMissing)
        #expect(kind { _ = try reader.accounts(of: scope) } == .keyMissing)
        #expect(kind { _ = try reader.secret(.refresh(account())) } == .keyMissing)
        #expect(kind { _ = try reader.cachedAccessToken(current: susi, in: scope, scopes: read) } == .keyMissing)
        // If nothing is encrypted, a new key does no harm.
        _ = try store.remove(account())
        try home.open().signIn(grant(account()))
        #expect(try home.open().account(account()) != nil)
    }

    @Test func aWrongFileIsSaid() throws {
        try home.open().signIn(grant(account()))
        let right = try key()
        let short = "susi-key-1 " + String(repeating: "07", count: 31) + "\n"
        let long = "susi-key-1 " + String(repeating: "07", count: 33) + "\n"
        let wrong = [
            "", "\n", short, long, String(right.dropLast()), String(right.dropFirst()), right + "\n", right + right,
            right.replacing("susi-key-1", with: "susi-key-2"), right.dropLast(2) + "g\n",
        ]
        for text in wrong {
            try write(text)
            #expect(kind { _ = try home.open() } == .keyDamaged, "\(text)")
            #expect(kind { _ = try AccountStore(existing: home.folder) } == .keyDamaged, "\(text)")
            #expect(try key() == text)
        }
        try write(right)
        #expect(try home.open().account(account()) != nil)
    }

    @Test func anotherKeyOpensNothing() throws {
        try home.open().signIn(grant(account()))
        let right = try key()
        try write("susi-key-1 " + String(repeating: "07", count: 32) + "\n")
        let store = try #require(try AccountStore(existing: home.folder))
        #expect(kind { _ = try store.account(account()) } == .sealBroken)
        #expect(kind { _ = try store.secret(.refresh(account())) } == .sealBroken)
        #expect(kind { _ = try store.cachedAccessToken(current: susi, in: scope, scopes: read) } == .sealBroken)
        // Anything encrypted with this key could not be decrypted with the right one.
        #expect(kind { _ = try home.open() } == .otherKey)
        try write(right)
        #expect(try home.open().account(account())?.damage == nil)
    }

    @Test func aDatabaseThatNamesNoKeyHasThatOfTheFile() throws {
        try home.open().signIn(grant(account()))
        try home.raw().execute("DELETE FROM sealing")
        #expect(try home.open().account(account())?.damage == nil)
        #expect(try home.raw().first("SELECT count(*) FROM sealing") { try $0.integer(0) } == 1)
    }

    @Test func saysThatTheKeyIsMissing() throws {
        let store = try home.open()
        let right = try key()
        try FileManager.default.removeItem(atPath: home.folder.key.string)
        #expect(try store.missingKey() == nil, "nothing is encrypted")
        try write(right)
        try store.signIn(grant(account()))
        #expect(try store.missingKey() == nil)
        try write("susi-key-1 " + String(repeating: "07", count: 32) + "\n")
        #expect(try store.missingKey()?.kind == .otherKey)
        try home.put(Data(right.utf8), at: home.folder.path.appending("key.new"))
        #expect(try store.missingKey() == nil, "a change of the key was interrupted")
        try FileManager.default.removeItem(atPath: home.folder.key.string)
        #expect(try store.missingKey()?.kind == .keyMissing)
    }

    /// Nothing is encrypted with a key that the database does not name, even if it replaced the right one while the store was
    /// open, before or after another process changed the key.
    @Test(arguments: [false, true]) func nothingIsSealedWithAnotherKey(wasChanged: Bool) throws {
        let store = try home.open()
        try store.signIn(grant(account()))
        if wasChanged { _ = try home.open().rekey(to: NewKey(for: .file, lifetime: 0)) }
        let right = try key()
        try write("susi-key-1 " + String(repeating: "07", count: 32) + "\n")
        #expect(kind { try store.signIn(grant(account(ben))) } == (wasChanged ? .otherKey : nil))
        try write(right)
        try store.signIn(grant(account(ben)))
        #expect(try home.open().accounts(of: scope).map { $0.damage } == [nil, nil])
    }
}
