import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("A policy's settings in its tokens", .inTurn, .timeLimit(.minutes(2)))
struct PolicySettingsTests {
    @Test("acr in place of tfp, in lower case, and everybody who checks a token reads it")
    func policyClaim() async throws {
        try await withScene { configuration in
            configuration.policies.append(Policy(name: PolicyName("B2C_1A_ROPC"), kind: .resourceOwner))
            for policy in configuration.policies {
                configuration.settings[policy.name, default: PolicySettings()].policyClaim = .acr
            }
        } _: { scene in
            let json = try await scene.tokens()
            let id = try json.claims("id_token")
            #expect(id["acr"] == "b2c_1_susi" && id["tfp"] == nil)
            let access = try json.claims("access_token")
            #expect(access["acr"] == "b2c_1_susi" && access["tfp"] == nil)
            let token = try #require(json["access_token"]?.string)
            let bearer = [("Authorization", "Bearer \(token)")]
            let greeting = try await scene.browser().get("\(scene.emulator.origin)/api/hello", bearer)
            #expect(try greeting.json["policy"] == "b2c_1_susi")
            let info = try await scene.browser().get("\(scene.tenant)/B2C_1_susi/openid/v2.0/userinfo", bearer)
            #expect(try info.json["name"] == "Ana Lima")
            let hint = try #require(json["id_token"]?.string)
            let page = try await scene.browser().get(scene.authorize("B2C_1_susi", ["id_token_hint": hint]))
            #expect(try page.form().fields["signInName"] == "ana@contoso.example")
            let owner = try await scene.browser().post(
                "\(scene.tenant)/b2c_1a_ropc/oauth2/v2.0/token",
                [
                    "grant_type": "password", "client_id": Scene.client, "username": "ana@contoso.example",
                    "password": "Passw0rd!", "scope": "openid \(Scene.scope)",
                ]
            ).json
            #expect(try owner.claims("id_token")["acr"] == "b2c_1a_ropc")
            #expect(try owner.claims("access_token")["acr"] == "b2c_1a_ropc")
            let metadata = try await scene.browser().get(
                "\(scene.tenant)/b2c_1_susi/v2.0/.well-known/openid-configuration"
            ).json
            guard case .array(let claims)? = metadata["claims_supported"] else {
                Issue.record("no claims")
                return
            }
            #expect(claims.contains("acr") && !claims.contains("tfp"))
        }
    }

    @Test("a subject that sends everybody to the object id")
    func subject() async throws {
        try await withScene { configuration in
            configuration.settings[PolicyName("B2C_1_susi"), default: PolicySettings()].subject = .notSupported
        } _: { scene in
            let json = try await scene.tokens()
            for token in ["id_token", "access_token"] {
                let claims = try json.claims(token)
                #expect(claims["sub"] == "Not supported currently. Use oid claim.")
                #expect(claims["oid"] == .string(User.standard[0].objectID))
            }
            let token = try #require(json["access_token"]?.string)
            let bearer = [("Authorization", "Bearer \(token)")]
            let info = try await scene.browser().get("\(scene.tenant)/B2C_1_susi/openid/v2.0/userinfo", bearer)
            #expect(try info.json["name"] == "Ana Lima")
        }
    }

    @Test("both forms of the issuer with the policy's claim in either form")
    func issuer() async throws {
        try await withScene { configuration in
            configuration.issuerForm = .policy
            configuration.settings[PolicyName("B2C_1_susi"), default: PolicySettings()].policyClaim = .acr
        } _: { scene in
            let json = try await scene.tokens()
            let id = derivedGUID("contoso.onmicrosoft.com")
            let issuer = JSON.string("\(scene.emulator.origin)/tfp/\(id)/B2C_1_susi/v2.0/")
            #expect(try json.claims("access_token")["iss"] == issuer)
            let token = try #require(json["access_token"]?.string)
            let answer = try await scene.browser().get(
                "\(scene.emulator.origin)/api/hello", [("Authorization", "Bearer \(token)")])
            #expect(answer.status == 200)
        }
    }

    @Test("lifetimes of one policy: code, access, id and refresh token, sliding window")
    func lifetimes() async throws {
        try await withScene { configuration in
            configuration.settings[PolicyName("B2C_1_susi"), default: PolicySettings()].lifetimes = Lifetimes(
                code: 30, accessToken: 300, idToken: 600, refreshToken: 1_000, slidingWindow: 1_500)
        } _: { scene in
            let browser = scene.browser()
            let first = try await scene.redeem(try await scene.signIn(browser).redirect["code"]).json
            #expect(first["expires_in"] == .integer(300) && first["refresh_token_expires_in"] == .integer(1_000))
            #expect(try first.claims("access_token")["exp"] == .integer(Scene.start + 300))
            #expect(try first.claims("id_token")["exp"] == .integer(Scene.start + 600))
            let late = try await browser.get(scene.authorize()).redirect["code"]
            scene.emulator.clock.advance(by: 30)
            #expect(try await scene.redeem(late).json.code == 90080)
            scene.emulator.clock.advance(by: 870)
            let second = try await scene.refresh(first["refresh_token"]?.string).json
            #expect(second["refresh_token_expires_in"] == .integer(600))
            scene.emulator.clock.advance(by: 600)
            let text = try await scene.refresh(second["refresh_token"]?.string).json["error_description"]?.string
            let times =
                "Current time: \(Scene.start + 1_500), Grant issued time: \(Scene.start + 900), "
                + "Grant sliding window expiration time: \(Scene.start + 1_500)"
            #expect(text?.contains(times) == true, "\(text ?? "")")
            // Another policy keeps the tenant's.
            let other = try await edit(scene)
            #expect(other["expires_in"] == .integer(3_600))
        }
    }

    private func edit(_ scene: Scene) async throws -> JSON {
        let browser = scene.browser()
        let page = try await scene.signIn(browser, policy: "B2C_1_edit_profile")
        let redirect = try await browser.submit(page, at: scene.emulator.origin, ["displayName": "Ana"])
        return try await scene.redeem(try redirect.redirect["code"], policy: "B2C_1_edit_profile").json
    }
}
