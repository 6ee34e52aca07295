import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// An External ID tenant with the users of a B2C tenant, as in High Scale Compatibility mode.
@Suite("Shared users", .inTurn, .timeLimit(.minutes(5)))
struct SharedUsersTests {
    private static let pair = """
        {
          "tenants": {
            "contoso": {
              "kind": "external",
              "usersOf": "contoso.onmicrosoft.com",
              "applications": { "after": { "redirectUris": ["http://localhost:8400/"], "allowsNativeAuthentication": true } }
            },
            "contoso.onmicrosoft.com": {
              "kind": "b2c",
              "policies": { "B2C_1_susi": { "kind": "signUpOrSignIn" }, "B2C_1_ROPC": { "kind": "resourceOwner" } },
              "applications": { "before": { "redirectUris": ["http://localhost:8400/"] } },
              "users": [{ "email": "ana@contoso.example" }]
            }
          }
        }
        """

    private static func read(_ text: String = pair) throws -> [TenantConfiguration] {
        try TenantFile(text: text.utf8, source: "tenants.json", folder: "/folder").tenants()
    }

    private func withPair(_ body: (_ external: NativeClient, _ fixture: EmulatorFixture) async throws -> Void)
        async throws
    {
        try await withFixture(tenants: try Self.read()) { fixture in
            var client = NativeClient(fixture, tenant: "contoso")
            client.client = "after"
            try await body(client, fixture)
        }
    }

    /// Signs in at the B2C tenant by user name and password.
    private func before(
        _ fixture: EmulatorFixture, as name: String = "ana@contoso.example", password: String = "Passw0rd!"
    ) async throws -> Received {
        try await fixture.browser().post(
            "/contoso.onmicrosoft.com/B2C_1_ROPC/oauth2/v2.0/token",
            [
                "grant_type": "password", "client_id": "before", "username": name, "password": password,
                "scope": "openid offline_access before", "response_type": "token id_token",
            ])
    }

    /// Signs in at the External ID tenant by native authentication.
    private func after(_ client: NativeClient, password: String = "Passw0rd!") async throws -> Received {
        let asked = try await client.challenged("password redirect")
        return try await client.post(
            "oauth2/v2.0/token",
            [
                "continuation_token": asked.next, "grant_type": "password", "password": password,
                "scope": "openid offline_access",
            ])
    }

    private func keyID(of tokens: JSON) throws -> String {
        let header = tokens["id_token"]?.string?.split(separator: ".").first.map(String.init) ?? ""
        let json = try JSON(parsing: try #require(Base64URL.decode(header)))
        return try #require(json["kid"]?.string)
    }

    @Test("gives a user the same object ID and tenant ID at both, and another issuer, subject, key and refresh token")
    func keepsObjectID() async throws {
        try await withPair { external, fixture in
            let old = try await before(fixture).json
            let new = try await after(external).json
            let (left, right) = (try old.claims("id_token"), try new.claims("id_token"))
            #expect(left["oid"] != nil && left["oid"] == right["oid"])
            // B2C names its tenant in the issuer only.
            let tenantID = try #require(right["tid"]?.string)
            #expect(left["iss"]?.string?.contains("/\(tenantID)/") ?? false)
            for claim in ["iss", "sub", "aud"] { #expect(left[claim] != right[claim], "\(claim)") }
            #expect(try keyID(of: old) != keyID(of: new))
            let refused = try await external.post(
                "oauth2/v2.0/token",
                ["grant_type": "refresh_token", "refresh_token": old["refresh_token"]?.string, "scope": "openid"]
            ).expecting(400)
            #expect(try refused.json["error"] == "invalid_grant", "\(refused.text)")
        }
    }

    @Test("signs in with the password that was set at the other tenant")
    func sharesPasswords() async throws {
        try await withPair { external, fixture in
            let verified = try await external.prove(
                "resetpassword", ["username": "ana@contoso.example", "challenge_type": "oob redirect"]
            ).json
            _ = try await external.go(
                "resetpassword/v1.0/submit", ["continuation_token": verified.next, "new_password": "An0ther-Password"])
            #expect(try await before(fixture).status == 400)
            #expect(try await before(fixture, password: "An0ther-Password").status == 200)
        }
    }

    @Test func exportsUsersOnce() throws {
        let text = TenantFile.text(of: try Self.read())
        #expect(text.ranges(of: "\"users\"").count == 1 && text.contains("\"usersOf\""), "\(text)")
        #expect(try Self.read(text) == Self.read())
    }

    @Test(
        "refuses a pair that the services do not have",
        arguments: [
            ("\"usersOf\": \"contoso.onmicrosoft.com\"", "\"usersOf\": \"other\"", "unknown tenant “other”"),
            ("\"usersOf\": \"contoso.onmicrosoft.com\"", "\"usersOf\": \"contoso\"", "unknown tenant “contoso”"),
            ("\"after\"", "\"before\"", "has the application before too"),
            ("\"kind\": \"external\"", "\"kind\": \"entra\"", "not supported for the kind “entra”"),
            (
                "\"kind\": \"external\",", "\"kind\": \"external\", \"users\": [],",
                "not supported together with “usersOf”"
            ),
        ])
    func refusesImpossiblePair(_ old: String, _ new: String, _ problem: String) throws {
        let text = Self.pair.replacing(old, with: new)
        let error = #expect(throws: PolicyFileError.self) { try Self.read(text) }
        #expect(error.map { "\($0)".contains(problem) } ?? false, "\(String(describing: error))")
    }
}
