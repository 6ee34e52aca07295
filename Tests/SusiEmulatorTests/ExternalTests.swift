import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("External tenant", .inTurn, .timeLimit(.minutes(5)))
struct ExternalTests {
    private let id = derivedGUID("fabrikam.onmicrosoft.com")

    @Test("serves metadata by name and by GUID with one issuer; endpoints have the GUID")
    func servesMetadataByNameAndGUID() async throws {
        try await withFixture(tenants: [Kinds.external]) { fixture in
            let base = "\(fixture.emulator.origin)/\(id)"
            for name in ["fabrikam.onmicrosoft.com", id] {
                let metadata = try await Door(fixture, "/\(name)/v2.0").metadata
                for (member, path) in [
                    ("issuer", "v2.0"), ("authorization_endpoint", "oauth2/v2.0/authorize"),
                    ("token_endpoint", "oauth2/v2.0/token"), ("end_session_endpoint", "oauth2/v2.0/logout"),
                    ("jwks_uri", "discovery/v2.0/keys"),
                ] { #expect(metadata[member] == .string("\(base)/\(path)"), "\(name)") }
                #expect(metadata["authorization_response_iss_parameter_supported"] == nil)
            }
        }
    }

    @Test("issues tokens of version 2.0 with the user's tenant and a pairwise subject")
    func issuesVersion2Tokens() async throws {
        try await withDoor(Kinds.external, "/fabrikam.onmicrosoft.com/v2.0") { fixture, door in
            let tokens = try await door.tokens(
                "openid profile email offline_access \(Kinds.scope)", [:], ["client_info": "1"])
            #expect(tokens["scope"] == .string(Kinds.scope))
            #expect(tokens["ext_expires_in"] == .integer(3_600))
            #expect(tokens["not_before"] == nil)
            let claims = try await door.verified(tokens["id_token"])
            #expect(claims["iss"] == door.metadata["issuer"])
            #expect(claims["tid"] == .string(id))
            #expect(claims["oid"] == .string(EmulatorFixture.ana))
            #expect(claims["ver"] == "2.0")
            #expect(claims["preferred_username"] == "ana@contoso.example")
            #expect(claims["email"] == "ana@contoso.example")
            #expect(claims["sub"] != claims["oid"])
            #expect(claims["tfp"] == nil)
            #expect(claims["nonce"] == "a-nonce")
            let access = try await door.verified(tokens["access_token"])
            #expect(access["scp"] == "items.read")
            #expect(access["aud"] == .string(derivedGUID("api://reports")))
            let info = try JSON(parsing: try #require(bytes(base64URL: tokens["client_info"]?.string ?? "")))
            #expect(info == ["uid": .string(EmulatorFixture.ana), "utid": .string(id)])
            #expect(try await door.refresh(tokens).json["client_info"] == nil)
            // There is no password grant.
            let password = try await door.token(
                ["grant_type": "password", "username": "ana@contoso.example", "password": "Passw0rd!"])
            #expect(try password.json["error"] == "unsupported_grant_type")
        }
    }

    @Test(
        "issues attributes in both tokens: custom ones as directory extensions, none in place of a claim of the protocol"
    )
    func issuesAttributesAsDirectoryExtensions() async throws {
        let attributes = ["city": "Kyoto", "extension_Plan": "Free", "tid": "x", "oid": "x", "aud": "x", "ver": "9.0"]
        var (external, entra) = (Kinds.external, Kinds.entra)
        external.add(1, email: "eve@contoso.example") { $0.attributes = attributes }
        entra.add(1, email: "eve@contoso.example") { $0.attributes = attributes }
        try await withFixture(tenants: [external, entra]) { fixture in
            for (name, issues) in [("fabrikam.onmicrosoft.com", true), ("tailspin.onmicrosoft.com", false)] {
                let door = try await Door(fixture, "/\(name)/v2.0")
                let tokens = try await door.tokens(
                    as: "eve@contoso.example", "openid profile offline_access \(Kinds.scope)")
                for token in ["id_token", "access_token"] {
                    let claims = try await door.verified(tokens[token])
                    #expect(claims["city"] == (issues ? "Kyoto" : nil), "\(name) \(token)")
                    #expect(claims["extn.Plan"] == (issues ? "Free" : nil) && claims["extension_Plan"] == nil)
                    #expect(claims["tid"] == .string(derivedGUID(name)) && claims["ver"] == "2.0")
                    #expect(claims["oid"] != "x" && claims["aud"] != "x")
                }
            }
        }
    }

    @Test("signs users up, at once with prompt=create")
    func signsUp() async throws {
        try await withFixture(tenants: [Kinds.external, Kinds.entra]) { fixture in
            let door = try await Door(fixture, "/fabrikam.onmicrosoft.com/v2.0")
            let browser = fixture.browser()
            let page = try await browser.get(try door.authorize("openid", ["prompt": "create"]))
            #expect(page.text.contains("Create your account"))
            let created = try await fixture.submit(
                page, browser,
                [
                    "email": "dora@contoso.example", "newPassword": "Good-enough-1",
                    "reenterPassword": "Good-enough-1", "displayName": "Dora Ek", "givenName": "Dora", "surname": "Ek",
                ])
            #expect(try await door.redeem(created).status == 200)
            let workforce = try await Door(fixture, "/tailspin.onmicrosoft.com/v2.0")
            let closed = try await fixture.browser().get(try workforce.authorize("openid"))
            #expect(!closed.text.contains("createAccount") && !closed.text.contains("forgotPassword"))
            // Dora exists only in the other tenant.
            let stranger = try await workforce.signIn(fixture.browser(), as: "dora@contoso.example", "openid")
            #expect(stranger.alerts == ["Your email address or your password is incorrect."])
        }
    }
}
