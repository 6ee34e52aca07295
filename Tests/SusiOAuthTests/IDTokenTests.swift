import Crypto
import SusiPolicies
import Testing

@testable import SusiOAuth

@Suite("Rules of the id token")
struct IDTokenTests {
    static func token(_ changes: [String: String?] = [:]) throws -> SignedToken {
        let head = Base64URL.encode(#"{"alg":"RS256"}"#.utf8)
        return try SignedToken(parsing: "\(head).\(Base64URL.encode(Scene.claims(changes).utf8)).AA")
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
        Change([:]), Change(["oid": "\"\(Scene.object.uppercased())\""]), Change(["aud": "[\"\(Scene.client)\"]"]),
        Change(["azp": "\"\(Scene.client)\""]),
        Change(["aud": "[\"x\",\"\(Scene.client)\"]", "azp": "\"\(Scene.client)\""]),
        Change(["exp": "\(Scene.now - 299)"]), Change(["exp": "\"\(Scene.now + 5)\""]),
        Change(["iat": "\(Scene.now + 300)"]), Change(["nbf": "\(Scene.now + 300)"]), Change(["nbf": nil]),
        Change(["tfp": "\"b2c_1_SUSI\""]), Change(["tfp": nil, "acr": "\"b2c_1_susi\""]),
        Change(["acr": "\"b2c_1_other\""]), Change(["at_hash": "\"\(goodHash)\""]),
        Change(["exp": "9223372036854775807", "iat": "-9223372036854775808"]),
    ]

    @Test("tokens that are taken", arguments: good)
    func taken(change: Change) throws {
        let person = try Scene.rules().check(try Self.token(change.changes), accessToken: "access")
        #expect(person.subject == Scene.object)
        #expect(person.tenant == Tenant(origin: Scene.origin, id: Scene.guid))
    }

    static let bad = [
        Change(["iss": nil], "issuer", "(2)"), Change(["iss": "\"\(Scene.issuer.dropLast())\""], "issuer", "(2)"),
        Change(["iss": "\"https://evil.com/\(Scene.guid)/v2.0/\""], "issuer", "(2)"),
        Change(["iss": "\"\(Scene.issuer.uppercased())\""], "issuer", "(2)"),
        Change(["aud": nil], "audience", "(3)"), Change(["aud": "\"other\""], "audience", "(3)"),
        Change(["aud": "[]"], "audience", "(3)"), Change(["aud": "[\"\(Scene.client)\",1]"], "audience", "(3)"),
        Change(["aud": "\"\(Scene.client)x\""], "audience", "(3)"),
        Change(["aud": "[\"\(Scene.client)\",\"x\"]"], "no azp", "(4)"),
        Change(["aud": "[\"\(Scene.client)\",\"x\"]", "azp": "\"x\""], "azp", "(5)"),
        Change(["azp": "\"x\""], "azp", "(5)"), Change(["azp": "5"], "azp", "(5)"),
        Change(["exp": nil], "no exp", "(9)"), Change(["exp": "\"soon\""], "no exp", "(9)"),
        Change(["exp": "\(Scene.now - 300)"], "ended 300 s ago", "(9)"), Change(["exp": "0"], "ended", "(9)"),
        Change(["exp": "-9223372036854775808"], "ended", "(9)"), Change(["iat": nil], "no iat", "(10)"),
        Change(["iat": "\(Scene.now + 301)"], "in the future", "(10)"),
        Change(["iat": "9223372036854775807"], "in the future", "(10)"),
        Change(["nbf": "\(Scene.now + 301)"], "valid only from", "RFC 7519 4.1.5"),
        Change(["nonce": nil], "nonce", "(11)"), Change(["nonce": "\"n2\""], "nonce", "(11)"),
        Change(["nonce": "\"N1\""], "nonce", "(11)"), Change(["nonce": "1"], "nonce", "(11)"),
        Change(["tfp": "\"B2C_1_reset\""], "policy is B2C_1_reset"), Change(["tfp": nil], "policy is none"),
        Change(["tfp": "5"], "policy is none"), Change(["tfp": "\"B2C_1_reset\"", "acr": "\"B2C_1_susi\""], "policy"),
        Change(["tfp": "\"x_B2C_1_susi\""], "policy"), Change(["tfp": "\"susi\""], "policy"),
        Change(["at_hash": "\"\(goodHash.dropLast())x\""], "at_hash"), Change(["at_hash": "\"\""], "at_hash"),
        Change(["at_hash": "5"], "at_hash"), Change(["oid": nil, "sub": nil], "names nobody"),
        Change(["oid": nil, "sub": "\"Not supported currently. Use oid claim.\""], "names nobody"),
        Change(["oid": "\"\"", "sub": "\"\""], "names nobody"),
    ]

    @Test("tokens that are refused, each for its one reason", arguments: bad)
    func refused(change: Change) throws {
        let error = try #require(throws: ProtocolViolation.self) {
            try Scene.rules().check(try Self.token(change.changes), accessToken: "access")
        }
        #expect(error.subject == .idToken)
        #expect(error.reason.contains(change.reason), "\(error.reason)")
        #expect(error.source.contains(change.source), "\(error.source)")
    }

    @Test("without an object id a real sub names the person, in its own case")
    func subject() throws {
        let token = try Self.token(["oid": nil, "sub": "\"AbC\""])
        #expect(try Scene.rules().check(token, accessToken: nil).subject == "AbC")
    }

    @Test("a refresh needs no nonce, and takes any")
    func refresh() throws {
        let rules = try Scene.rules(nonce: nil)
        for nonce in [nil, "\"n2\""] {
            #expect(try rules.check(try Self.token(["nonce": nonce]), accessToken: nil).subject == Scene.object)
        }
    }

    @Test("the access token's hash is compared with this access token only")
    func hash() throws {
        let token = try Self.token(["at_hash": "\"\(Self.goodHash)\""])
        #expect(throws: ProtocolViolation.self) { try Scene.rules().check(token, accessToken: "other") }
        #expect(try Scene.rules().check(token, accessToken: nil).subject == Scene.object)
    }

    @Test("a token of one policy is none of another")
    func policy() throws {
        let token = try Self.token()
        #expect(throws: ProtocolViolation.self) {
            try Scene.rules(policy: "B2C_1_reset").check(token, accessToken: nil)
        }
    }
}
