import Foundation
import SusiBase
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiStore

/// Exports of the whole store, encrypted with a passphrase, and their import into another store.
@Suite struct SealedExportTests {
    private static let passphrase = "correct horse battery"
    let home = TemporaryStore()
    let store: AccountStore
    let edit = account(ana, PolicyName("B2C_1_edit"))
    let red = Tenant(origin: "https://login.example", id: guid)
    let blue = Tenant(origin: "https://login.example", id: "bbbbbbbb-0000-0000-0000-000000000002")
    let common = Registration(
        origin: "https://login.example", tenantName: "common", clientID: client, spansTenants: true)
    var worker: Account { account("w1", PolicyName("default"), tenant: red) }
    /// The worker in another tenant, brought by the worker's refresh token.
    var guest: Account { account("w2", PolicyName("default"), tenant: blue) }

    init() throws {
        store = try home.open()
        for account in [account(), edit, account(ben)] { try store.signIn(grant(account)) }
        let profile = Profile(
            name: "W", givenName: "Wil", familyName: "Worker", username: "w1@example.com", identityProvider: "corp")
        try store.signIn(grant(worker, tenantName: "common", profile: profile), in: common)
        try store.save(
            grant(guest, tenantName: "common", profile: profile), in: common, authority: "https://login.example/common",
            makeCurrent: false, broughtBy: worker)
        let demand = #"{"access_token":{"acrs":{"value":"c1"}}}"#
        try store.remember(try ClaimsRequest(parsing: demand.utf8), for: account())
    }

    // With the least cost that is accepted: every import derives the key again.
    private static func newKey() throws -> NewKey {
        let salt = RandomBytes.make(16)
        let cheap = try #require(KeyDerivation(rounds: 1 << 14, blockSize: 8, parallelism: 1, salt: salt))
        return try NewKey(for: .passphrase, from: passphrase, lifetime: 0, cheap)
    }

    private func export(now: Int64 = 2_000) throws -> [UInt8] {
        try store.export(with: try Self.newKey(), now: now).file
    }

    @discardableResult
    private func take(
        _ file: [UInt8], into store: AccountStore, _ passphrase: String = Self.passphrase, isDryRun: Bool = false,
        now: Int64 = 2_000
    ) throws -> AccountCopy {
        try store.importExport(file, passphrase: passphrase, isDryRun: isDryRun, now: now)
    }

    private func failure(
        _ file: [UInt8], into store: AccountStore, _ passphrase: String = Self.passphrase
    ) -> ExportFileError? {
        do {
            try take(file, into: store, passphrase)
            return nil
        } catch { return error as? ExportFileError }
    }

    // MARK: What is copied

    @Test func importRestoresEverything() throws {
        let file = try export()
        let other = TemporaryStore()
        let new = try other.open()
        let outlook = try AccountStore.importOutlook(file, passphrase: Self.passphrase, now: 2_000)
        let result = try take(file, into: new)
        #expect(result == outlook)
        // Values that an import replaces do not stay in the log.
        #expect(FileManager.default.contents(atPath: other.folder.beside("-wal").string)?.isEmpty == true)
        #expect(result.count(.added) == 5 && result.tokens == 15 && result.current == 3 && result.leftOut.isEmpty)
        let names = [(account(), scope), (edit, scope), (account(ben), scope), (worker, common), (guest, common)]
        for (one, scope) in names {
            #expect(try new.account(one) == store.account(one))
            for key in [TokenKey.refresh(one), .id(one), .access(one, read)] {
                #expect(try new.secret(key) == store.secret(key) && new.secret(key) != nil)
            }
            #expect(try new.current(one.policy, in: scope)?.account == store.current(one.policy, in: scope)?.account)
        }
        #expect(try new.previous(susi, in: scope)?.account == account())
        #expect(try new.accounts(of: scope).map(\.account) == store.accounts(of: scope).map(\.account))
        #expect(try Set(new.accounts(of: common).map(\.account)) == [worker, guest])
        #expect(try new.pendingClaims(of: account()) == store.pendingClaims(of: account()))
        #expect(try StoreCheck.run(other.folder).findings == [])
        let again = try take(file, into: new)
        #expect(again.count(.unchanged) == 5 && again.tokens == 0 && again.current == 0)
    }

    @Test func keepsThatTwoPersonsAreOne() throws {
        let other = TemporaryStore()
        let new = try other.open()
        try take(try export(), into: new)
        #expect(try new.account(guest)?.personAtHome == worker.person)
        #expect(try new.account(account())?.personAtHome == account().person)
        #expect(try other.raw().first("SELECT count(*) FROM person_homes") { try $0.integer(0) } == 1)
    }

    /// A new column of the schema that a copy forgets is noticed here: with a value in the store above, it is missing in the
    /// other store, and without one the first expectation fails.
    @Test func copiesEveryColumn() throws {
        let other = TemporaryStore()
        try take(try export(), into: try other.open())
        let tables = [
            "tenants", "tenant_groups", "tenant_group_names", "tenant_group_members", "persons", "person_homes",
            "accounts",
            "current_accounts", "tokens", "pending_claims",
        ]
        let rowIDs: Set = ["id", "tenant", "person", "account", "tenant_group", "home"]
        let encrypted: Set = ["key_id", "secret", "accounts.claims"]
        for table in tables {
            let columns = try home.raw().rows("SELECT name FROM pragma_table_info(?)", [.text(table)]) {
                try $0.text(0)
            }
            for column in columns where encrypted.isDisjoint(with: [column, "\(table).\(column)"]) {
                let values = { (store: TemporaryStore) in
                    try store.raw().rows("SELECT quote(\(column)) FROM \(table) ORDER BY 1") { try $0.text(0) }
                }
                let (old, new) = (try values(home), try values(other))
                #expect(old.contains { $0 != "NULL" }, "\(table).\(column) has no value in this test")
                #expect(rowIDs.contains(column) ? old.count == new.count : old == new, "\(table).\(column)")
            }
        }
        // The other tables stay behind: documents, notes of sign-outs, the key's id, and whether the store is shared.
        let all = try home.raw().rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0.text(0) }
        #expect(Set(all) == Set(tables + ["documents", "sign_outs", "sealing", "sharing"]))
    }

    @Test func nothingOfItCanBeReadOutside() throws {
        let file = try export()
        let text = String(decoding: file, as: UTF8.self)
        for secret in ["refresh-", "ana@example.com", ana, client, "mark", Self.passphrase, "SQLite"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.hasPrefix("susi-export-\(Schema.version)\nsusi-key-2 passphrase "))
        #expect(try export() != file, "salt and nonce are new each time")
    }

    @Test func newerWinsAndNothingIsLost() throws {
        let other = TemporaryStore()
        let new = try other.open()
        // This store has newer values of one account, older ones of another, an account that the file lacks, and another
        // current account.
        try new.signIn(grant(account(), profile: Profile(name: "Ana New"), mark: "new", receivedOn: 90_000))
        try new.signIn(grant(account(ben), mark: "old", receivedOn: 500))
        try new.signIn(grant(account("only-here")))
        let demand = try ClaimsRequest(parsing: #"{"access_token":{"acrs":{"value":"c2"}}}"#.utf8)
        try new.remember(demand, for: account())
        let result = try take(try export(now: 100_000), into: new, now: 100_000)
        #expect(result.count(.added) == 3 && result.count(.updated) == 1 && result.count(.unchanged) == 1)
        #expect(try new.secret(.refresh(account()))?.secret.hasSuffix("|new") == true)
        #expect(try new.account(account())?.profile.name == "Ana New" && new.pendingClaims(of: account()) == demand)
        #expect(try new.account(account())?.claims.contains("|new") == true)
        #expect(try new.secret(.refresh(account(ben)))?.secret.hasSuffix("|1") == true)
        #expect(try new.account(account(ben))?.claims.contains("|1") == true)
        #expect(try new.account(account("only-here")) != nil && new.secret(.refresh(account("only-here"))) != nil)
        #expect(try new.current(susi, in: scope)?.account == account("only-here"))
        #expect(try new.current(edit.policy, in: scope)?.account == edit)
        #expect(try StoreCheck.run(other.folder).findings == [])
    }

    @Test func aKnownNameKeepsItsTenantAndCommonGetsAnother() throws {
        let other = TemporaryStore()
        let new = try other.open()
        let green = Tenant(origin: origin, id: "cccccccc-0000-0000-0000-000000000003")
        let (moved, member) = (account("m1", tenant: green), account("m2", PolicyName("default"), tenant: blue))
        try new.signIn(grant(moved))
        try new.signIn(grant(member, tenantName: "common"), in: common)
        try take(try export(), into: new)
        #expect(try new.accounts(of: scope).map(\.account) == [moved])
        #expect(try Set(new.accounts(of: common).map(\.account)) == [member, worker, guest])
        #expect(try new.current(PolicyName("default"), in: common)?.account == member)
    }

    @Test func whatDoesNotOpenHereIsReplaced() throws {
        let file = try export()
        try home.raw().execute("UPDATE tokens SET secret = zeroblob(60), saved_on = 9000 WHERE kind = 'refresh'")
        try home.raw().execute("UPDATE accounts SET claims = zeroblob(60), claims_on = 9000 WHERE id = 1")
        #expect(try take(file, into: store).tokens == 5)
        #expect(try store.secret(.refresh(account())) != nil && store.account(account()) != nil)
    }

    @Test func whatDoesNotOpenIsLeftOutAndNamed() throws {
        try home.raw().execute("UPDATE tokens SET secret = zeroblob(60) WHERE kind = 'id' AND account = 1")
        try home.raw().execute("UPDATE accounts SET claims = zeroblob(60) WHERE id IN (2, 3)")
        try home.raw().execute("DELETE FROM tokens WHERE account = 3")
        let (file, copy) = try store.export(with: try Self.newKey(), now: 2_000)
        #expect(copy.count(.added) == 4 && copy.tokens == 11)
        #expect(
            copy.leftOut.sorted() == [
                "claims of ana@example.com under B2C_1_edit: cannot be decrypted",
                "claims of ana@example.com under B2C_1_susi: cannot be decrypted",
                "id token of ana@example.com under B2C_1_susi: cannot be decrypted",
            ])
        let keeper = try TemporaryStoreKeeper()
        #expect(try take(file, into: keeper.store).count(.added) == 4)
        #expect(try keeper.store.account(edit)?.claims == "{}" && keeper.store.secret(.refresh(edit)) != nil)
        #expect(try keeper.store.account(account(ben)) == nil)
    }

    /// A wrong clock, or a file of somebody else, must not keep later values out for ever.
    @Test func aTimeOfTheFutureReplacesNothing() throws {
        let raw = try home.raw()
        try raw.execute("UPDATE tokens SET saved_on = 9223372036854775807, expires_on = -5 WHERE kind = 'refresh'")
        try raw.execute("UPDATE accounts SET claims_on = 9223372036854775807, signed_in_on = -9223372036854775808")
        try raw.execute("UPDATE persons SET profile_on = 9223372036854775807")
        try raw.execute("UPDATE tokens SET granted = 'a' WHERE kind = 'access' AND account = 1")
        let file = try export()
        let keeper = try TemporaryStoreKeeper()
        try take(file, into: keeper.store)
        let times = try keeper.store.secret(.refresh(account()))?.info
        #expect(times?.savedOn == 2_000 && times?.expiresOn == 0)
        let stored = try keeper.store.account(account())
        #expect(stored?.claimsOn == 2_000 && stored?.signedInOn == 0 && stored?.profileOn == 2_000)
        #expect(try take(file, into: keeper.store).count(.unchanged) == 5)
        // The clock of this machine is behind.
        let late = try TemporaryStoreKeeper()
        try late.store.signIn(grant(account(), mark: "good", receivedOn: 50))
        #expect(try take(file, into: late.store, now: 100).count(.unchanged) == 1)
        #expect(try late.store.secret(.refresh(account()))?.secret.hasSuffix("|good") == true)
        #expect(try late.store.account(account())?.claims.contains("|good") == true)
    }

    @Test func aTokenThatCouldChangeARequestIsLeftOut() throws {
        try store.signIn(grant(account(ben), mark: "x\r\nX-Injected: 1"))
        let (_, copy) = try store.export(with: try Self.newKey(), now: 2_000)
        #expect(copy.tokens == 12 && copy.leftOut.count == 3)
        #expect(copy.leftOut.allSatisfy { $0.hasSuffix(": not visible ASCII characters") }, "\(copy.leftOut)")
    }

    @Test func aDryRunChangesNothing() throws {
        let other = TemporaryStore()
        let new = try other.open()
        try new.signIn(grant(account(ben), mark: "old", receivedOn: 500))
        // Without the index of the log, which changes with every reader.
        let files = ["", "-wal"].map { other.folder.beside($0).string }
        let before = files.map { FileManager.default.contents(atPath: $0) }
        let result = try take(try export(), into: new, isDryRun: true)
        #expect(result.count(.added) == 4 && result.count(.updated) == 1)
        #expect(files.map { FileManager.default.contents(atPath: $0) } == before)
        #expect(try new.allAccounts().count == 1)
        // A store that was opened for reading does not exclude a repair.
        let reader = try #require(try AccountStore(existing: other.folder))
        let all = try store.allAccounts()
        let refused = #expect(throws: StoreError.self) {
            try AccountStore.copy(all, from: store, to: reader, now: 2_000)
        }
        #expect(refused?.fact == .openedForReading)
    }

    @Test func onlyACurrentAccountEndsASignOut() throws {
        let keeper = try TemporaryStoreKeeper()
        try keeper.store.signIn(grant(account("only-here")))
        _ = try keeper.store.remove([account("only-here")], signedOutOn: 1_500)
        let copy = { try AccountStore.copy(store.allAccounts(), from: store, to: keeper.store, now: 2_000) }
        _ = try store.remove([account(ben)])
        _ = try copy()
        #expect(try keeper.store.previous(susi, in: scope)?.account == account())
        #expect(try keeper.store.signedOut(susi, in: scope) != nil)
        try store.signIn(grant(account(ben)))
        #expect(try copy().current == 1 && keeper.store.signedOut(susi, in: scope) == nil)
    }

    @Test func aSharedStoreTakesOnePersonOnly() throws {
        let other = TemporaryStore()
        let new = try other.open()
        try new.share(true)
        let several = try export()
        for isDryRun in [true, false] {
            #expect(kind { try take(several, into: new, isDryRun: isDryRun) } == .occupied)
            #expect(try new.allAccounts().isEmpty)
        }
        _ = try store.remove([account(), edit, account(ben)])
        // The worker's own accounts come, also those in another tenant; the file says nothing about the sharing of a store.
        try take(try export(), into: new)
        #expect(try Set(new.allAccounts().map(\.account)) == [worker, guest] && new.isShared())
        try store.signIn(grant(account(ben)))
        #expect(kind { try take(try export(), into: new) } == .occupied)
        #expect(try new.allAccounts().count == 2)
    }

    // MARK: Damage

    @Test func refusesWrongPassphrase() throws {
        let keeper = try TemporaryStoreKeeper()
        #expect(failure(try export(), into: keeper.store, "another passphrase") == .wrongPassphrase)
        #expect(try keeper.isEmpty)
    }

    @Test func refusesAlteredBytes() throws {
        let file = try export()
        let keeper = try TemporaryStoreKeeper()
        let header = try #require(
            file.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false).last?.startIndex)
        var random = SeededNumbers(seed: 7)
        let places =
            Array(stride(from: 0, to: header, by: 5)) + [header - 1, header, file.count - 1]
            + (0..<8).map { _ in header + Int(random.next() % UInt64(file.count - header)) }
        for place in places {
            var altered = file
            altered[place] ^= 1
            #expect(failure(altered, into: keeper.store) != nil, "byte \(place)")
        }
        for altered in [Array(file.dropLast()), Array(file[..<(header + 9)]), Array(file[..<header]), file + [0]] {
            #expect(failure(altered, into: keeper.store) == .altered, "\(altered.count)")
        }
        #expect(try keeper.isEmpty)
        #expect(failure(file, into: keeper.store) == nil)
    }

    @Test func refusesOtherFiles() throws {
        let keeper = try TemporaryStoreKeeper()
        let record = "susi-key-2 passphrase 0011223344556677 0 16384 8 1 00112233445566778899aabbccddeeff\n"
        let first = "susi-export-\(Schema.version)\n"
        let cases: [(String, ExportFileError)] = [
            ("", .notOurs), ("{\"AccessToken\":{}}", .notOurs), ("susi-export", .notOurs),
            (String(decoding: try home.contents().prefix(4_096), as: UTF8.self), .notOurs),
            ("susi-export-1\nscrypt 16 8 1 AAAA\n", .otherVersion), ("susi-export-9999\n\(record)", .otherVersion),
            (first, .altered), (first + record.dropLast(), .altered), (first + record, .wrongPassphrase),
            // Too little or too much work for each guess.
            (first + record.replacing("16384", with: "8"), .altered),
            (first + record.replacing("16384 8", with: "1048576 32"), .altered),
            (first + record.replacing("passphrase", with: "command"), .altered),
            (first + String(repeating: "x", count: 9_000), .altered),
        ]
        for (text, expected) in cases {
            #expect(failure(Array(text.utf8), into: keeper.store) == expected, "\(text.prefix(80))")
        }
        #expect(try keeper.isEmpty)
    }

    /// Somebody who gives away a passphrase too may have encrypted anything.
    @Test(arguments: [
        "CREATE TRIGGER more AFTER INSERT ON accounts BEGIN SELECT 1; END", "CREATE VIEW more AS SELECT 1",
        "DROP INDEX person_homes_by_home", "CREATE TABLE more (one)", "CREATE INDEX more ON persons (name)",
        "ALTER TABLE persons ADD COLUMN more TEXT",
    ])
    func refusesAnotherSchema(change: String) throws {
        let content = try Connection(path: ":memory:")
        try Schema.create(in: content)
        try content.executeScript(change)
        let keeper = try TemporaryStoreKeeper()
        let expected = ExportFileError.content("its tables are not those of a store")
        #expect(failure(try seal(try content.bytes()), into: keeper.store) == expected)
    }

    @Test func refusesContentThatIsNoStore() throws {
        let keeper = try TemporaryStoreKeeper()
        for content in [[], Array("no database".utf8), Array(try home.contents())] {
            guard case .content = failure(try seal(content), into: keeper.store) else {
                Issue.record("\(content.count) bytes were taken")
                continue
            }
        }
        let broken = try Connection(path: ":memory:")
        try Schema.create(in: broken)
        try broken.executeScript(
            """
            INSERT INTO tenants VALUES (1, 'https://h.example', 't');
            INSERT INTO persons VALUES (1, 1, 's', NULL, NULL, NULL, '[7]', NULL, NULL, 0);
            INSERT INTO accounts VALUES (1, 1, 1, 'c', 'p', 'p', 'u', 't', 'a', 0, 0, zeroblob(8), x'');
            """)
        #expect(
            failure(try seal(try broken.bytes()), into: keeper.store)
                == .store(StoreError(.emailsUnreadable, "/dev/null/store.sqlite")))
        #expect(try keeper.isEmpty)
    }

    private func seal(_ content: [UInt8]) throws -> [UInt8] {
        try ExportFile.seal(content, with: try Self.newKey())
    }
}

/// An empty store that exists as long as this object.
final class TemporaryStoreKeeper {
    private let home = TemporaryStore()
    let store: AccountStore

    init() throws { store = try home.open() }

    var isEmpty: Bool {
        get throws {
            let tables = ["accounts", "persons", "tokens", "tenants", "tenant_group_names"]
            return try tables.allSatisfy { table in
                try home.raw().first("SELECT count(*) FROM \(table)") { try $0.integer(0) } == 0
            }
        }
    }
}
