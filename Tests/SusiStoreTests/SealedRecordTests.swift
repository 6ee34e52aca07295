import Foundation
import SusiOAuth
import SusiPolicies
import SusiSQLite
import Testing

@testable import SusiStore

/// Encrypted exports with the right passphrase and a record that breaks a rule, as another program could write them.
@Suite struct SealedRecordTests {
    private static let passphrase = "correct horse battery"
    private static let now: Int64 = 2_000
    let home: TemporaryStore
    let store: AccountStore

    init() throws {
        home = try TemporaryStore()
        store = try home.open()
        try store.signIn(signedGrant(account()))
    }

    /// A changed value of a record.
    private struct Change {
        let record: String
        /// The path to the value: keys and list indexes.
        let path: [String]
        let value: Any
        /// The field that the error names.
        let field: String

        init(_ record: String, _ path: String, _ value: Any, field: String? = nil) {
            self.record = record
            self.path = path.split(separator: ".").map(String.init)
            self.value = value
            self.field = field ?? "\(record).\(path.replacing(/\.([0-9]+)/) { "[\($0.output.1)]" })"
        }

        /// Returns the lines with the value in the first record of the kind.
        func applied(to lines: [[UInt8]]) throws -> [[UInt8]] {
            var lines = lines
            for (number, line) in lines.enumerated() {
                var object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
                guard let old = object[record] else { continue }
                object[record] = Self.put(value, at: path[...], into: old)
                lines[number] = Array(try JSONSerialization.data(withJSONObject: object))
                return lines
            }
            Issue.record("no record \(record)")
            return lines
        }

        private static func put(_ value: Any, at path: ArraySlice<String>, into place: Any) -> Any {
            guard let first = path.first else { return value }
            if var list = place as? [Any], let index = Int(first) {
                list[index] = put(value, at: path.dropFirst(), into: list[index])
                return list
            }
            var object = place as? [String: Any] ?? [:]
            object[first] = put(value, at: path.dropFirst(), into: object[first] ?? NSNull())
            return object
        }
    }

    private static var times: [Change] {
        let tomorrow = now + 86_400
        let invalid = ["signedInOn", "claimsOn", "profileOn", "tokens.0.savedOn"].flatMap { path in
            [Change("account", path, Int64.min), Change("account", path, -1), Change("account", path, tomorrow)]
        }
        return invalid + [
            Change("head", "exportedOn", Int64.max), Change("head", "exportedOn", Int64.min),
            Change("head", "exportedOn", -1), Change("account", "tokens.0.savedOn", Int64.max),
            Change("account", "tokens.0.expiresOn", Int64.min), Change("account", "tokens.0.expiresOn", Int64.max),
            Change("account", "tokens.0.expiresOn", 253_402_300_800), Change("account", "tokens.0.refreshOn", -1),
            Change("account", "tokens.0.expiresOn", "soon"),
            Change("account", "tokens.0.expiresOn", 1.5, field: "not a record"),
        ]
    }

    private static var texts: [Change] {
        [
            Change("account", "tokens.0.secret", "token\nX-Injected: 1"),
            Change("account", "tokens.0.secret", "t\u{e9}"),
            Change("account", "tokens.0.secret", ""), Change("account", "tokens.1.secret", "not.a.jwt"),
            Change("account", "tokens.0.kind", "session"), Change("account", "tokens.0.scopes", "a\u{1b}[31m"),
            Change("account", "tokens.0.granted", "a\"b"), Change("account", "tokens.1.scopes", "a"),
            Change("account", "policy", "B2C_1_\u{1b}[2J"), Change("account", "policy", ".."),
            Change("account", "clientId", "ä"), Change("account", "clientId", "a "), Change("account", "subject", ""),
            Change("account", "subject", "A1000000-0000-0000-0000-00000000000A"),
            Change("account", "tenant.origin", "https://login.example/path"),
            Change("account", "tenant.origin", "ftp://login.example"), Change("account", "tenant.id", "x\ny"),
            Change("account", "authority", "http://login.example/tenant"),
            Change("account", "homeUid", ""), Change("account", "homeUtid", "\u{1b}[0m"),
            Change("account", "claims", "[]"), Change("account", "claims", "x"),
            Change("account", "pendingClaims", "[]"),
            Change("account", "emails", ["a@contoso.example", ""]),
            Change("name", "name", "a b"), Change("name", "origin", "login.example"), Change("name", "tenants", []),
            Change("name", "tenants.0.id", "x y"),
            Change("current", "role", "owner"), Change("current", "subject", ""), Change("current", "policy", "a/b"),
        ]
    }

    /// Returns the lines of the store's export.
    private func lines() throws -> [[UInt8]] {
        var bytes: [UInt8] = []
        _ = try store.exportSealed(passphrase: Self.passphrase, cost: 10, exportedOn: Self.now) { bytes += $0 }
        var reader = try SealedReader(passphrase: Self.passphrase, read: bytes.reader())
        var lines: [[UInt8]] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    /// Imports a file of these lines.
    @discardableResult
    private func take(_ lines: [[UInt8]], into store: AccountStore) throws -> SealedImport {
        var bytes: [UInt8] = []
        var writer = try SealedWriter(passphrase: Self.passphrase, cost: 10) { bytes += $0 }
        for line in lines { try writer.add(line) }
        try writer.finish()
        return try store.importSealed(passphrase: Self.passphrase, now: Self.now, read: bytes.reader())
    }

    private func problem(_ lines: [[UInt8]], into store: AccountStore) -> String? {
        do { try take(lines, into: store) } catch SealedFileError.line(_, let problem) { return problem } catch {}
        return nil
    }

    @Test func refusesRecordsThatBreakARule() throws {
        let lines = try lines()
        let keeper = try TemporaryStoreKeeper()
        for change in Self.times + Self.texts {
            let problem = problem(try change.applied(to: lines), into: keeper.store)
            #expect(problem?.contains(change.field) == true, "\(change.field) = \(change.value): \(problem ?? "taken")")
            #expect(problem?.contains("\u{1b}") == false, "\(change.field) = \(change.value)")
        }
        #expect(try keeper.isEmpty)
        try take(lines, into: keeper.store)
        #expect(try keeper.store.allAccounts().count == 1)
    }

    @Test(arguments: [
        "rubbish", "{}", #"{"head":{"version":1,"exportedOn":1}}"#,
        "{\"head\":{\"version\":1,\"exportedOn\":1}}\n{\"end\":{\"accounts\":3}}",
        "{\"head\":{\"version\":2,\"exportedOn\":1}}\n{\"end\":{\"accounts\":0}}",
        "{\"head\":{\"version\":1,\"exportedOn\":1}}\n{\"end\":{\"accounts\":0}}\n{\"end\":{\"accounts\":0}}",
        "{\"head\":{\"version\":1,\"exportedOn\":1}}\n{\"account\":{\"tenant\":7}}\n{\"end\":{\"accounts\":1}}",
    ])
    func refusesOtherLines(text: String) throws {
        let keeper = try TemporaryStoreKeeper()
        #expect(throws: SealedFileError.self) {
            try take(text.split(separator: "\n").map { Array($0.utf8) }, into: keeper.store)
        }
        #expect(try keeper.isEmpty)
    }

    /// A row that only the schema refuses ends the whole import.
    @Test func refusesRowsThatTheSchemaRefuses() throws {
        let keeper = try TemporaryStoreKeeper()
        try keeper.store.database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON tokens BEGIN SELECT RAISE(ABORT, 'no more'); END")
        #expect(problem(try lines(), into: keeper.store)?.isEmpty == false)
        #expect(try keeper.isEmpty)
    }

    @Test func refusesFilesFromTheFuture() throws {
        let lines = try lines()
        let keeper = try TemporaryStoreKeeper()
        let skew = IDTokenRules.skew
        let late = try Change("head", "exportedOn", Self.now + skew + 1).applied(to: lines)
        #expect(throws: SealedFileError.fromTheFuture(skew + 1)) { try take(late, into: keeper.store) }
        #expect(try keeper.isEmpty)
        let accepted = Change("head", "exportedOn", Self.now + skew)
        #expect(try take(accepted.applied(to: lines), into: keeper.store).accounts == 1)
    }

    /// Earlier versions exported the tokens of other programs that were not used yet.
    @Test func countsWaitingTokensOfEarlierVersions() throws {
        var lines = try lines()
        let waiting = """
            {"imported":{"origin":"https://h.example","tenantName":"t.example","clientId":"c","policy":"B2C_1_p",\
            "homeUid":"u","homeUtid":"","subject":null,"label":"l","source":"msal","importedOn":1000,"secret":"rt"}}
            """
        lines.insert(Array(waiting.utf8), at: lines.count - 1)
        let result = try take(lines, into: TemporaryStoreKeeper().store)
        #expect(result.skipped == 1 && result.accounts == 1)
    }

    @Test func keepsAGoodTokenFromOneOfTheFuture() throws {
        let before = try store.account(account())
        var forged = try Change("account", "tokens.0.savedOn", Int64.max).applied(to: try lines())
        forged = try Change("account", "tokens.0.secret", "forged").applied(to: forged)
        #expect(problem(forged, into: store) == "account.tokens[0].savedOn is not a time between 1970 and now")
        #expect(try store.account(account()) == before)
        #expect(try store.secret(.access(account(), read))?.secret.hasPrefix("access-") == true)
    }
}
