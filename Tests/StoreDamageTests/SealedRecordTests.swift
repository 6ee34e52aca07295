import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiStore

/// Encrypted exports with the right passphrase and a record that breaks a rule, as another program could write them.
@Suite("Sealed records", .inTurn, .timeLimit(.minutes(5)))
struct SealedRecordTests {
    private static let passphrase = "correct horse battery"

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
        let tomorrow = Int64(Date().timeIntervalSince1970) + 86_400
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

    /// Returns the lines of an export of Ana's account.
    private func lines(_ scene: PasswordTenant) throws -> [[UInt8]] {
        let store = try AccountStore(opening: scene.folder)
        let bytes = Collected()
        _ = try store.exportSealed(passphrase: Self.passphrase, cost: 10, exportedOn: 2_000) { bytes.all += $0 }
        var reader = try SealedReader(passphrase: Self.passphrase, read: { bytes.next($0) })
        var lines: [[UInt8]] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    /// Runs `susi import` with a file of these lines, into another home.
    private func take(_ lines: [[UInt8]], _ scene: PasswordTenant, into home: FilePath) async throws -> ProgramOutcome {
        let bytes = Collected()
        var writer = try SealedWriter(passphrase: Self.passphrase, cost: 10) { bytes.all += $0 }
        for line in lines { try writer.add(line) }
        try writer.finish()
        return try await take(bytes.all, scene, into: home)
    }

    private func take(_ file: [UInt8], _ scene: PasswordTenant, into home: FilePath) async throws -> ProgramOutcome {
        let folder = scene.susi.home.folder
        try Data(file).write(to: URL(filePath: folder.appending("export").string))
        try Data("\(Self.passphrase)\n".utf8).write(to: URL(filePath: folder.appending("passphrase").string))
        return try await scene.susi.command(
            [
                "import", folder.appending("export").string, "--passphrase-file", folder.appending("passphrase").string,
            ], environment: ["SUSI_HOME": home.string]
        ).run()
    }

    @Test func refusesRecordsThatBreakARule() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            let lines = try lines(scene)
            let other = scene.susi.home.folder.appending("other")
            for change in Self.times + Self.texts {
                let outcome = try await take(try change.applied(to: lines), scene, into: other)
                let name = "\(change.field) = \(change.value)"
                #expect(outcome.status == 1, "\(name): \(outcome)")
                #expect(outcome.standardError.contains(change.field), "\(name): \(outcome)")
                #expect(!outcome.standardError.contains("\u{1b}"), "\(name)")
            }
            let folder = StoreFolder(other, owner: getuid())
            if SmallFile.exists(folder.database.string) { #expect(try folder.accounts().isEmpty) }
            let good = try await take(lines, scene, into: other)
            #expect(good.status == 0, "\(good)")
            #expect(try folder.accounts().count == 1)
        }
    }

    /// Earlier versions exported the tokens of other programs that were not used yet.
    @Test func countsWaitingTokensOfEarlierVersions() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            var lines = try lines(scene)
            let waiting = """
                {"imported":{"origin":"https://h.example","tenantName":"t.example","clientId":"c","policy":"B2C_1_p",\
                "homeUid":"u","homeUtid":"","subject":null,"label":"l","source":"msal","importedOn":1000,"secret":"rt"}}
                """
            lines.insert(Array(waiting.utf8), at: lines.count - 1)
            let outcome = try await take(lines, scene, into: scene.susi.home.folder.appending("other"))
            #expect(outcome.status == 0 && outcome.standardOutput.contains("skipped: 1 unused token"), "\(outcome)")
        }
    }

    @Test func keepsAGoodTokenFromOneOfTheFuture() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            let token = try await scene.susi.run("token", "-p", PasswordTenant.policy).standardOutput
            var forged = try Change("account", "tokens.0.savedOn", Int64.max).applied(to: try lines(scene))
            forged = try Change("account", "tokens.0.secret", "forged").applied(to: forged)
            let outcome = try await take(forged, scene, into: scene.susi.home.susiHome)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(try await scene.susi.run("token", "-p", PasswordTenant.policy).standardOutput == token)
        }
    }

    /// Each step doubles the memory of scrypt; no key is derived for a header that requests more than 2^18.
    @Test func refusesCostlyHeaders() async throws {
        try await PasswordTenant.run { scene in
            for cost in [19, 20] {
                let salt = String(repeating: "A", count: 22)
                let header = "susi-export-1\nscrypt \(cost) 8 1 \(salt)\nmac \(String(repeating: "A", count: 43))\n"
                let outcome = try await take(Array(header.utf8), scene, into: scene.susi.home.folder.appending("other"))
                #expect(outcome.status == 1 && outcome.standardError.contains("2^\(cost)"), "\(outcome)")
            }
        }
    }
}

/// The bytes of a file.
private final class Collected {
    var all: [UInt8] = []
    private var place = 0

    func next(_ count: Int) -> [UInt8] {
        let end = min(all.count, place + count)
        defer { place = end }
        return Array(all[place..<end])
    }
}
