import SusiTestSupport
import Testing

@testable import Susi
@testable import SusiTools

/// The rules of an API as values. `YourApplicationTests/verdicts` compares them with a real API.
@Suite("API check")
struct APICheckTests {
    static let id = "9c1b7a11-5c3d-4a2f-8d5e-1f2a3b4c5d6e"
    private static let copy = "http://localhost:8480/t/v2.0"

    /// Returns the rules about claims; the signature is that of `token`, if it was read.
    private func rules(
        _ claims: String, header: String = #"{"alg": "RS256", "kid": "k"}"#,
        at authority: String = "https://login.example/t/v2.0", isAsCloud: Bool = false,
        reading: APICheck.Reading = .unread(reason: "test"), token: String? = nil,
        _ change: (inout APISettings) -> Void = { _ in }
    ) throws -> [APIRule] {
        var settings = APISettings(try WebAddress(authority), places: ["P"], isExact: false)
        settings.audiences = [.init("A", Self.id)]
        change(&settings)
        let application = Application(
            name: "app", kind: .b2c, authority: try WebAddress("https://login.example/t"), clientID: "client",
            redirectPorts: [0],
            policies: [], knownAuthorities: KnownAuthorities([]), apis: [])
        return APICheck(
            settings: settings, header: try JSONNode(parsing: header.utf8), claims: try JSONNode(parsing: claims.utf8),
            signed: try token.map { try SignedToken(parsing: $0) }, metadata: reading, application: application,
            now: 1_000, isAsCloud: isAsCloud
        ).rules
    }

    private func text(_ rules: [APIRule], _ name: APIRule.Name) -> [String] {
        rules.filter { $0.name == name }.flatMap { rule in
            ["\(rule.outcome)"] + rule.changes.map { "\($0.place): \($0.text)" }
        }
    }

    @Test(
        "a scope is enough for its own actions; a role where the API takes one",
        arguments: [
            (#""scp": "a""#, ["met", "open", "api: accept “a” in Write"]),
            (#""scp": "b""#, ["open", "api: accept “b” in Read", "met"]),
            (#""roles": ["R"]"#, ["met", "open", "api: require no scope in Write"]),
            (
                #""scp": "A", "scope": "b""#,
                ["broken", "api: write “A” as Read, as tokens spell this scope", "broken", "api: accept “A” in Write"]
            ),
            (#""x": 1"#, ["broken"]),
        ])
    func readsPermissions(claim: String, expected: [String]) throws {
        let rules = try rules("{\(claim)}") {
            $0.permissions = [.init("Read", scopes: ["a"], roles: ["R"]), .init("Write", scopes: ["x/b", "b"])]
        }
        #expect(text(rules, .scope).filter { !$0.hasPrefix("client") && !$0.hasPrefix("tenant") } == expected)
        #expect(text(try self.rules("{}") { $0.acceptsNoScope = true }, .scope) == ["met"])
    }

    @Test("a change of the tenant is one of its file where the API's authority is a copy")
    func namesTenantFile() throws {
        let claims = #"{"aud": "other", "ver": "1.0", "scp": "a"}"#
        let file = "tenant: if the token is for this API, write “\(Self.id)” as its clientId in the tenant file"
        #expect(text(try rules(claims, at: Self.copy), .audience).contains(file))
        #expect(text(try rules(claims, isAsCloud: true), .audience).contains(file))
        let cloud = text(try rules(claims), .audience)
        #expect(cloud.contains("tenant: manifest of the API’s registration: requestedAccessTokenVersion 2"))
        #expect(!cloud.contains(file) && cloud.contains("client: request a scope of “\(Self.id)”"))
        for claims in [#"{"aud": "other"}"#, #"{"aud": "other", "ver": "1.0", "iss": "https://a.example/t/v2.0/"}"#] {
            let advice = text(try rules(claims), .audience)
            #expect(!advice.contains { $0.contains("manifest") }, "\(advice)")
        }
        let policy = #"{"iss": "https://a.example/tfp/t/p/v2.0/"}"#
        #expect(
            text(try rules(policy, at: Self.copy), .issuer) == [
                "broken", "tenant: remove issuerForm “policy” in the tenant file",
            ])
        #expect(
            text(try rules(policy), .issuer)[1].contains("the form with the tenant ID"))
        #expect(text(try rules(policy) { $0.isExact = true }, .issuer) == ["open"])
    }

    @Test(
        "a change never repeats the setting",
        arguments: [
            (#""ver": "1.0""#, "write “\(id)” as Audience, beside A, if that is the API"),
            (#""aud": "api://\#(id)""#, "write “api://\(id)” as Audience, beside A, if that is the API"),
            (
                #""aud": "client""#,
                "send the access token of this API (susi token --scope SCOPE): this one is for the client itself, as each id token is"
            ),
        ])
    func advisesOnAudience(claim: String, advice: String) throws {
        let claims = claim.contains("aud") ? claim : #"\#(claim), "aud": "\#(Self.id)""#
        let rules = try rules("{\(claims)}") {
            $0.firstVersionAudiences = [.init("A", claim.contains("api:") ? "other" : "api://\(Self.id)")]
        }
        #expect(rules.first { $0.name == .audience }?.changes.first?.text == advice)
    }

    @Test("where there is no authority, the settings that make its address are named")
    func namesSettingsOfAuthority() throws {
        let rules = try rules("{}", reading: .absent(reason: "404")) { $0.places = ["I", "T"] }
        #expect(text(rules, .metadata) == ["broken", "api: correct I or T"])
    }

    @Test("in a rehearsal, what is at the origin of the tenant moves to that of the copy")
    func movesToCopy() throws {
        var settings = APISettings(try WebAddress("https://a.example/t/p/v2.0"), places: [], isExact: false)
        settings.issuers = ["https://a.example/t/", "https://a.example.evil/t/"].map { .init("I", $0) }
        let moved = settings.moved(
            from: try WebAddress("https://a.example/t"), to: try WebAddress("https://localhost:8490/t"))
        #expect(moved.authority.description == "https://localhost:8490/t/p/v2.0")
        #expect(moved.issuers.map(\.value) == ["https://localhost:8490/t/", "https://a.example.evil/t/"])
        let other = settings.moved(
            from: try WebAddress("https://b.example/t"), to: try WebAddress("https://localhost:8490/t"))
        #expect(other.authority == settings.authority)
    }

    @Test("what was not read from the authority is open, and what it does not have is broken")
    func readsAuthority() throws {
        let names: [APIRule.Name] = [.metadata, .key, .signature, .issuer]
        let outcomes = { (rules: [APIRule]) in names.map { text(rules, $0)[0] } }
        let claims = #"{"iss": "i", "tid": "x"}"#
        #expect(outcomes(try rules(claims)) == ["open", "open", "open", "open"])
        #expect(outcomes(try rules(claims, reading: .absent(reason: "404"))) == ["broken", "open", "open", "open"])
        #expect(outcomes(try rules(claims) { $0.issuers = [.init("I", "i")] })[3] == "met")
        let place = try WebAddress("https://login.example/t/v2.0")
        let read = APICheck.Reading.read(
            at: place, issuer: "https://a.example/{tenantid}", keys: try KeySet(parsing: Array(#"{"keys": []}"#.utf8)))
        #expect(
            outcomes(try rules(#"{"iss": "https://a.example/x", "tid": "x"}"#, reading: read)) == [
                "met", "broken", "open", "met",
            ])
        let metadata = #"{"iss": "https://a.example/x", "tid": "x"}"#
        for isExact in [false, true] {
            let rules = try rules(metadata, reading: read) { ($0.issuers, $0.isExact) = ([.init("I", "i")], isExact) }
            #expect(outcomes(rules)[3] == (isExact ? "broken" : "met"))
        }
        #expect(
            outcomes(try rules(claims, header: #"{"alg": "NONE"}"#, reading: read)) == [
                "met", "open", "broken", "broken",
            ])
    }

    @Test("the key that signed the token is required; without kid, any key serves where the library tries all")
    func findsKey() throws {
        let (main, other) = (try Signer.main.get(), try Signer.other.get())
        let keys = try KeySet(parsing: Array(Signer.keySet(main.jwk()).utf8))
        let read = APICheck.Reading.read(at: try WebAddress("https://login.example/t"), issuer: "i", keys: keys)
        for (token, header, isExact, expected) in [
            (try main.token("{}"), #"{"kid": "main"}"#, true, ["met", "met"]),
            (
                try other.token("{}", header: #"{"alg": "RS256", "kid": "main"}"#), #"{"kid": "main"}"#, true,
                ["met", "broken"]
            ),
            (try main.token("{}", header: #"{"alg": "RS256"}"#), "{}", false, ["met", "met"]),
            (try main.token("{}", header: #"{"alg": "RS256"}"#), "{}", true, ["broken", "open"]),
        ] {
            let rules = try rules("{}", header: header, reading: read, token: token) { $0.isExact = isExact }
            #expect([.key, .signature].map { text(rules, $0)[0] } == expected)
        }
    }

    @Test(
        "five minutes between the clocks, or none",
        arguments: [
            (#"{"exp": 701}"#, false, "met"), (#"{"exp": 700}"#, false, "broken"), (#"{"exp": 1001}"#, true, "met"),
            (#"{"exp": 1000}"#, true, "broken"), (#"{"exp": 2000, "nbf": 1300}"#, false, "met"),
            (#"{"exp": -9223372036854775808}"#, false, "broken"), (#"{"exp": 9223372036854775807}"#, true, "met"),
            (#"{"exp": 2000, "nbf": 9223372036854775807}"#, true, "broken"), (#"{"exp": 1e300}"#, true, "broken"),
            (#"{"exp": 2000, "nbf": 1301}"#, false, "broken"), (#"{"exp": 2000, "nbf": 1001}"#, true, "broken"),
            ("{}", false, "broken"),
        ])
    func comparesTimes(claims: String, isExact: Bool, outcome: String) throws {
        let rules = try rules(claims) { $0.isExact = isExact }
        #expect(text(rules, .time)[0] == outcome)
        // A token that has expired is met only within the leeway, and said to be expired.
        let hasExpired = claims.contains("701")
        #expect(rules.contains { $0.name == .time && $0.found.hasPrefix("valid") } == (outcome == "met" && !hasExpired))
    }
}
