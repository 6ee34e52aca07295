import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// `compare`: the stored tokens of two accounts side by side.
@Suite("Compare", .inTurn, .timeLimit(.minutes(5)))
struct CompareTests {
    /// Adds the application `ciam` of an External ID tenant, and `bare`, which has no API.
    static func policies(_ text: String) -> String {
        let bare = """
            "applications": {
                "bare": {
                  "kind": "b2c", "authority": "http://localhost:8480/contoso.onmicrosoft.com",
                  "clientId": "33333333-3333-3333-3333-333333333333", "redirectPorts": [0],
                  "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" } }
                },
            """
        return addingExternalApplication(to: text.replacing("\"applications\": {", with: bare, maxReplacements: 1))
    }

    /// Gives Ana the same attributes in both tenants, and another object ID in the External ID tenant.
    static func configure(_ tenant: inout TenantConfiguration) {
        tenant.users[0].attributes = ["city": "Kyoto", "extension_Loyalty": "7"]
        if tenant.kind == .external { tenant.users[0].objectID = Self.movedID }
    }

    private static let movedID = "ca000000-0000-4000-8000-000000000001"

    /// Signs Ana in to both tenants, then runs `body` without a server.
    private func withMovedPerson(_ body: (SusiBinary) async throws -> Void) async throws {
        try await withHome { home in
            try await withLocalTenant(in: home, policies: Self.policies, configure: Self.configure, signedIn: [.ana]) {
                tenant in
                tenant.emulator.clock.advance(by: 1)
                try await tenant.signIn(.ana, of: "ciam", scopes: ["email"])
            }
            try await body(try SusiBinary(home: home))
        }
    }

    private func json(_ susi: SusiBinary, _ words: String...) async throws -> JSONNode {
        let outcome = try await susi.command(["compare"] + words + ["--json"]).run()
        #expect(outcome.standardError.isEmpty, "\(outcome)")
        #expect(!outcome.standardOutput.contains("\"eyJ"), "\(outcome)")
        return try outcome.json()
    }

    private func rules(_ comparison: JSONNode) -> [String] {
        (comparison["rules"]?.array ?? []).map { rule in
            ["rule", "found", "wanted"].compactMap { rule[$0]?.string }.joined(separator: " ")
        }
    }

    @Test("a person who moved from B2C to External ID: what is different, and what an API has to change")
    func comparesPersonMovedToExternalID() async throws {
        try await withMovedPerson { susi in
            try await susi.run("compare", "ana@contoso.example", "ciam:ana@contoso.example").exits(
                1, error: "", printing: "first   Ana Lima <ana@contoso.example>, B2C_1_susi of local\n",
                "second  Ana Lima <ana@contoso.example>, ciam\n", "\nid tokens: different\n  ",
                "\nTo accept the second account's tokens, an API may have to change:\n  ✗ key ",
                "in the API: read “extn.Loyalty” in place of “extension_Loyalty”")
            let comparison = try await json(susi, ":", "ciam:")
            let origin = try #require(comparison["first"]?["configuration"]?.string?.split(separator: "/contoso").first)
            let ana = LocalTenant.Person.ana.user.objectID
            let found = rules(comparison)
            for rule in [
                "audience ", "claims none tfp", "claims none emails", "claims ver “2.0” “1.0”",
                "claims oid “\(Self.movedID)” “\(ana)”", "claims extn.Loyalty extension_Loyalty", "claims sub ",
                "claims azp ",
                "issuer “\(origin)/",
            ] { #expect(found.contains { $0.hasPrefix(rule) }, "\(rule) \(found)") }
            // External ID names the tenant by its GUID in every address.
            let keys = " “\(origin)/contoso.onmicrosoft.com/b2c_1_susi/discovery/v2.0/keys”"
            #expect(found.contains { $0.hasPrefix("key “\(origin)/") && $0.hasSuffix(keys) }, "\(found)")
            // The same the other way round.
            let back = rules(try await json(susi, "ciam:ana@contoso.example", "local/B2C_1_susi:ana@contoso.example"))
            #expect(back.contains("claims none tid"), "\(back)")
        }
    }

    @Test("of several access tokens the newest is compared, whichever API it is for")
    func comparesNewestAccessToken() async throws {
        let write = "https://contoso.onmicrosoft.com/hello/demo.write"
        let second = """
            "apis": { "write": { "baseUrl": "http://localhost:8480/api/write", "scopes": ["\(write)"] },
            """
        try await withLocalTenant(policies: { $0.replacing("\"apis\": {", with: second) }) { tenant in
            for person in [LocalTenant.Person.ana, .ben] { try await tenant.signIn(person, api: "hello") }
            let newest = { () async throws -> String? in
                let comparison = try await self.json(tenant.susi, "ben@contoso.example", "ana@contoso.example")
                return comparison["accessTokens"]?["claims"]?.array?.first { $0["name"]?.string == "scp" }?["first"]?
                    .string
            }
            #expect(try await newest() == "demo.read")
            // The time of a response counts in whole seconds.
            try await tenant.susi.run("token", "write", environment: ["SUSI_CLOCK": "+5s"]).exits(0)
            #expect(try await newest() == "demo.write")
            try await tenant.susi.run("token", "hello", "--refresh", environment: ["SUSI_CLOCK": "+10s"]).exits(0)
            #expect(try await newest() == "demo.read")
        }
    }

    @Test("reads the store only: no server is needed, and nothing is changed")
    func readsOnlyTheStore() async throws {
        try await withMovedPerson { susi in
            let contents = {
                ["store.sqlite", "store.sqlite-wal", "policies.json"].map { name in
                    // SQLite makes an empty log when it opens the file.
                    FileManager.default.contents(atPath: susi.home.file(name).string) ?? Data()
                }
            }
            let before = contents()
            // After five hours the access tokens are expired, and `token` would refresh them.
            let late = ["SUSI_CLOCK": "+5h"]
            try await susi.run("compare", ":", "ciam:", environment: late).exits(1)
            #expect(contents() == before)
            #expect(try await susi.run("token", environment: late).status == 3)
            try await expectCommandsOfTheOtherApplication(susi)
        }
    }

    @Test("an account is the same as itself; two policies differ in the policy alone")
    func comparesWithinOneApplication() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            let requests = tenant.requestLines.count
            let ana = LocalTenant.Person.ana.user.objectID
            for words in [
                [ana, "ana@contoso.example"], [":", "/B2C_1_susi:"], ["ana@contoso.example", "local:\(ana)"],
            ] {
                let same = try await susi.command(["compare"] + words).run().exits(0, printing: "id tokens: same\n")
                #expect(!same.standardOutput.contains("To accept"), "\(same)")
            }
            let policies = try await json(susi, "ana@contoso.example", "/B2C_1_partner:ana@contoso.example")
            #expect(rules(policies).isEmpty)
            #expect(tenant.requestLines.count == requests)
        }
    }

    @Test("a token that is missing or opaque is named, not compared; a damaged account is an error of the store")
    func namesTokensThatCannotBeRead() async throws {
        try await withLocalTenant(policies: Self.policies, signedIn: [.ana]) { tenant in
            try await tenant.signIn(.ana, of: "bare")
            try await tenant.susi.run("compare", "bare:", "ana@contoso.example").exits(
                1, printing: "\naccess tokens: not compared; first has no access token\n")
            let both = try await json(tenant.susi, "bare:", "bare:")
            #expect(both["isSame"]?.bool == true && both["accessTokens"]?["isSame"] == nil)
            #expect(both["accessTokens"]?["isCompared"]?.bool == false)
        }
        try await withStored([StoredPerson("ana@contoso.example"), StoredPerson("ben@contoso.example")]) { susi in
            let opaque = try await susi.run("compare", "ana@contoso.example", "ben@contoso.example")
            let note = "\naccess tokens: not compared; first is opaque: not a JWT; second is opaque: not a JWT\n"
            #expect(opaque.standardOutput.contains(note), "\(opaque)")
            #expect(!opaque.standardOutput.contains("token of"), "\(opaque)")
            let store = try Connection(path: susi.home.file("store.sqlite").string, mode: .readWrite)
            try store.execute("UPDATE accounts SET claims = zeroblob(64)", [])
            try await susi.refusal("compare", "ana@contoso.example", "ben@contoso.example").exits(6)
        }
    }

    /// Errors name the command for the account's own application.
    private func expectCommandsOfTheOtherApplication(_ susi: SusiBinary) async throws {
        let ana = "ana@contoso.example"
        for (words, status, next) in [
            ([ana, "ciam:bet"], 5, "susi accounts -A ciam"),
            ([ana, "ciam:anna@contoso.example"], 5, "susi accounts -A ciam"),
            (["/partnr:\(ana)", "ciam:"], 5, "name the account /B2C_1_partner:\(ana)"),
            ([ana, "bare:"], 4, "susi sign-in -A bare"),
            (["/B2C_1_partner:", ana], 4, "susi sign-in -p B2C_1_partner"),
            (["nothing:\(ana)", ana], 5, "susi policies list"), (["a:b:c", ana], 5, "susi policies list"),
            ([":a:b", ana], 5, "susi accounts"), ([ana], 64, "susi help compare"),
            ([ana, ""], 64, "susi help compare"),
        ] as [([String], Int32, String)] {
            try await susi.refusal(["compare"] + words).exits(status, next: next)
        }
    }

    @Test("control characters of claims are escaped, in names and in values")
    func escapesHostileClaims() async throws {
        let edit = { (tenant: inout TenantConfiguration) in
            tenant.users[0].displayName = "Eve\u{1b}[2J\u{202e}"
            tenant.users[0].attributes = ["extension_\u{1b}[31m\u{7}": "\u{9b}1m\nexit"]
        }
        try await withLocalTenant(policies: Self.policies, configure: edit) { tenant in
            for application in [nil, "ciam"] { try await tenant.signIn(.ana, of: application) }
            for option in [[], ["--json"]] {
                let outcome = try await tenant.susi.command(["compare", ":", "ciam:"] + option).run().exits(1)
                for scalar in ["\u{1b}", "\u{202e}", "\u{7}", "\u{9b}"] as [Unicode.Scalar] {
                    #expect(!outcome.standardOutput.unicodeScalars.contains(scalar), "\(outcome)")
                }
            }
            let text = try await tenant.susi.run("compare", ":", "ciam:").standardOutput
            #expect(text.contains(#"Eve\u{1b}[2J\u{202e}"#) && text.contains(#"extension_\u{1b}[31m\u{7}"#), "\(text)")
            #expect(text.contains(#"\u{9b}1m\u{a}exit"#), "\(text)")
        }
    }

    @Test(
        "every word has one meaning",
        arguments: [
            ("ana@contoso.example", nil, nil, "ana@contoso.example"), ("Ana Lima", nil, nil, "Ana Lima"),
            ("a%b/c@contoso.example", nil, nil, "a%b/c@contoso.example"), (":", nil, nil, nil),
            (":urn:a", nil, nil, "urn:a"), ("b2c:", "b2c", nil, nil), ("b2c:ana", "b2c", nil, "ana"),
            ("b2c/susi:ana", "b2c", "susi", "ana"), ("/susi:", nil, "susi", nil), ("/susi:a:b", nil, "susi", "a:b"),
        ] as [(String, String?, String?, String?)])
    func readsOperands(_ word: String, application: String?, policy: String?, account: String?) throws {
        let operand = try #require(AccountOperand(argument: word))
        #expect(operand.application == application && operand.policy?.spelling == policy)
        #expect(operand.account == account)
        #expect(operand.text == word)
        #expect(operand.naming("x:y").text.hasSuffix(":x:y"))
    }
}
