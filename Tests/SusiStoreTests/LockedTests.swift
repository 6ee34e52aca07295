import Foundation
import SusiOAuth
import SusiPolicies
import SystemPackage
import Testing

@testable import SusiStore

/// A store whose key is not in its file.
@Suite struct LockedTests {
    let home = TemporaryStore()
    let new: NewKey

    init() throws {
        new = NewKey(for: .secretService, lifetime: 60)
        try AccountStore(opening: home.folder, rule: .makes(new)).signIn(grant(account()))
    }

    @Test func withoutItsKeyNothingSealedOpensAndTheRestDoes() throws {
        #expect(kind { _ = try home.open() } == .locked)
        let reader = try #require(try AccountStore(existing: home.folder))
        #expect(kind { _ = try reader.account(account()) } == .locked)
        #expect(kind { _ = try reader.cachedAccessToken(current: susi, in: scope, scopes: read) } == .locked)
        #expect(try reader.count(of: [scope]) == 1)
        #expect(try reader.facts().accounts == 1)
        let error = try #require(throws: StoreError.self) { try home.open() }
        #expect(error == StoreError(.locked(.secretService), home.folder.key))
    }

    @Test func withItsKeyAllOpens() throws {
        let store = try AccountStore(opening: home.folder, key: new.key)
        #expect(try store.account(account())?.damage == nil)
        // A writer keeps its key.
        #expect(try store.becomeWriter(rule: .existing) && store.secret(.refresh(account())) != nil)
        let reader = try #require(try AccountStore(existing: home.folder, key: new.key))
        #expect(try reader.secret(.refresh(account())) != nil)
        #expect(kind { _ = try AccountStore(opening: home.folder, key: SealingKey()) } == .locked)
    }

    @Test func theFileTellsNothingOfTheKey() throws {
        let text = try String(contentsOfFile: home.folder.key.string, encoding: .utf8)
        #expect(text == "susi-key-2 secret-service \(new.key.id) 60\n")
        #expect(try home.bytes().range(of: Data(new.key.bytes)) == nil)
        #expect(try home.bytes().range(of: Data(new.key.digits.utf8)) == nil)
    }

    @Test(.enabled(if: KernelKeyring.refusal == nil, "the kernel keeps no keys here"))
    func whatTheKernelKeepsOpensIt() throws {
        try new.record.hold(new.key, lifetime: nil, now: 1_000)
        defer { new.record.release() }
        let reader = try #require(try AccountStore(existing: home.folder))
        #expect(try reader.cachedAccessToken(current: susi, in: scope, scopes: read) != nil)
        try home.open().signIn(grant(account(ben)))
        new.record.release()
        #expect(kind { _ = try home.open() } == .locked)
    }

    @Test func aRuleDecidesWhatAStoreWithoutAKeyGets() throws {
        let other = TemporaryStore()
        #expect(kind { _ = try AccountStore(opening: other.folder, rule: .existing) } == .noKey)
        #expect(!FileManager.default.fileExists(atPath: other.folder.key.string))
        let store = try AccountStore(opening: other.folder, rule: .unneeded)
        #expect(kind { try store.signIn(grant(account())) } == .keyMissing)
        // A key that was made in the meantime is kept.
        _ = try AccountStore(opening: other.folder, rule: .makes(NewKey(for: .file, lifetime: 0)))
        let first = try other.folder.keyRecord()
        #expect(
            kind { _ = try AccountStore(opening: other.folder, rule: .makes(NewKey(for: .secretService, lifetime: 0))) }
                == nil)
        #expect(try other.folder.keyRecord()?.id == first?.id)
    }
}
