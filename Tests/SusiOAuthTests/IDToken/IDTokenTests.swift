import Crypto
import SusiBase
import SusiPolicies
import Testing

@testable import SusiOAuth

@Suite("Rules of the id token")
struct IDTokenTests {
    static func token(
        _ changes: [String: String?] = [:], header: String = #"{"alg":"RS256"}"#
    ) throws -> SignedToken {
        let head = Base64URL.encode(header.utf8)
        return try SignedToken(parsing: "\(head).\(Base64URL.encode(Contoso.claims(changes).utf8)).AA")
    }

    static let goodHash = Base64URL.encode(SHA256.hash(data: Array("access".utf8)).prefix(16))

    struct Change: Sendable, CustomTestStringConvertible {
        let changes: [String: String?]
        let reason: String
        let source: String

        init(_ changes: [String: String?], _ reason: String = "", _ source: String = "") {
            (self.changes, self.reason, self.source) = (changes, reason, source)
        }

        var testDescription: String { "\(changes)" }
    }

    static let good = [
        Change([:]), Change(["x": "{\"y\":[]}"]), Change(["iat": "\(Contoso.now).5"]),
        Change(["oid": "\"\(Contoso.object.uppercased())\""]), Change(["aud": "[\"\(Contoso.client)\"]"]),
        Change(["azp": "\"\(Contoso.client)\""]),
        Change(["aud": "[\"\(Contoso.client)\",\"\(Contoso.client)\"]"]),
        Change(["exp": "\(Contoso.now - 299)"]), Change(["exp": "\"\(Contoso.now + 5)\""]),
        Change(["iat": "\(Contoso.now + 300)"]), Change(["nbf": "\(Contoso.now + 300)"]), Change(["nbf": nil]),
        Change(["tfp": "\"b2c_1_SUSI\""]), Change(["tfp": nil, "acr": "\"b2c_1_susi\""]), Change(["tfp": nil]),
        Change(["acr": "\"b2c_1_other\""]), Change(["at_hash": "\"\(goodHash)\""]),
        Change(["exp": "9223372036854775807", "iat": "-9223372036854775808"]),
    ]

    @Test(arguments: good)
    func acceptsValidTokens(change: Change) throws {
        let person = try Contoso.rules().check(try Self.token(change.changes), accessToken: "access")
        #expect(person.subject == Contoso.object)
        #expect(person.tenant == Tenant(origin: Contoso.origin, id: Contoso.guid))
    }

    static let bad = [
        Change(["iss": nil], "issuer", "(2)"), Change(["iss": "\"\(Contoso.issuer.dropLast())\""], "issuer", "(2)"),
        Change(["iss": "\"https://evil.com/\(Contoso.guid)/v2.0/\""], "issuer", "(2)"),
        Change(["iss": "\"\(Contoso.issuer.uppercased())\""], "issuer", "(2)"),
        Change(["aud": nil], "audience", "(3)"), Change(["aud": "\"other\""], "audience", "(3)"),
        Change(["aud": "[]"], "audience", "(3)"), Change(["aud": "[\"\(Contoso.client)\",1]"], "audience", "(3)"),
        Change(["aud": "\"\(Contoso.client)x\""], "audience", "(3)"),
        // No other audience is trusted, whichever application requested the token.
        Change(["aud": "[\"\(Contoso.client)\",\"x\"]"], "contains “x”, which is not trusted", "(3)"),
        Change(
            ["aud": "[\"x\",\"\(Contoso.client)\"]", "azp": "\"\(Contoso.client)\""],
            "contains “x”, which is not trusted",
            "(3)"),
        Change(["aud": "[\"\(Contoso.client)\",\"x\"]", "azp": "\"x\""], "contains “x”, which is not trusted", "(3)"),
        Change(["azp": "\"x\""], "azp", "(5)"), Change(["azp": "5"], "azp", "(5)"),
        Change(["exp": nil], "no exp", "(9)"), Change(["exp": "\"soon\""], "no exp", "(9)"),
        Change(["exp": "\(Contoso.now - 300)"], "expired 5 min ago", "(9)"), Change(["exp": "0"], "expired", "(9)"),
        Change(["exp": "-9223372036854775808"], "expired", "(9)"), Change(["iat": nil], "no iat", "(10)"),
        Change(["iat": "\(Contoso.now + 301)"], "5 min in the future", "(10)"),
        Change(["iat": "9223372036854775807"], "clock is", "(10)"),
        Change(["nbf": "\(Contoso.now + 301)"], "not valid before 5 min from now", "RFC 7519 4.1.5"),
        Change(["nonce": nil], "nonce", "(11)"), Change(["nonce": "\"n2\""], "nonce", "(11)"),
        Change(["nonce": "\"N1\""], "nonce", "(11)"), Change(["nonce": "1"], "nonce", "(11)"),
        Change(["tfp": "\"B2C_1_reset\""], "policy is “B2C_1_reset”"), Change(["tfp": "5"], "policy is “”"),
        Change(["tfp": "\"B2C_1_reset\"", "acr": "\"B2C_1_susi\""], "policy"),
        Change(["tfp": "\"x_B2C_1_susi\""], "policy"), Change(["tfp": "\"susi\""], "policy"),
        Change(["at_hash": "\"\(goodHash.dropLast())x\""], "at_hash"), Change(["at_hash": "\"\""], "at_hash"),
        Change(["at_hash": "5"], "at_hash"), Change(["oid": nil, "sub": nil], "no person"),
        Change(["oid": nil, "sub": "\"Not supported currently. Use oid claim.\""], "no person"),
        Change(["oid": "\"\"", "sub": "\"\""], "no person"),
    ]

    @Test(arguments: bad)
    func rejectsInvalidTokens(change: Change) throws {
        let error = try #require(throws: ProtocolViolation.self) {
            try Contoso.rules().check(try Self.token(change.changes), accessToken: "access")
        }
        #expect(error.subject == .idToken)
        #expect(error.reason.contains(change.reason), "\(error.reason)")
        #expect(error.source.contains(change.source), "\(error.source)")
    }

    @Test(
        arguments: [
            (["azp": "\"\(Contoso.client)\""], "", ""), (["azp": "\"\(Contoso.client)\""], ",\"z\"", "contains “z”"),
            ([:], "", "no azp"), (["azp": "\"x\""], "", "azp is “x”"),
        ] as [([String: String?], String, String)])
    func trustsListedAudiences(party: [String: String?], more: String, reason: String) throws {
        let changes = party.merging(["aud": "[\"x\",\"\(Contoso.client)\"\(more)]"]) { $1 }
        let rules = try Contoso.rules(trusting: ["x", "y"])
        guard reason.isEmpty else {
            #expect(try Self.reason(rules, changes).reason.contains(reason))
            return
        }
        #expect(try rules.check(try Self.token(changes), accessToken: nil).subject == Contoso.object)
        #expect(try Self.reason(rules, ["aud": "\"x\""]).reason.contains("the audience is “x”"))
    }

    static func reason(_ rules: IDTokenRules, _ changes: [String: String?] = [:]) throws -> ProtocolViolation {
        try #require(throws: ProtocolViolation.self) { try rules.check(try token(changes), accessToken: "access") }
    }

    @Test(
        arguments: [
            (Contoso.now + 7_200, Contoso.now, "this machine's clock is 2 h ahead of the server's", true),
            (Contoso.now - 7_200, Contoso.now, "this machine's clock is 2 h behind the server's", true),
            (Contoso.now + 7_200, nil, "2 h ahead of the token's time of issue", true),
            (Contoso.now - 7_200, nil, "2 h behind the token's time of issue", true),
            (Contoso.now + 7_200, Contoso.now + 7_190, "expired 60 min ago, also by the server's clock", false),
            (Contoso.now - 7_200, Contoso.now - 7_190, "issued 2 h in the future, also by the server's clock", false),
        ])
    func recognizesWrongClock(now: Int64, serverTime: Int64?, reason: String, isClock: Bool) throws {
        let found = try Self.reason(
            Contoso.rules(now: now, serverTime: serverTime), ["exp": "\(Contoso.now + 3_600)", "nbf": nil])
        #expect(found.reason.contains(reason), "\(found.reason)")
        #expect((found.suspect == .clock) == isClock)
    }

    @Test func checksMaximumAge() throws {
        let rules = try Contoso.rules(maximumAge: 60)
        for value in [
            "\(Contoso.now)", "\(Contoso.now - 360)", "\(Contoso.now - 10).75", "\"\(Contoso.now)\"",
            "\(Contoso.now).0e0",
        ] {
            #expect(try rules.check(try Self.token(["auth_time": value]), accessToken: nil).subject == Contoso.object)
        }
        #expect(try Self.reason(rules).reason.contains("no auth_time"))
        #expect(try Self.reason(rules, ["auth_time": "\(Contoso.now - 361)"]).reason.contains("at most 60 s"))
        #expect(try Self.reason(rules, ["auth_time": "\"long ago\""]).reason.contains("no auth_time"))
        #expect(try Self.reason(rules, ["auth_time": "\(Contoso.now + 301)"]).reason.contains("in the future"))
        #expect(try Self.reason(rules, ["auth_time": "1e300"]).reason.contains("no auth_time"))
    }

    @Test(
        arguments: [
            ("\"c1\"", ["c1"], true), ("\"c2\"", ["c1", "c2"], true), ("\"c3\"", [], true), ("\"c3\"", ["c1"], false),
            ("\"\"", [], false), (nil, [], false), ("5", [], false), ("[\"c1\"]", ["c1"], false),
            ("\"C1\"", ["c1"], false), (nil, nil, true),
        ] as [(String?, [String]?, Bool)])
    func checksDemandedContext(acr: String?, demanded: [String]?, isMet: Bool) throws {
        let rules = try Contoso.rules(acr: demanded)
        let token = try Self.token(["acr": acr])
        guard !isMet else {
            #expect(try rules.check(token, accessToken: nil).subject == Contoso.object)
            return
        }
        let error = try #require(throws: ProtocolViolation.self) { try rules.check(token, accessToken: nil) }
        #expect(error.subject == .demand)
    }

    @Test func checksHashOfCode() throws {
        let hash = Base64URL.encode(SHA256.hash(data: Array("code".utf8)).prefix(16))
        let changes = ["c_hash": "\"\(hash)\""]
        #expect(
            try Contoso.rules(code: "code").check(try Self.token(changes), accessToken: nil).subject == Contoso.object)
        #expect(try Self.reason(Contoso.rules(code: "other"), changes).reason.contains("c_hash"))
        #expect(try Contoso.rules().check(try Self.token(changes), accessToken: nil).subject == Contoso.object)
    }

    @Test func rejectsUnannouncedAlgorithm() throws {
        #expect(
            try Self.reason(Contoso.rules(announced: #"["ES256"]"#)).reason.contains("is not in the server's metadata"))
        #expect(
            try Contoso.rules(announced: #"["ES256","RS256"]"#).check(try Self.token(), accessToken: nil).subject
                == Contoso.object)
    }

    @Test(
        arguments: [
            (["iss": "\"x\""], [:], "iss"), (["sub": "\"s2\""], [:], "sub"), (["aud": "[\"x\"]"], [:], "aud"),
            (["azp": "\"\(Contoso.client)\""], [:], "azp"), ([:], ["azp": "\"\(Contoso.client)\""], "azp"),
            (["nonce": "\"n2\""], [:], "nonce"),
            (["iat": "\(Contoso.now + 301)"], [:], "iat is earlier"),
        ] as [([String: String?], [String: String?], String)])
    func rejectsChangedClaimsAtRefresh(before: [String: String?], after: [String: String?], reason: String) throws {
        let rules = try Contoso.rules(nonce: nil, previous: JSONNode(parsing: Contoso.claims(before).utf8))
        #expect(try Self.reason(rules, after).reason.contains(reason))
    }

    @Test func acceptsChangesAllowedAtRefresh() throws {
        let cases: [([String: String?], [String: String?])] = [
            ([:], [:]), (["auth_time": "5"], [:]), (["auth_time": "5"], ["auth_time": "6"]), ([:], ["nonce": nil]),
            ([:], ["sub": nil]),
            (["nonce": nil], [:]), (["name": "\"Old\""], [:]), (["iat": "\(Contoso.now + 200)"], [:]),
        ]
        for (before, after) in cases {
            let rules = try Contoso.rules(nonce: nil, previous: JSONNode(parsing: Contoso.claims(before).utf8))
            #expect(try rules.check(try Self.token(after), accessToken: nil).subject == Contoso.object)
        }
    }

    @Test(arguments: ["at+jwt", "AT+JWT", "application/at+jwt", "application/Logout+JWT", "dpop+jwt"])
    func rejectsOtherTokenTypes(type: String) throws {
        let token = try Self.token(header: #"{"alg":"RS256","typ":"\#(type)"}"#)
        #expect(token.type == type && token.claims["sub"]?.string == "s1")
        let error = try #require(throws: ProtocolViolation.self) { try Contoso.rules().check(token, accessToken: nil) }
        #expect(error.subject == .idToken && error.reason.contains("another kind"))
        for fine in ["JWT", "jwt", "", "jose"] {
            let token = try Self.token(header: #"{"alg":"RS256","typ":"\#(fine)"}"#)
            #expect(try Contoso.rules().check(token, accessToken: nil).subject == Contoso.object)
        }
    }

    @Test func rejectsOtherPersonAtRefresh() throws {
        let rules = try Contoso.rules(nonce: nil, previous: JSONNode(parsing: Contoso.claims(["sub": "\"s2\""]).utf8))
        #expect(try Self.reason(rules).subject == .person)
    }

    @Test(arguments: [["oid": "\"AbC\""], ["oid": nil, "sub": "\"AbC\""]] as [[String: String?]])
    func identifiesPersonByObjectIDOrSubject(claims: [String: String?]) throws {
        #expect(try Contoso.rules().check(try Self.token(claims), accessToken: nil).subject == "AbC")
    }

    @Test func needsNoNonceAtRefresh() throws {
        let rules = try Contoso.rules(nonce: nil)
        for nonce in [nil, "\"n2\""] {
            #expect(try rules.check(try Self.token(["nonce": nonce]), accessToken: nil).subject == Contoso.object)
        }
    }

    @Test func checksHashOfAccessToken() throws {
        let token = try Self.token(["at_hash": "\"\(Self.goodHash)\""])
        #expect(throws: ProtocolViolation.self) { try Contoso.rules().check(token, accessToken: "other") }
        #expect(try Contoso.rules().check(token, accessToken: nil).subject == Contoso.object)
    }
}
