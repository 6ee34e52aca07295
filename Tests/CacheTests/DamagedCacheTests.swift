import Susi
import SusiTestSupport
import Testing

/// A damaged entry is named, and the rest is taken; a hostile file costs no more than a bound.
@Suite("Damaged caches")
struct DamagedCacheTests {
    static let damages: [(changes: [String: String?], reason: String)] = [
        (["secret": nil], "it has no secret"),
        (["secret": "\"\""], "it has no secret"),
        (["secret": "null"], "it has no secret"),
        (["secret": "17"], "its secret is a number, not text"),
        (["secret": #"{"a": 1}"#], "its secret is an object, not text"),
        (["secret": #""re\u001bfresh""#], "its secret holds characters that no token has"),
        (["secret": #""réfresh""#], "its secret holds characters that no token has"),
        (["secret": "\"\(String(repeating: "x", count: 65_537))\""], "its secret is too long for a token"),
        (["home_account_id": nil], "it has no home_account_id"),
        (["home_account_id": "[]"], "its home_account_id is a list, not text"),
        (["home_account_id": #""uid.""#], "its home_account_id has nothing before or behind the dot"),
        (["home_account_id": #"".tenant""#], "its home_account_id has nothing before or behind the dot"),
        (["home_account_id": #""a\u0000b.t""#], "its home_account_id holds a space or a control character"),
        (["home_account_id": "\"\(String(repeating: "x", count: 1_025)).t\""], "its home_account_id is too long"),
        (["environment": nil], "it has no environment"),
        (["environment": #""host:8480""#], "its environment is no host"),
        (["environment": #""host/path""#], "its environment is no host"),
        (["environment": #""user@host""#], "its environment is no host"),
        (["environment": #""ho st""#], "its environment holds a space or a control character"),
        (["environment": "true"], "its environment is true or false, not text"),
        (["client_id": nil], "it has no client_id"),
        (
            ["home_account_id": #""uid.""#, "client_id": nil],
            "its home_account_id has nothing before or behind the dot"
        ),
        (["client_id": "0"], "its client_id is a number, not text"),
    ]

    @Test("each kind of damage in a refresh token's entry", arguments: damages)
    func damagedRefreshToken(changes: [String: String?], reason: String) throws {
        let good = Fixture.refreshToken([:])
        let text = #"{"RefreshToken": {"bad": \#(Fixture.refreshToken(changes)), "good": \#(good)}}"#
        let file = try Fixture.file(text)
        #expect(file.entries.map(\.name) == ["RefreshToken good"])
        #expect(file.damages == [CacheFile.Damage(entry: "RefreshToken bad", reason: reason)])
    }

    @Test("damage in the other sections is named and costs nothing but its own facts")
    func otherSections() throws {
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
                "Account a: it is a list, not an object", "Account b: its home_account_id is a number, not text",
                "Account c: its username is a list, not text", "IdToken: the section is text, not an object",
                "AccessToken t: it has no environment",
            ])
    }

    @Test("ADAL's damaged entries are named by their place")
    func adal() throws {
        let entries = try Fixture.file(Fixture.adal()).entries.count
        let damaged = #"""
            [7, {"_authority": "contoso", "_clientId": "c"}, {"_clientId": "c"}, {"_authority": "https://h/t"},
             {"_authority": "https://h/t", "_clientId": "c", "refreshToken": [1]},
            """# + Fixture.adal().dropFirst()
        let file = try Fixture.file(damaged)
        #expect(file.entries.count == entries)
        #expect(
            file.damages.map { "\($0.entry): \($0.reason)" } == [
                "entry 1: it is a number, not an object", "entry 2: its _authority is no address",
                "entry 3: it has no _authority", "entry 4: it has no _clientId",
                "entry 5: its refreshToken is a list, not text",
            ])
    }

    @Test("names are cut to a bearable length")
    func lengths() throws {
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

    @Test("too large, too deep, too many", .timeLimit(.minutes(2)))
    func bounds() throws {
        let blank = [UInt8](repeating: 0x20, count: CacheFile.largest + 1)
        #expect(throws: CacheFileError.tooLarge(bytes: CacheFile.largest)) { try CacheFile(parsing: blank) }
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(throws: CacheFileError.notJSON(line: 1, problem: "it is nested more than 64 levels deep")) {
            try Fixture.file(deep)
        }
        let many = "[" + String(repeating: "1,", count: CacheFile.mostEntries) + "1]"
        #expect(throws: CacheFileError.tooManyEntries(CacheFile.mostEntries)) { try Fixture.file(many) }
        let keys = (0...CacheFile.mostEntries).map { #""\#($0)":1"# }.joined(separator: ",")
        #expect(throws: CacheFileError.tooManyEntries(CacheFile.mostEntries)) {
            try Fixture.file(#"{"Account": {\#(keys)}}"#)
        }
        let values = "[[" + String(repeating: "1,", count: 24 * CacheFile.mostEntries) + "1]]"
        #expect(throws: CacheFileError.notJSON(line: 1, problem: "it holds too many values")) {
            try Fixture.file(values)
        }
    }

    @Test("one account repeated without end costs no more than the file", .timeLimit(.minutes(2)))
    func repetition() throws {
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

    @Test("whatever a byte becomes, the reader ends, and what it takes can be stored and sent", .timeLimit(.minutes(2)))
    func mutations() {
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
