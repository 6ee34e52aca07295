import NIOHTTP1
import SusiBase
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
            let info = try JSON(parsing: try #require(Base64URL.decode(tokens["client_info"]?.string ?? "")))
            #expect(info == ["uid": .string(EmulatorFixture.ana), "utid": .string(id)])
            #expect(try await door.refresh(tokens).json["client_info"] == nil)
            // There is no password grant.
            let password = try await door.token(
                ["grant_type": "password", "username": "ana@contoso.example", "password": "Passw0rd!"])
            #expect(try password.json["error"] == "unsupported_grant_type")
        }
    }

    @Test(
        "issues attributes in both tokens: custom ones as directory extensions, roles and groups in every kind, none in place of a claim of the protocol"
    )
    func issuesAttributesAsDirectoryExtensions() async throws {
        let attributes: [String: JSON] = [
            "city": "Kyoto", "extension_Plan": "Free", "extension_isVip": .bool(true), "roles": ["admin"],
            "groups": ["g1"], "wids": [], "tid": "x", "oid": "x", "aud": "x", "ver": "9.0",
        ]
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
                    #expect(claims["extn.isVip"] == (issues ? .bool(true) : nil))
                    #expect(claims["roles"] == ["admin"] && claims["groups"] == ["g1"] && claims["wids"] == nil)
                    #expect(claims["tid"] == .string(derivedGUID(name)) && claims["ver"] == "2.0")
                    #expect(claims["oid"] != "x" && claims["aud"] != "x")
                }
            }
        }
    }

    @Test("says where groups are listed that a token has no room for, and lists them; keeps to the chosen claims")
    func refersToGroups() async throws {
        var tenant = Kinds.external
        tenant.applications[0].allowsImplicit = true
        tenant.groupLimit = 6
        tenant.change("default") { $0.claims = ["groups", "extn.Plan"] }
        for (number, count) in [(1, 6), (2, 7)] {
            tenant.add(number, email: "\(count)@contoso.example") {
                $0.attributes = ["groups": .array((1...count).map { .string("g\($0)") }), "city": "Kyoto"]
            }
        }
        try await withDoor(tenant, "/fabrikam.onmicrosoft.com/v2.0") { fixture, door in
            let implicit = try await door.signIn(
                fixture.browser(), as: "6@contoso.example", "openid",
                ["response_type": "id_token", "code_challenge": nil, "code_challenge_method": nil])
            let short = try await door.verified(try implicit.redirect["id_token"].map(JSON.string))
            #expect(short["hasgroups"] == .bool(true) && short["groups"] == nil && short["_claim_names"] == nil)
            let few = try await door.tokens(as: "6@contoso.example", "openid \(Kinds.scope)")
            #expect(try few.claims("id_token")["groups"]?.elements.count == 6)
            let many = try await door.tokens(as: "7@contoso.example", "openid User.Read")
            for token in ["id_token", "access_token"] {
                let claims = try await door.verified(many[token])
                #expect(claims["groups"] == nil && claims["hasgroups"] == nil && claims["_claim_names"] != nil)
                #expect(claims["name"] == nil && claims["city"] == nil && claims["oid"] != nil && claims["uti"] != nil)
            }
            let source = try #require(try many.claims("id_token")["_claim_sources"]?["src1"]?["endpoint"]?.string)
            let bearer = ("Authorization", "Bearer \(many["access_token"]?.string ?? "")")
            let listed = try await fixture.browser().send(.POST, source, [bearer], nil)
            #expect(try listed.json["value"]?.elements.count == 7)
            let other = source.replacing("e0e0e0e0", with: "a0a0a0a0")
            #expect(try await fixture.browser().send(.POST, other, [bearer], nil).status == 403)
        }
    }

    @Test("signs users up, at once with prompt=create")
    func signsUp() async throws {
        try await withFixture(tenants: [Kinds.external, Kinds.entra]) { fixture in
            let door = try await Door(fixture, "/fabrikam.onmicrosoft.com/v2.0")
            let browser = fixture.browser()
            let page = try await browser.get(try door.authorize("openid", ["prompt": "create"]))
            #expect(page.text.contains("Create your account"))
            let created = try await browser.submit(
                page,
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
