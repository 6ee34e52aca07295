import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SystemPackage
import Testing

@testable import SusiStore

/// A shared store: one person at a time, whatever the application, and a sign-out that leaves nothing.
@Suite struct SharingTests {
    let home = TemporaryStore()
    let store: AccountStore
    private let second = account(client: "22222222")
    private let profile = Profile(name: "Ben", emails: ["ben@example.com"], username: "ben")

    init() throws {
        store = try home.open()
        try store.share(true)
    }

    private func signInAna() throws {
        for account in [account(), account(ana, PolicyName("other")), second] { try store.signIn(grant(account)) }
        try store.keepDocument(Array("{}".utf8), at: "https://ana.example.com/", fetchedOn: 5, lifetime: 100)
    }

    private func row(_ sql: String) throws -> Int64? { try home.raw().first(sql) { try $0.integer(0) } }

    @Test func isSharedUntilThatEnds() throws {
        try store.share(true)
        #expect(try store.isShared() && store.facts().isShared)
        try store.share(false)
        try store.share(false)
        #expect(try !store.isShared())
        for account in [account(), account(ben)] { try store.signIn(grant(account)) }
        #expect(kind { try store.share(true) } == .occupied)
        #expect(try !store.isShared() && store.allAccounts().count == 2)
    }

    @Test func keepsNoNoteOfASignOut() throws {
        try store.share(false)
        try store.signIn(grant(account()))
        _ = try store.remove([account()], signedOutOn: 5_000)
        let note = try #require(try home.raw().first("SELECT label FROM sign_outs") { try $0.blob(0) })
        #expect(try home.bytes().contains(note))
        try store.share(true)
        #expect(try !home.bytes().contains(note))
        try signInAna()
        _ = try store.remove([account()], signedOutOn: 5_000)
        #expect(try row("SELECT count(*) FROM sign_outs") == 0)
    }

    @Test func aSignOutOfOneAccountLeavesNothing() throws {
        try signInAna()
        #expect(try home.bytes().contains("ana@example.com".utf8))
        let removals = try store.remove([second], signedOutOn: 5_000)
        #expect(Set(removals.map(\.account.account)) == [account(), account(ana, PolicyName("other")), second])
        #expect(removals.map(\.isErased) == [true, true, true])
        for text in ["ana@example.com", ana, domain, guid, client, "ana.example.com"] {
            #expect(try !home.bytes().contains(text.utf8), "\(text)")
        }
        #expect(try store.isShared() && StoreCheck.run(home.folder).isGood)
        try store.signIn(grant(account(ben), profile: profile))
    }

    @Test func aSignOutWithoutAnAccountLeavesNothingEither() throws {
        try store.keepDocument(Array("{}".utf8), at: "https://ana.example.com/", fetchedOn: 5, lifetime: 100)
        #expect(try store.remove([], signedOutOn: 5_000).isEmpty)
        #expect(try !home.bytes().contains("ana.example.com".utf8))
    }

    @Test func theRemovalOfTheLastAccountLeavesNothing() throws {
        try signInAna()
        _ = try store.remove([account(), second])
        #expect(try store.allAccounts().map(\.account.policy) == [PolicyName("other")])
        #expect(kind { try store.signIn(grant(account(ben), profile: profile)) } == .occupied)
        _ = try store.remove([account(ana, PolicyName("other"))])
        #expect(try !home.bytes().contains(domain.utf8) && !home.bytes().contains("ana@example.com".utf8))
    }

    @Test func aSignOutRemovesTheDamagedFilesThatRepairsKept() throws {
        try signInAna()
        let kept = ["", "-wal"].map { home.folder.aside(7).string + $0 }
        for path in kept {
            #expect(FileManager.default.createFile(atPath: path, contents: Data("ana@example.com".utf8)))
        }
        #expect(try store.remove([account()], signedOutOn: 5_000).map(\.isErased) == [true, true, true])
        #expect(kept.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    }

    @Test("everybody whom a request names is compared, not only the first")
    func comparesAllNewcomers() throws {
        #expect(try store.holder(admitting: [.named("ben@example.com")]) == nil)
        try signInAna()
        let (known, other) = (AccountStore.Newcomer.stored(account().person), account(ben).person)
        #expect(
            try store.holder(admitting: [known, .named("ANA@example.com"), .named(ana)])?.label == "ana@example.com")
        for newcomers in [
            [.named("ben@example.com")], [known, .named("ben@example.com")],
            [.named("ana@example.com"), .stored(other)],
            [.named("ana@example.com"), known, .named("Ana")], [.named(ben)],
        ] as [[AccountStore.Newcomer]] {
            #expect(kind { _ = try store.holder(admitting: newcomers) } == .occupied, "\(newcomers)")
        }
        try store.share(false)
        #expect(try store.holder(admitting: [.named("ben@example.com")]) == nil)
    }

    @Test func aRefreshThatComesAfterTheSignOutStoresNothing() throws {
        try signInAna()
        _ = try store.remove([account()], signedOutOn: 5_000)
        try store.signIn(grant(account(ben), profile: profile))
        #expect(kind { try store.refresh(grant(account(), mark: "2")) } == .missing)
        #expect(try !home.bytes().contains("ana@example.com".utf8))
    }

    @Test("a store of which a repair cannot read whether it was shared is shared", arguments: [true, false])
    func countsAsSharedAfterDamage(wasShared: Bool) throws {
        try signInAna()
        try store.share(wasShared)
        let copy = home.home.appending("copy.sqlite")
        _ = try StoreBackup.make(of: home.folder, at: copy)
        let page = try #require(
            try Connection(path: copy.string, mode: .readOnly).first(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'sharing'"
            ) { Int(try $0.integer(0)) })
        var bytes = try #require(FileManager.default.contents(atPath: copy.string))
        bytes.replaceSubrange((page - 1) * 4_096..<(page - 1) * 4_096 + 64, with: Data(repeating: 0xff, count: 64))
        let other = TemporaryStore()
        try other.folder.prepare()
        try FileManager.default.copyItem(atPath: home.folder.key.string, toPath: other.folder.key.string)
        try bytes.write(to: URL(filePath: other.folder.database.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other.folder.database.string)
        let report = try StoreRepair.run(other.folder, now: 5)
        #expect(
            report.accounts == 3 && report.countsAsShared && report.lost.contains { $0.contains("sharing") },
            "\(report)")
        #expect(try other.open().isShared())
    }

    @Test func survivesBackupRepairAndAnotherKey() throws {
        try signInAna()
        _ = try store.rekey(to: NewKey(for: .file, lifetime: 0))
        #expect(try store.isShared())
        let copy = home.home.appending("copy.sqlite")
        _ = try StoreBackup.make(of: home.folder, at: copy)
        #expect(
            try Connection(path: copy.string, mode: .readOnly).first("SELECT count(*) FROM sharing") {
                try $0.integer(0)
            } == 1)
        let other = TemporaryStore()
        try other.folder.prepare()
        for (from, to) in [(copy, other.folder.database), (home.folder.key, other.folder.key)] {
            try FileManager.default.copyItem(atPath: from.string, toPath: to.string)
        }
        do { try other.raw().execute("DROP INDEX person_homes_by_home") }
        #expect(try StoreRepair.run(other.folder, now: 5).accounts == 3)
        #expect(try other.open().isShared())
    }
}
