import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("User name and password", .inTurn, .timeLimit(.minutes(5)))
struct PasswordGrantTests {
    private let policy = "B2C_1_ROPC"

    private func withPolicy(_ body: (EmulatorFixture) async throws -> Void) async throws {
        try await withFixture({ $0.addPasswordPolicy(policy) }, body)
    }

    @Test("a refresh has the user in profile_info")
    func returnsProfileInfo() async throws {
        try await withPolicy { fixture in
            // Captures show the members of both responses.
            let json = try await fixture.password(policy: policy).json
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
                #expect(try await fixture.password(policy: policy, [name: nil]).json.code == 90083, "\(name)")
            }
            #expect(!fixture.log.lines.joined().contains("Passw0rd!"))
            let page = try await fixture.browser().get(fixture.authorize(policy)).redirect
            #expect(page["error"] == "invalid_request")
            #expect(try await fixture.password(policy: "B2C_1_susi").json.code == 90086)
        }
    }
}
