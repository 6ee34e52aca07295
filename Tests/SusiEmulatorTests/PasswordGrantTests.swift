import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("User name and password", .inTurn, .timeLimit(.minutes(5)))
struct PasswordGrantTests {
    private let policy = "B2C_1_ROPC"

    private func ask(_ fixture: EmulatorFixture, _ changed: [String: String?] = [:]) async throws -> Received {
        var fields = [
            "grant_type": "password", "client_id": EmulatorFixture.client, "username": "ana@contoso.example",
            "password": "Passw0rd!", "scope": "openid offline_access \(EmulatorFixture.scope)",
            "response_type": "token id_token",
        ]
        for (name, value) in changed { fields[name] = value }
        return try await fixture.browser().post("\(fixture.tenant)/\(policy)/oauth2/v2.0/token", fields)
    }

    private func withPolicy(_ body: (EmulatorFixture) async throws -> Void) async throws {
        try await withFixture {
            $0.policies.append(Policy(name: PolicyName(policy), kind: .resourceOwner))
        } _: {
            try await body($0)
        }
    }

    @Test("a refresh has the user in profile_info")
    func returnsProfileInfo() async throws {
        try await withPolicy { fixture in
            // Captures show the members of both responses.
            let json = try await ask(fixture).json
            let second = try await fixture.refresh(json["refresh_token"]?.string, policy: policy).json
            let profile = try JSON(parsing: try #require(Base64URL.decode(second["profile_info"]?.string ?? "")))
            #expect(profile["idp"] == "LocalAccount" && profile["name"] == "Ana Lima")
            #expect(profile["tid"] == .string(derivedGUID("contoso.onmicrosoft.com")))
            #expect(try json.claims("access_token")["scp"] == "demo.read")
        }
    }

    @Test("needs a name, a password and a scope; has no pages, and other policies refuse the grant")
    func refusesOtherRequests() async throws {
        try await withPolicy { fixture in
            for name in ["username", "password", "scope"] {
                #expect(try await ask(fixture, [name: nil]).json.code == 90083, "\(name)")
            }
            #expect(!fixture.log.lines.joined().contains("Passw0rd!"))
            let page = try await fixture.browser().get(fixture.authorize(policy)).redirect
            #expect(page["error"] == "invalid_request")
            let other = try await fixture.redeem(
                nil, ["grant_type": "password", "username": "ana@contoso.example", "password": "Passw0rd!"])
            #expect(try other.json.code == 90086)
        }
    }
}
