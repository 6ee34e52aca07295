import Foundation
import Susi
import SusiTools
import Testing

/// Cache files in the format of each library.
@Suite("Cache files")
struct CacheFileTests {
    @Test("MSAL for Python: the id token has the name that the account's entry lacks")
    func readsMSALForPython() throws {
        let file = try Fixture.file(Fixture.python())
        let entry = try #require(file.entries.first)
        #expect(file.format == .msal && file.entries.count == 1 && file.damages.isEmpty && file.tokenless.isEmpty)
        #expect(entry.host == "contoso.b2clogin.com" && entry.clientID == Fixture.client && entry.authority == nil)
        #expect(entry.uid == "\(Fixture.ana)-b2c_1_susi" && entry.utid == Fixture.guid)
        #expect(entry.objectID == Fixture.ana && entry.label == "ana@contoso.example")
        #expect(entry.scopes == ["api://hello/demo.read"] && entry.tenants == [Fixture.domain])
        #expect(entry.refreshToken == "refresh-python")
    }

    @Test("MSAL .NET: a placeholder as name, sections in any case, a byte order mark, unknown members")
    func readsMSALDotNet() throws {
        let file = try CacheFile(parsing: [0xef, 0xbb, 0xbf] + Array(Fixture.dotNet.utf8))
        let entry = try #require(file.entries.first)
        #expect(file.damages.isEmpty && entry.refreshToken == "refresh-net")
        #expect(entry.label == "Ana Lima" && entry.objectID == Fixture.ana && entry.tenants == [Fixture.guid])
    }

    @Test("of several object ids, only that of the account's own tenant is its object id")
    func takesNoObjectIDOfSeveral() throws {
        let holder = #""home_account_id": "\#(Fixture.home)", "environment": "contoso.b2clogin.com""#
        let token = { (id: String) in
            [#"{"alg":"RS256"}"#, #"{"oid":"\#(id)"}"#, "x"].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        }
        for (section, member, values) in [
            ("Account", "local_account_id", [Fixture.ana, Fixture.ben]),
            ("IdToken", "secret", [Fixture.ana, Fixture.ben].map(token)),
        ] {
            for realm in ["another", Fixture.guid] {
                let entries = zip(["other", realm], values).map { realm, value in
                    #""\#(realm)": {\#(holder), "realm": "\#(realm)", "\#(member)": "\#(value)"}"#
                }
                let file = try Fixture.file(
                    #"{"\#(section)": {\#(entries.joined(separator: ","))}, "RefreshToken": {"r": \#(Fixture.refreshToken([:]))}}"#
                )
                let isOwn = section == "Account" && realm == Fixture.guid
                #expect(file.entries.map(\.objectID) == [isOwn ? Fixture.ben : nil], "\(section) \(realm)")
            }
        }
    }

    @Test("MSAL Node: tenant profiles, also in base64")
    func readsMSALNode() throws {
        for bytes in [Array(Fixture.node.utf8), Array(Data(Fixture.node.utf8).base64EncodedString().utf8)] {
            let file = try CacheFile(parsing: bytes)
            #expect(file.entries.map(\.refreshToken) == ["refresh-node"] && file.damages.isEmpty)
            #expect(file.entries.first?.label == "ana@contoso.example")
        }
    }

    @Test("ADAL: each resource becomes its default scope, with its last slash; a service has nothing to import")
    func readsADAL() throws {
        let file = try Fixture.file(Fixture.adal())
        #expect(file.format == .adal && file.damages.isEmpty && file.tokenless == ["entry 3"])
        #expect(
            file.entries.map(\.scopes) == [
                ["https://graph.windows.net//.default"], ["https://graph.microsoft.com/.default"],
            ])
        let entry = try #require(file.entries.first)
        #expect(entry.uid == Fixture.ana && entry.utid == Fixture.guid && entry.objectID == Fixture.ana)
        #expect(entry.label == "ana@contoso.example")
        #expect(entry.authority?.description == "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi")
    }

    @Test func reportsAccountWithoutRefreshToken() throws {
        let other = Fixture.python().replacing("\"RefreshToken\": {\"", with: "\"Nothing\": {\"")
        #expect(try Fixture.file(other).tokenless == ["ana@contoso.example"])
    }

    @Test("an empty cache is valid")
    func acceptsEmptyCache() throws {
        for text in ["{}", "[]", " \n{\"RefreshToken\": null}", #"{"Account": {}, "RefreshToken": {}}"#] {
            let file = try Fixture.file(text)
            #expect(file.entries.isEmpty && file.damages.isEmpty)
        }
    }

    @Test("a cache that another program encrypted is reported as such", arguments: Self.sealed)
    func reportsEncryptedCaches(bytes: [UInt8], kind: SealedCache.Kind) {
        #expect(throws: CacheFileError.encrypted(kind)) { try CacheFile(parsing: bytes) }
    }

    private static let dpapi: [UInt8] = [
        1, 0, 0, 0, 0xd0, 0x8c, 0x9d, 0xdf, 0x01, 0x15, 0xd1, 0x11, 0x8c, 0x7a, 0, 0xc0, 0x4f, 0xc2, 0x97, 0xeb, 1, 2,
        3,
    ]
    static let sealed: [([UInt8], SealedCache.Kind)] = [
        (dpapi, .dpapi),
        (Array(Data(dpapi).base64EncodedString().utf8), .dpapi),
        (Array(Data(dpapi).base64EncodedString(options: .lineLength64Characters).utf8), .dpapi),
        ([3, 0, 0, 0, 1, 0, 0, 0, 0x20, 0x41], .binary),
        ((0..<200).map { UInt8(($0 * 7 + 128) % 256) }, .unknown),
        (Array(Data((0..<60).map { UInt8($0 * 4) }).base64EncodedString().utf8), .unknown),
        (Array(#"{"id": "x", "nonce": "abc", "data": "AAAA", "lastUpdatedAt": "1"}"#.utf8), .unknown),
        (Array(#"{"protected": "x", "ciphertext": "AAAA"}"#.utf8), .unknown),
    ]

    @Test("a file that is not a cache is refused")
    func refusesOtherFiles() {
        let cases: [(String, CacheFileError)] = [
            ("", .empty), (" \n", .empty),
            ("{\"RefreshToken\": {", .notJSON(line: 1, problem: "expected a name in double quotes")),
            ("{\n\"Account\": {\"a\": 1, \"a\": 2}}", .notJSON(line: 2, problem: "duplicate key “a”")),
            (#"{"name": "package", "version": "1"}"#, .unknownShape), (#""text""#, .unknownShape),
            ("refresh-token", .notJSON(line: 1, problem: "expected a value")),
        ]
        for (text, error) in cases { #expect(throws: error) { try Fixture.file(text) } }
        #expect(throws: CacheFileError.otherFormat(.adal)) { try Fixture.file(Fixture.adal(), as: .msal) }
        #expect(throws: CacheFileError.otherFormat(.msal)) { try Fixture.file(Fixture.python(), as: .adal) }
    }
}
