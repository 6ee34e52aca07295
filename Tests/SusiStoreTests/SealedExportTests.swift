import Foundation
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
    let home: TemporaryStore
    let store: AccountStore
    let edit = account(ana, PolicyName("B2C_1_edit"))
    let common = ApplicationScope(
        origin: "https://login.example", tenantName: "common", clientID: client, spansTenants: true)
    let worker = account("w1", PolicyName("default"), tenant: Tenant(origin: "https://login.example", id: guid))

    init() throws {
        home = try TemporaryStore()
        store = try home.open()
        for account in [account(), edit, account(ben)] { try store.signIn(signedGrant(account)) }
        try store.signIn(
            signedGrant(worker, tenantName: "common", profile: Profile(username: "w1@example.com")), in: common)
        let demand = #"{"access_token":{"acrs":{"value":"c1"}}}"#
        try store.remember(try ClaimsRequest(parsing: demand.utf8), for: account())
    }

    private func export(_ store: AccountStore? = nil) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try (store ?? self.store).exportSealed(passphrase: Self.passphrase, cost: 10, exportedOn: 2_000) {
            bytes += $0
        }
        return bytes
    }

    @discardableResult
    private func take(
        _ bytes: [UInt8], into store: AccountStore, _ passphrase: String = Self.passphrase,
        isDryRun: Bool = false
    ) throws -> SealedImport {
        try store.importSealed(
            passphrase: passphrase, isDryRun: isDryRun, now: 2_000, read: bytes.reader())
    }

    private func failure(_ bytes: [UInt8], into store: AccountStore, _ passphrase: String = Self.passphrase)
        -> SealedFileError?
    {
        do {
            try take(bytes, into: store, passphrase)
            return nil
        } catch { return error as? SealedFileError }
    }

    @Test func importRestoresEverything() throws {
        let bytes = try export()
        let other = try TemporaryStore()
        let new = try other.open()
        #expect(new.folder.key != home.folder.key)
        let preview = try AccountStore.previewSealed(
            passphrase: Self.passphrase, now: 2_000, read: bytes.reader())
        let result = try take(bytes, into: new)
        #expect(result == preview)
        #expect(result.counts == [.added: 4] && result.tokens == 12 && result.skipped == 0)
        #expect(result.exportedOn == 2_000 && result.entries.count == 4 && result.current == 3 && result.names == 2)
        for (one, scope) in [(account(), scope), (edit, scope), (account(ben), scope), (worker, common)] {
            #expect(try new.account(one) == store.account(one))
            for key in [TokenKey.refresh(one), .id(one), .access(one, read)] {
                #expect(try new.secret(key) == store.secret(key) && new.secret(key) != nil)
            }
            #expect(try new.current(one.policy, in: scope)?.account == store.current(one.policy, in: scope)?.account)
        }
        #expect(try new.previous(susi, in: scope)?.account == account())
        #expect(try new.accounts(of: scope).map(\.account) == store.accounts(of: scope).map(\.account))
        #expect(try new.accounts(of: common).map(\.account) == [worker])
        #expect(try new.pendingClaims(of: account()) == store.pendingClaims(of: account()))
        #expect(try StoreCheck.run(other.folder).findings == [])
        // A second import of the same file changes nothing.
        let again = try take(bytes, into: new)
        #expect(again.counts == [.unchanged: 4] && again.tokens == 0 && again.names == 0)
        #expect(again.current == 0)
    }

    @Test func nothingOfItCanBeReadOutside() throws {
        let text = String(decoding: try export(), as: UTF8.self)
        for secret in ["refresh-", "ana@example.com", ana, client, "mark", Self.passphrase] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.hasPrefix("susi-export-1\nscrypt 10 8 1 "))
        #expect(try export() != export(), "salt and keys are new each time")
    }

    @Test func newerWinsAndNothingIsLost() throws {
        let other = try TemporaryStore()
        let new = try other.open()
        // This store has newer tokens of one account, older ones of another, an account that the file lacks, and
        // another current account.
        try new.signIn(signedGrant(account(), profile: Profile(name: "Ana New"), mark: "new", receivedOn: 3_000))
        try new.signIn(signedGrant(account(ben), mark: "old", receivedOn: 500))
        try new.signIn(signedGrant(account("only-here")))
        let result = try take(try export(), into: new)
        #expect(result.counts == [.added: 2, .updated: 1, .unchanged: 1])
        #expect(try new.secret(.refresh(account()))?.secret.hasSuffix("|new") == true)
        #expect(try new.account(account())?.profile.name == "Ana New")
        #expect(try new.secret(.refresh(account(ben)))?.secret.hasSuffix("|1") == true)
        #expect(try new.account(account(ben))?.claims.contains("|1") == true)
        #expect(try new.account(account("only-here")) != nil && new.secret(.refresh(account("only-here"))) != nil)
        #expect(try new.current(susi, in: scope)?.account == account("only-here"))
        #expect(try new.current(edit.policy, in: scope)?.account == edit)
        #expect(try StoreCheck.run(other.folder).findings == [])
    }

    @Test func aTokenThatDoesNotOpenHereIsReplaced() throws {
        let bytes = try export()
        try home.raw().execute("UPDATE tokens SET secret = zeroblob(60), saved_on = 9000 WHERE kind = 'refresh'")
        #expect(try take(bytes, into: store).tokens == 4)
        #expect(try store.secret(.refresh(account())) != nil)
    }

    @Test func whatDoesNotOpenIsLeftOutAndNamed() throws {
        try home.raw().execute("UPDATE tokens SET secret = zeroblob(60) WHERE kind = 'id' AND account = 1")
        var bytes: [UInt8] = []
        let export = try store.exportSealed(passphrase: Self.passphrase, cost: 10, exportedOn: 1) { bytes += $0 }
        #expect(export.accounts == 4 && export.tokens == 11 && export.leftOutCount == 1)
        #expect(export.leftOut.contains("id token of ana@example.com under B2C_1_susi: cannot be decrypted"))
        #expect(try take(bytes, into: TemporaryStoreKeeper().store).accounts == 4)
    }

    /// A store may contain values that an earlier version accepted. They must not make a whole export unusable.
    @Test func exportsOnlyWhatAnImportAccepts() throws {
        let raw = try home.raw()
        try raw.execute("UPDATE tokens SET saved_on = 9223372036854775807, expires_on = -5 WHERE kind = 'refresh'")
        try raw.execute("UPDATE tokens SET granted = 'a' || char(27) WHERE kind = 'access' AND account = 1")
        try raw.execute("UPDATE accounts SET home_utid = 'x y' WHERE id = 3")
        var bytes: [UInt8] = []
        let export = try store.exportSealed(passphrase: Self.passphrase, cost: 10, exportedOn: 2_000) { bytes += $0 }
        #expect(export.accounts == 3 && export.tokens == 8 && export.leftOutCount == 2)
        #expect(
            export.leftOut.contains(
                "access token of ana@example.com under B2C_1_susi: token.granted is not a list of scopes"))
        let keeper = try TemporaryStoreKeeper()
        #expect(try take(bytes, into: keeper.store).accounts == 3)
        let refresh = try keeper.store.secret(.refresh(account()))?.info
        #expect(refresh?.savedOn == 2_000 && refresh?.expiresOn == 0)
    }

    @Test func aDryRunWritesNothing() throws {
        let other = try TemporaryStore()
        let new = try other.open()
        try new.signIn(signedGrant(account(ben), mark: "old", receivedOn: 500))
        // Without the index of the log, which changes with every reader.
        let files = ["", "-wal"].map { other.folder.beside($0).string }
        let before = files.map { FileManager.default.contents(atPath: $0) }
        let result = try take(try export(), into: new, isDryRun: true)
        #expect(result.counts == [.added: 3, .updated: 1])
        #expect(files.map { FileManager.default.contents(atPath: $0) } == before)
        #expect(try new.accounts(of: scope).count == 1)
    }

    @Test func aSharedStoreTakesOnePersonOnly() throws {
        let other = try TemporaryStore()
        let new = try other.open()
        try new.share(true)
        for isDryRun in [true, false] {
            #expect(kind { try take(try export(), into: new, isDryRun: isDryRun) } == .occupied)
            #expect(try new.allAccounts().isEmpty)
        }
        _ = try store.remove([account(ben), worker])
        // Her own accounts come, and the file says nothing about the sharing of a store.
        try take(try export(), into: new)
        #expect(try new.allAccounts().count == 2 && new.isShared())
        try store.signIn(signedGrant(account(ben)))
        #expect(kind { try take(try export(), into: new) } == .occupied)
        #expect(try new.allAccounts().count == 2)
    }

    // MARK: Damage

    @Test func refusesWrongPassphrase() throws {
        let keeper = try TemporaryStoreKeeper()
        #expect(failure(try export(), into: keeper.store, "another passphrase") == .wrongPassphrase)
        #expect(try keeper.isEmpty)
    }

    /// Returns an export of many accounts, so that the file has several chunks.
    private func longExport() throws -> [UInt8] {
        for number in 0..<40 {
            try store.signIn(signedGrant(account("long-\(number)"), mark: String(repeating: "x", count: 1_500)))
        }
        return try export()
    }

    @Test func refusesAlteredBytes() throws {
        let bytes = try longExport()
        #expect(bytes.count > 2 * SealedFile.chunkSize)
        let keeper = try TemporaryStoreKeeper()
        var random = SeededNumbers(seed: 7)
        // Every byte of the header, and many of the chunks.
        let places = Array(0..<110) + (0..<40).map { _ in Int(random.next() % UInt64(bytes.count)) }
        for place in places {
            var altered = bytes
            altered[place] ^= 1
            #expect(failure(altered, into: keeper.store) != nil, "byte \(place)")
        }
        #expect(try keeper.isEmpty)
        #expect(failure(bytes, into: keeper.store) == nil)
    }

    @Test func cutAndMovedChunks() throws {
        let bytes = try longExport()
        let header = 3 + bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3)[..<3].map(\.count).reduce(0, +)
        let size = SealedFile.chunkSize + SealedFile.tagSize
        let chunk = { (number: Int) in Array(bytes[(header + number * size)..<(header + (number + 1) * size)]) }
        let rest = Array(bytes[(header + 2 * size)...])
        let last = (bytes.count - header + size - 1) / size
        let head = Array(bytes[..<header])
        let keeper = try TemporaryStoreKeeper()
        let cases: [(String, [UInt8], SealedFileError)] = [
            ("nothing behind the header", head, .cut), ("one chunk", head + chunk(0), .cut),
            ("half a chunk", head + chunk(0) + chunk(1).dropLast(9), .altered(chunk: 2)),
            ("without the last byte", bytes.dropLast(1), .altered(chunk: last)),
            ("the first left out", head + chunk(1) + rest, .altered(chunk: 1)),
            ("exchanged", head + chunk(1) + chunk(0) + rest, .altered(chunk: 1)),
            ("repeated", head + chunk(0) + chunk(0) + chunk(1) + rest, .altered(chunk: 2)),
            ("something behind the end", bytes + [0], .altered(chunk: last)),
            ("twice", bytes + bytes, .altered(chunk: last)),
        ]
        for (name, altered, expected) in cases {
            #expect(failure(Array(altered), into: keeper.store) == expected, "\(name)")
        }
        #expect(try keeper.isEmpty)
    }

    @Test func refusesInvalidHeaders() throws {
        let keeper = try TemporaryStoreKeeper()
        let salt = "AAAAAAAAAAAAAAAAAAAAAA"
        let sum = "mac \(String(repeating: "A", count: 43))\n"
        let cases: [(String, SealedFileError)] = [
            ("", .notOurs), ("{\"AccessToken\":{}}", .notOurs), ("susi-export", .notOurs),
            ("susi-export-2\nscrypt 10 8 1 \(salt)\n\(sum)", .newer),
            ("susi-export-1\nscrypt 40 8 1 \(salt)\n\(sum)", .tooCostly(40)),
            ("susi-export-1\nscrypt 21 8 1 \(salt)\n\(sum)", .tooCostly(21)),
            ("susi-export-1\nscrypt 19 8 1 \(salt)\n\(sum)", .tooCostly(19)),
            ("susi-export-1\nscrypt 0 8 1 \(salt)\n\(sum)", .tooCostly(0)),
            ("susi-export-1\nscrypt -1 8 1 \(salt)\n\(sum)", .tooCostly(-1)),
            ("susi-export-1\nscrypt 10 8 1 \(salt)\n\(sum)", .wrongPassphrase),
        ]
        for (text, expected) in cases { #expect(failure(Array(text.utf8), into: keeper.store) == expected, "\(text)") }
        let damaged = [
            "susi-export-1\n", "susi-export-1\nscrypt 10 8 1 \(salt)\n",
            "susi-export-1\nscrypt 10 4096 1 \(salt)\n\(sum)", "susi-export-1\nscrypt 10 8 999 \(salt)\n\(sum)",
            "susi-export-1\nscrypt 99999999999999999999 8 1 \(salt)\n\(sum)",
            "susi-export-1\nscrypt 10 8 1 AAAA\n\(sum)", "susi-export-1\nscrypt 10 8 1 \(salt)\nmac AAAA\n",
            "susi-export-1\nargon 10 8 1 \(salt)\n\(sum)", "susi-export-1\n" + String(repeating: "x", count: 9_000),
        ]
        for text in damaged {
            guard case .header = failure(Array(text.utf8), into: keeper.store) else {
                Issue.record("\(text.prefix(80))")
                continue
            }
        }
        #expect(try keeper.isEmpty)
    }

    /// A chunk that is full to the last byte, and an empty file.
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, 200_000]) func readsTextsOfAnyLength(length: Int)
        throws
    {
        var bytes: [UInt8] = []
        var writer = try SealedWriter(passphrase: "p", cost: 10) { bytes += $0 }
        let line = [UInt8](repeating: UInt8(ascii: "a"), count: max(0, length - 1))
        if length > 0 { try writer.add(line) }
        try writer.finish()
        var reader = try SealedReader(passphrase: "p", read: bytes.reader())
        #expect(try reader.next() == (length > 0 ? line : nil))
        #expect(try reader.next() == nil)
    }
}

/// Returns a grant whose id token is a signed JWT: an import accepts no other.
func signedGrant(
    _ account: Account, tenantName: String = domain,
    profile: Profile = Profile(name: "Ana", emails: ["ana@example.com"]), mark: String = "1", receivedOn: Int64 = 1_000
) -> TokenGrant {
    let claims = #"{"mark":"\#(account.person.subject)|\#(mark)"}"#
    let token = "\(Base64URL.encode(#"{"alg":"RS256"}"#.utf8)).\(Base64URL.encode(claims.utf8)).AAAA"
    return grant(
        account, tenantName: tenantName, profile: profile, mark: mark, receivedOn: receivedOn, idToken: token)
}

extension [UInt8] {
    /// Returns a function that reads these bytes of a file in pieces of odd sizes.
    func reader() -> (Int) throws -> [UInt8] {
        var place = 0
        return { wanted in
            let end = Swift.min(count, place + Swift.max(1, Swift.min(wanted, 7_919)))
            defer { place = end }
            return Array(self[place..<end])
        }
    }
}

/// An empty store that exists as long as this object.
final class TemporaryStoreKeeper {
    private let home: TemporaryStore
    let store: AccountStore

    init() throws {
        home = try TemporaryStore()
        store = try home.open()
    }

    var isEmpty: Bool {
        get throws {
            let tables = ["accounts", "persons", "tokens", "tenants", "audience_names"]
            return try tables.allSatisfy { table in
                try home.raw().first("SELECT count(*) FROM \(table)") { try $0.integer(0) } == 0
            }
        }
    }
}
