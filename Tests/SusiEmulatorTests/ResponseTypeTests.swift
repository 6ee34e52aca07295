import Crypto
import Foundation
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Response types", .inTurn, .timeLimit(.minutes(5)))
struct ResponseTypeTests {
    private func withImplicit(_ body: (EmulatorFixture) async throws -> Void) async throws {
        try await withFixture {
            $0.applications[0].allowsImplicit = true
        } _: {
            try await body($0)
        }
    }

    // Computes the hash without the emulator's own functions.
    private func half(_ text: String) -> JSON {
        let half = Data(SHA256.hash(data: Data(text.utf8)).prefix(16)).base64EncodedString()
        return .string(
            half.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
    }

    private func check(_ answer: Received, _ text: String, _ verifier: TokenVerifier) throws {
        let types = Set(text.split(separator: " "))
        let mark = types == ["code"] ? "?" : "#"
        #expect(answer.location?.hasPrefix("http://localhost:8400/\(mark)") == true, "\(text): \(answer.text)")
        let fields = try answer.redirect
        #expect((fields["code"] != nil) == types.contains("code"), "\(text)")
        #expect((fields["access_token"] != nil) == types.contains("token"), "\(text)")
        #expect((fields["id_token"] != nil) == types.contains("id_token"), "\(text)")
        #expect(fields["state"] == "a state/&" && fields["refresh_token"] == nil)
        if types.contains("token") {
            #expect(fields["token_type"] == "Bearer" && fields["expires_in"] == "3600")
            #expect(fields["scope"] == EmulatorFixture.scope)
            let claims = try verifier.claims(of: fields["access_token"] ?? "")
            #expect(claims["scp"] == "demo.read")
        }
        guard let token = fields["id_token"] else { return }
        let claims = try verifier.claims(of: token)
        #expect(claims["nonce"] == "a-nonce" && claims["aud"] == .string(EmulatorFixture.client))
        #expect(claims["at_hash"] == fields["access_token"].map(half), "\(text)")
        #expect(claims["c_hash"] == fields["code"].map(half), "\(text)")
    }

    @Test("issues every announced combination in any order, in the fragment, with hashes")
    func issuesEveryCombination() async throws {
        try await withImplicit { fixture in
            let browser = fixture.browser()
            _ = try await fixture.signIn(browser)
            let policy = "\(fixture.tenant)/B2C_1_susi"
            let metadata = try await browser.get("\(policy)/v2.0/.well-known/openid-configuration").json
            let verifier = TokenVerifier(
                keys: try await browser.get("\(policy)/discovery/v2.0/keys").json, now: EmulatorFixture.start)
            let types = metadata["response_types_supported"]?.elements ?? []
            #expect(types.count == 8)
            for text in types.compactMap(\.string) + ["token code", "id_token code", "token id_token code"] {
                try check(
                    try await browser.get(fixture.authorize("B2C_1_susi", ["response_type": text])), text, verifier)
            }
            let hybrid = fixture.authorize("B2C_1_susi", ["response_type": "code id_token", "client_info": "1"])
            let redirect = try await browser.get(hybrid).redirect
            #expect(redirect["client_info"] != nil)
            #expect(try await fixture.redeem(redirect["code"]).status == 200)
        }
    }

    @Test("posts tokens by form_post; no ID token without openid")
    func postsTokens() async throws {
        try await withImplicit { fixture in
            let browser = fixture.browser()
            _ = try await fixture.signIn(browser)
            let fields = ["response_type": "code token id_token", "response_mode": "form_post"]
            let (action, form) = try await browser.get(fixture.authorize("B2C_1_susi", fields)).form()
            #expect(action == "http://localhost:8400/")
            for name in ["code", "access_token", "id_token", "state", "expires_in"] {
                #expect(form[name] != nil, "\(name)")
            }
            let plain = try await browser.get(
                fixture.authorize("B2C_1_susi", ["scope": EmulatorFixture.scope, "nonce": nil]))
            let tokens = try await fixture.redeem(try plain.redirect["code"]).json
            #expect(tokens["access_token"] != nil && tokens["id_token"] == nil)
        }
    }

    @Test("refuses unsupported requests in the fragment")
    func refusesInFragment() async throws {
        let rows: [(changed: [String: String?], code: Int)] = [
            (["response_type": "id_token", "response_mode": "query"], 90014),
            (["response_type": "token", "response_mode": "query"], 90014),
            (["response_type": "id_token", "nonce": nil], 90083),
            (["response_type": "token", "scope": "openid"], 90055),
        ]
        try await withImplicit { fixture in
            for (changed, code) in rows {
                let answer = try await fixture.browser().get(fixture.authorize("B2C_1_susi", changed))
                #expect(answer.location?.hasPrefix("http://localhost:8400/#error=") == true, "\(changed)")
                #expect(try answer.redirect["error_description"]?.hasPrefix("AADB2C\(code): ") == true, "\(changed)")
                #expect(try answer.redirect["state"] == "a state/&")
            }
        }
    }

    @Test("serves what other kinds announce")
    func servesAnnouncedTypes() async throws {
        var tenants = [Kinds.external, Kinds.entra, Kinds.openid]
        for index in tenants.indices { tenants[index].applications[0].allowsImplicit = true }
        try await withFixture(tenants: tenants) { fixture in
            for tenant in tenants {
                let isPlain = tenant.kind == .openid
                let door = try await Door(fixture, isPlain ? "/login" : "/\(tenant.name)/v2.0")
                try await expectAnnouncedTypes(door, isPlain ? "openid items.read" : "openid \(Kinds.scope)")
            }
        }
    }

    private func expectAnnouncedTypes(_ door: Door, _ scope: String) async throws {
        let browser = door.fixture.browser()
        _ = try await door.signIn(browser, scope)
        let types = try #require(door.metadata["response_types_supported"]).elements.compactMap(\.string)
        #expect(types.count > 1)
        for text in types {
            let answer = try await browser.get(try door.authorize(scope, ["response_type": text]))
            let fields = try answer.redirect
            for (word, field) in [("code", "code"), ("token", "access_token"), ("id_token", "id_token")] {
                #expect((fields[field] != nil) == text.split(separator: " ").contains(word[...]), "\(text) \(field)")
            }
            guard let token = fields["id_token"] else { continue }
            let claims = try await door.verified(.string(token))
            #expect(claims["c_hash"] == fields["code"].map(half), "\(text)")
            #expect(claims["at_hash"] == fields["access_token"].map(half), "\(text)")
        }
        let other = try await browser.get(try door.authorize(scope, ["response_type": "token"])).redirect
        #expect(other["error"] == "unsupported_response_type")
    }

    @Test("accepts PKCE with plain, without a method, and none if the application may")
    func acceptsChallengeMethods() async throws {
        try await withFixture {
            $0.applications[0].demandsChallenge = false
        } _: { fixture in
            let browser = fixture.browser()
            _ = try await fixture.signIn(browser)
            func code(_ changed: [String: String?]) async throws -> String? {
                try await browser.get(fixture.authorize("B2C_1_susi", changed)).redirect["code"]
            }
            for method in ["plain", nil] {
                let plain = ["code_challenge": vectorVerifier, "code_challenge_method": method]
                #expect(try await fixture.redeem(try await code(plain)).status == 200)
                let other = try await fixture.redeem(try await code(plain), ["code_verifier": vectorChallenge])
                #expect(try other.json.code == 90182)
            }
            let none: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
            #expect(try await fixture.redeem(try await code(none), ["code_verifier": nil]).status == 200)
            // A verifier for a code without a challenge: the code may have been injected (RFC 9700 section 4.8.2).
            #expect(try await fixture.redeem(try await code(none)).json.code == 90183)
        }
    }
}
