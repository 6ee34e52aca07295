import Susi
import SusiTestSupport
import Testing

@testable import SusiTools

/// Caches with damaged entries, which are reported while the others are read, and hostile files.
@Suite("Damaged caches")
struct DamagedCacheTests {
    static let damages: [(changes: [String: String?], reason: String)] = [
        (["secret": nil], "no secret"),
        (["secret": "\"\""], "no secret"),
        (["secret": "null"], "no secret"),
        (["secret": "17"], "secret: expected a string, found a number"),
        (["secret": #"{"a": 1}"#], "secret: expected a string, found an object"),
        (["secret": #""re\u001bfresh""#], "secret contains characters that a token must not have"),
        (["secret": #""réfresh""#], "secret contains characters that a token must not have"),
        (["secret": "\"\(String(repeating: "x", count: 65_537))\""], "secret is too long for a token"),
        (["home_account_id": nil], "no home_account_id"),
        (["home_account_id": "[]"], "home_account_id: expected a string, found a list"),
        (["home_account_id": #""uid.""#], "home_account_id needs a value before and after the dot"),
        (["home_account_id": #"".tenant""#], "home_account_id needs a value before and after the dot"),
        (["home_account_id": #""a\u0000b.t""#], "home_account_id contains a space or a control character"),
        (["home_account_id": "\"\(String(repeating: "x", count: 1_025)).t\""], "home_account_id is too long"),
        (["environment": nil], "no environment"),
        (["environment": #""host:8480""#], "environment is not a host name"),
        (["environment": #""host/path""#], "environment is not a host name"),
        (["environment": #""user@host""#], "environment is not a host name"),
        (["environment": #""ho st""#], "environment contains a space or a control character"),
        (["environment": "true"], "environment: expected a string, found true or false"),
        (["client_id": nil], "no client_id"),
        (["home_account_id": #""uid.""#, "client_id": nil], "home_account_id needs a value before and after the dot"),
        (["client_id": "0"], "client_id: expected a string, found a number"),
    ]

    @Test("each kind of damage of a refresh token's entry is reported", arguments: damages)
    func reportsDamagedRefreshTokens(changes: [String: String?], reason: String) throws {
        let good = Fixture.refreshToken([:])
        let text = #"{"RefreshToken": {"bad": \#(Fixture.refreshToken(changes)), "good": \#(good)}}"#
        let file = try Fixture.file(text)
        #expect(file.entries.map(\.name) == ["RefreshToken good"])
        #expect(file.damages == [CacheFile.Damage(entry: "RefreshToken bad", reason: reason)])
    }

    @Test("damage in other sections is reported and loses only its own values")
    func reportsDamageInOtherSections() throws {
        let text = """
            {"Account": {"a": [], "b": {"home_account_id": 1}, "c": {"home_account_id": "\(Fixture.home)",
                "environment": "contoso.b2clogin.com", "username": ["x"]}},
             "IdToken": "none", "AccessToken": {"t": {"home_account_id": "h.t"}}, "AppMetadata": 3,
             "RefreshToken": {"good": \(Fixture.refreshToken([:]))}}
            """
        let file = try Fixture.file(text)
        #expect(file.entries.map(\.label) == ["\(Fixture.ana)-b2c_1_susi"])
        #expect(
            file.damages.map { "\($0.entry): \($0.reason)" } == [
                "Account a: expected an object, found a list",
                "Account b: home_account_id: expected a string, found a number",
                "Account c: username: expected a string, found a list", "IdToken: expected an object, found a string",
                "AccessToken t: no environment",
            ])
    }

    @Test func reportsDamagedADALEntriesByPosition() throws {
        let entries = try Fixture.file(Fixture.adal()).entries.count
        let damaged = #"""
            [7, {"_authority": "contoso", "_clientId": "c"}, {"_clientId": "c"}, {"_authority": "https://h/t"},
             {"_authority": "https://h/t", "_clientId": "c", "refreshToken": [1]},
            """# + Fixture.adal().dropFirst()
        let file = try Fixture.file(damaged)
        #expect(file.entries.count == entries)
        #expect(
            file.damages.map { "\($0.entry): \($0.reason)" } == [
                "entry 1: expected an object, found a number", "entry 2: invalid _authority",
                "entry 3: no _authority", "entry 4: no _clientId",
                "entry 5: refreshToken: expected a string, found a list",
            ])
    }

    @Test func truncatesLongNames() throws {
        let key = String(repeating: "k", count: 5_000)
        let account = """
            {"home_account_id": "\(Fixture.home)", "environment": "contoso.b2clogin.com",
             "username": "\(String(repeating: "u", count: 5_000))"}
            """
        let file = try Fixture.file(
            #"{"Account": {"a": \#(account)}, "RefreshToken": {"\#(key)": \#(Fixture.refreshToken([:])), "x\#(key)": 1}}"#
        )
        #expect(file.entries.first?.name.count == 121 && file.entries.first?.label.count == 256)
        #expect(file.damages.first?.entry.count == 121)
    }

    @Test("a file that is too large, too deep or has too many entries is refused", .timeLimit(.minutes(5)))
    func refusesTooLargeFiles() throws {
        let blank = [UInt8](repeating: 0x20, count: CacheFile.largest + 1)
        #expect(throws: CacheFileError.tooLarge(bytes: CacheFile.largest)) { try CacheFile(parsing: blank) }
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(throws: CacheFileError.notJSON(line: 1, problem: "more than 64 nested levels")) {
            try Fixture.file(deep)
        }
        let many = "[" + String(repeating: "1,", count: CacheFile.mostEntries) + "1]"
        #expect(throws: CacheFileError.tooManyEntries(CacheFile.mostEntries)) { try Fixture.file(many) }
        let keys = (0...CacheFile.mostEntries).map { #""\#($0)":1"# }.joined(separator: ",")
        #expect(throws: CacheFileError.tooManyEntries(CacheFile.mostEntries)) {
            try Fixture.file(#"{"Account": {\#(keys)}}"#)
        }
        let values = "[[" + String(repeating: "1,", count: 24 * CacheFile.mostEntries) + "1]]"
        #expect(throws: CacheFileError.notJSON(line: 1, problem: "too many values")) { try Fixture.file(values) }
    }

    @Test("an account that is repeated many times takes time proportional to the file", .timeLimit(.minutes(5)))
    func limitsCostOfRepeatedAccounts() throws {
        let (home, host) = (Fixture.home, "contoso.b2clogin.com")
        let holder = #""home_account_id": "\#(home)", "environment": "\#(host)""#
        let many = { (entry: (Int) -> String) in (0..<20_000).map { "\"\($0)\": \(entry($0))" }.joined(separator: ",") }
        let text = """
            {"Account": {\(many { #"{\#(holder), "realm": "r\#($0)", "local_account_id": "o\#($0)"}"# })},
             "AccessToken": {\(many { #"{\#(holder), "client_id": "c", "target": "s\#($0) t\#($0)"}"# })},
             "RefreshToken": {\(many { #"{\#(holder), "client_id": "c\#($0)", "secret": "x"}"# })}}
            """
        let file = try Fixture.file(text)
        #expect(file.entries.count == 20_000 && file.damages.isEmpty)
        #expect(file.entries.allSatisfy { $0.tenants.count <= 32 && $0.scopes.count <= 32 && $0.objectID == nil })
    }

    @Test("after any mutation the reader ends, and accepted values can be stored and sent", .timeLimit(.minutes(5)))
    func survivesRandomMutations() {
        var random = SeededNumbers(seed: 17)
        for text in [Fixture.python(), Fixture.dotNet, Fixture.node, Fixture.adal()] {
            for _ in 0..<500 {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0...2, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.removeSubrange(place..<min(bytes.count, place + 40))
                    default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
                    }
                }
                guard let file = try? CacheFile(parsing: bytes) else { continue }
                for entry in file.entries {
                    #expect(entry.refreshToken.utf8.allSatisfy { (0x20...0x7e).contains($0) })
                    #expect(!entry.clientID.isEmpty && !entry.host.isEmpty && !entry.label.isEmpty)
                }
            }
        }
    }
}
