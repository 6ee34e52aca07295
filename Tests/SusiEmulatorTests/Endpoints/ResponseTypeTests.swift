import Crypto
import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Response types", .inTurn, .timeLimit(.minutes(5)))
struct ResponseTypeTests {
    private func withImplicit(_ body: (EmulatorFixture) async throws -> Void) async throws {
        try await withFixture({ $0.applications[0].allowsImplicit = true }, body)
    }

    // Computes the hash without the emulator's own functions.
    private func half(_ text: String) -> JSON {
        let half = Data(SHA256.hash(data: Data(text.utf8)).prefix(16)).base64EncodedString()
        return .string(half.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
    }

    @Test func issuesNoIDTokenWithoutOpenID() async throws {
        try await withFixture { fixture in
            let tokens = try await fixture.tokens(["scope": EmulatorFixture.scope, "nonce": nil])
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
                let response = try await fixture.browser().get(fixture.authorize(changed))
                #expect(response.location?.hasPrefix("http://localhost:8400/#error=") == true, "\(changed)")
                #expect(try response.redirect["error_description"]?.hasPrefix("AADB2C\(code): ") == true, "\(changed)")
                #expect(try response.redirect["state"] == "a state/&")
            }
        }
    }

    @Test("issues every announced combination in any order, with hashes; all but code in the fragment")
    func servesAnnouncedTypes() async throws {
        var tenants = [try tenantOfTests(), Kinds.external, Kinds.entra, Kinds.openid]
        for index in tenants.indices { tenants[index].applications[0].allowsImplicit = true }
        try await withFixture(tenants: tenants) { fixture in
            for tenant in tenants {
                let (path, scope) =
                    switch tenant.kind {
                    case .b2c: ("/contoso.onmicrosoft.com/B2C_1_susi/v2.0", EmulatorFixture.scope)
                    case .openid: ("/login", "items.read")
                    default: ("/\(tenant.name)/v2.0", Kinds.scope)
                    }
                try await expectAnnouncedTypes(
                    try await Door(fixture, path), "openid \(scope)", isB2C: tenant.kind == .b2c)
            }
        }
    }

    private func expectAnnouncedTypes(_ door: Door, _ scope: String, isB2C: Bool) async throws {
        let browser = door.fixture.browser()
        _ = try await door.signIn(browser, scope)
        let types = try #require(door.metadata["response_types_supported"]).elements.compactMap(\.string)
        #expect(isB2C ? types.count == 8 : types.count > 1)
        for text in types + (isB2C ? ["token code", "token id_token code"] : []) {
            let response = try await browser.get(try door.authorize(scope, ["response_type": text]))
            let fields = try response.redirect
            #expect(
                response.location?.hasPrefix("http://localhost:8400/\(text == "code" ? "?" : "#")") == true, "\(text)")
            for (word, field) in [("code", "code"), ("token", "access_token"), ("id_token", "id_token")] {
                #expect((fields[field] != nil) == text.split(separator: " ").contains(word[...]), "\(text) \(field)")
            }
            guard let token = fields["id_token"] else { continue }
            let claims = try await door.verified(.string(token))
            #expect(claims["c_hash"] == fields["code"].map(half), "\(text)")
            #expect(claims["at_hash"] == fields["access_token"].map(half), "\(text)")
        }
        guard !isB2C else { return }
        let other = try await browser.get(try door.authorize(scope, ["response_type": "token"])).redirect
        #expect(other["error"] == "unsupported_response_type")
    }

    @Test("accepts PKCE with plain, without a method, and none if the application may")
    func acceptsChallengeMethods() async throws {
        try await withFixture({ $0.applications[0].demandsChallenge = false }) { fixture, browser in
            _ = try await fixture.signIn(browser)
            func code(_ changed: [String: String?]) async throws -> String? {
                try await browser.get(fixture.authorize(changed)).redirect["code"]
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
