import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Journeys that need no page: the password grant, refreshes and user information.
@Suite("Journeys without pages", .timeLimit(.minutes(5))) struct JourneyGrantTests {
    private static let ropc: @Sendable (CustomPolicyFolder) throws -> Void = { folder in
        try folder.add(
            "Ropc", "Ropc", claims: ["displayName", "level"], endpoints: CustomPolicyFolder.endpoints)
    }

    private static func withService(_ body: (ScriptedServer) async throws -> Void) async throws {
        try await ScriptedServer.with(
            { _ in .status("200 OK", #"{"level": 7}"#, headers: ["Content-Type: application/json"]) }, body)
    }

    @Test func servesThePasswordGrantWithTheClaimsOfThePolicyAlone() async throws {
        try await Self.withService { service in
            try await withCustomPolicies(service: service.origin, Self.ropc) { fixture, _ in
                let response = try await fixture.password(policy: "B2C_1A_Ropc").expecting(200)
                let claims = try response.json.claims("id_token")
                let names: Set = [
                    "acr", "at_hash", "aud", "auth_time", "exp", "iat", "iss", "level", "name", "nbf", "sub", "ver",
                ]
                #expect(Set(try #require(claims.members).keys) == names, "\(claims.text)")
                #expect(claims["sub"]?.string == EmulatorFixture.ana && claims["name"]?.string == "Ana Lima")
                #expect(claims["level"]?.integer == 7 && claims["acr"]?.string == "b2c_1a_ropc")
                #expect(try response.json.claims("access_token")["level"]?.integer == 7)
                // The issuer's metadata sets the lifetime.
                let times = (claims["exp"]?.integer ?? 0, EmulatorFixture.start)
                #expect(try response.json.claims("access_token")["exp"]?.integer == times.1 + 900 && times.0 > times.1)
                let sent = try #require(service.requests.first)
                #expect(
                    sent.header("authorization") == "Bearer key-secret" && sent.body == #"{"displayName":"Ana Lima"}"#)
                let wrong = try await fixture.password("ana@contoso.example", "wrong", policy: "B2C_1A_Ropc")
                #expect(try wrong.json.code == 90225)
                let page = try await fixture.browser().get(fixture.authorize("B2C_1A_Ropc"))
                #expect(try page.redirect["error_description"]?.contains("has no sign-in page") == true)
            }
        }
    }

    @Test func refreshesByTheJourneyOfTheTokenEndpoint() async throws {
        try await Self.withService { service in
            try await withCustomPolicies(service: service.origin, Self.ropc) { fixture, _ in
                let first = try await fixture.password(policy: "B2C_1A_Ropc").expecting(200).json
                try fixture.database.change(EmulatorFixture.ana) { $0.displayName = "Ana Nova" }
                let token = first["refresh_token"]?.string
                let again = try await fixture.refresh(token, policy: "B2C_1A_Ropc").expecting(200).json
                let claims = try again.claims("id_token")
                #expect(claims["name"]?.string == "Ana Nova" && claims["level"]?.integer == 7)
                #expect(service.requests.count == 1)
                try fixture.database.change(EmulatorFixture.ana) { $0.isBlocked = true }
                #expect(try await fixture.refresh(token, policy: "B2C_1A_Ropc").json.code == 90129)
                _ = try fixture.database.removeUser(objectID: EmulatorFixture.ana)
                #expect(try await fixture.refresh(token, policy: "B2C_1A_Ropc").json.code == 90128)
            }
        }
    }

    @Test func repeatsTheClaimsWithoutSuchAJourney() async throws {
        try await Self.withService { service in
            try await withCustomPolicies(service: service.origin) { folder in
                try folder.add("Ropc", "Ropc", claims: ["displayName"])
            } _: { fixture, _ in
                let first = try await fixture.password(policy: "B2C_1A_Ropc").expecting(200).json
                try fixture.database.change(EmulatorFixture.ana) { $0.displayName = "Ana Nova" }
                let again = try await fixture.refresh(first["refresh_token"]?.string, policy: "B2C_1A_Ropc").json
                #expect(try again.claims("id_token")["name"]?.string == "Ana Lima")
                let metadata = try await fixture.browser().get(
                    "\(fixture.tenant)/B2C_1A_Ropc/v2.0/.well-known/openid-configuration"
                ).json
                #expect(metadata["userinfo_endpoint"] == nil)
            }
        }
    }

    @Test func answersTheUserInfoEndpointByItsJourney() async throws {
        try await Self.withService { service in
            try await withCustomPolicies(service: service.origin, Self.ropc) { fixture, _ in
                let tokens = try await fixture.password(policy: "B2C_1A_Ropc").expecting(200).json
                let address = "\(fixture.tenant)/B2C_1A_Ropc/openid/v2.0/userinfo"
                let response = try await fixture.call(address, tokens["access_token"]).expecting(200)
                #expect(
                    try response.json == ["objectId": .string(EmulatorFixture.ana), "displayName": "Ana Lima"])
                #expect(try await fixture.call(address, "forged").status == 401)
            }
        }
    }

    @Test func sendsTheErrorOfAPolicy() async throws {
        try await withCustomPolicies {
            try $0.add("Error", "Error")
        } _: { fixture, _ in
            let redirect = try await fixture.password(policy: "B2C_1A_Error")
            #expect(
                try redirect.json["error_description"]?.string?.hasPrefix("E1: Not today.") == true, "\(redirect.text)")
        }
    }
}
