import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("A policy's settings in its tokens", .inTurn, .timeLimit(.minutes(5)))
struct PolicySettingsTests {
    @Test("issues the policy as acr in lower case, and verifies it everywhere")
    func issuesPolicyAsACR() async throws {
        try await withFixture { configuration in
            configuration.addPasswordPolicy("B2C_1A_ROPC")
            for policy in configuration.policies {
                configuration.settings[policy.name, default: PolicySettings()].policyClaim = .acr
            }
        } _: { fixture in
            let json = try await fixture.tokens()
            #expect(try await fixture.call("\(fixture.emulator.origin)/api", json["access_token"]).status == 200)
            let hint = try #require(json["id_token"]?.string)
            let page = try await fixture.ask(["id_token_hint": hint])
            #expect(try page.form().fields["signInName"] == "ana@contoso.example")
            let owner = try await fixture.password(policy: "b2c_1a_ropc").json
            #expect(try owner.claims("id_token")["acr"] == "b2c_1a_ropc")
            #expect(try owner.claims("access_token")["acr"] == nil)
            let metadata = try await Door(fixture, "/contoso.onmicrosoft.com/b2c_1_susi/v2.0").metadata
            let claims = metadata["claims_supported"]?.elements ?? []
            #expect(claims.contains("acr") && !claims.contains("tfp"))
        }
    }

    @Test("issues a fixed subject that refers to the object ID")
    func issuesFixedSubject() async throws {
        try await withFixture({ $0.change { $0.subject = .notSupported } }) { fixture in
            let json = try await fixture.tokens()
            for token in ["id_token", "access_token"] {
                let claims = try json.claims(token)
                #expect(claims["sub"] == "Not supported currently. Use oid claim.")
                #expect(claims["oid"] == .string(User.standard[0].objectID))
            }
        }
    }

    @Test(
        "supports both issuer forms with either policy claim",
        arguments: [TenantConfiguration.IssuerForm.tenant, .policy],
        PolicySettings.PolicyClaim.allCases)
    func supportsIssuerForms(_ form: TenantConfiguration.IssuerForm, _ claim: PolicySettings.PolicyClaim) async throws {
        try await withFixture { configuration in
            configuration.issuerForm = form
            configuration.change { $0.policyClaim = claim }
        } _: { fixture in
            let json = try await fixture.tokens()
            let id = derivedGUID("contoso.onmicrosoft.com")
            let path = form == .policy ? "tfp/\(id)/B2C_1_susi" : id
            let claims = try json.claims("access_token")
            #expect(claims["iss"] == .string("\(fixture.emulator.origin)/\(path)/v2.0/"))
            let metadata = try await Door(fixture, "/contoso.onmicrosoft.com/b2c_1_susi/v2.0").metadata
            #expect(metadata["issuer"] == claims["iss"])
            // `acr` is in lower case, and only in id tokens.
            let named = try json.claims("id_token")
            let expected: (tfp: JSON?, acr: JSON?) =
                switch claim {
                case .tfp: ("B2C_1_susi", nil)
                case .acr: (nil, "b2c_1_susi")
                case .absent: (nil, nil)
                }
            #expect(claims["tfp"] == expected.tfp && claims["acr"] == nil)
            #expect(named["tfp"] == expected.tfp && named["acr"] == expected.acr)
            #expect(try await fixture.call("/api/hello", json["access_token"]).status == 200)
        }
    }

    @Test("sends the application claims that are chosen for a policy, also after a refresh")
    func sendsChosenClaims() async throws {
        try await withFixture({ $0.change { $0.claims = ["name", "city", "signInNames.userName"] } }) { fixture in
            try fixture.database.change(User.standard[0].objectID) {
                ($0.userName, $0.attributes) = ("anau", ["city": "Porto", "extension_Tier": "gold"])
            }
            let first = try await fixture.tokens()
            let second = try await fixture.refresh(first["refresh_token"]?.string).json
            for json in [first, second] {
                for token in ["id_token", "access_token"] {
                    let claims = try json.claims(token)
                    #expect(claims["name"] == "Ana Lima" && claims["city"] == "Porto", "\(claims)")
                    #expect(claims["signInNames.userName"] == "anau", "\(claims)")
                    for name in ["emails", "given_name", "family_name", "extension_Tier", "signInNames.emailAddress"] {
                        #expect(claims[name] == nil, "\(claims)")
                    }
                    #expect(claims["oid"] == .string(User.standard[0].objectID) && claims["sub"] != nil)
                }
            }
        }
    }

    @Test("uses the lifetimes of a policy: code, access, ID and refresh token, sliding window")
    func usesLifetimesOfPolicy() async throws {
        try await withFixture { configuration in
            configuration.settings[PolicyName("B2C_1_susi"), default: PolicySettings()].lifetimes = Lifetimes(
                code: 30, accessToken: 300, idToken: 600, refreshToken: 1_000, slidingWindow: 1_500)
        } _: { fixture in
            let browser = fixture.browser()
            let first = try await fixture.redeem(try await fixture.signIn(browser).redirect["code"]).json
            #expect(first["expires_in"] == .integer(300) && first["refresh_token_expires_in"] == .integer(1_000))
            #expect(try first.claims("access_token")["exp"] == .integer(EmulatorFixture.start + 300))
            #expect(try first.claims("id_token")["exp"] == .integer(EmulatorFixture.start + 600))
            let late = try await browser.get(fixture.authorize()).redirect["code"]
            fixture.emulator.clock.advance(by: 30)
            #expect(try await fixture.redeem(late).json.code == 90080)
            fixture.emulator.clock.advance(by: 870)
            let second = try await fixture.refresh(first["refresh_token"]?.string).json
            #expect(second["refresh_token_expires_in"] == .integer(600))
            fixture.emulator.clock.advance(by: 600)
            let text = try await fixture.refresh(second["refresh_token"]?.string).json["error_description"]?.string
            let times =
                "Current time: \(EmulatorFixture.start + 1_500), Grant issued time: \(EmulatorFixture.start + 900), "
                + "Grant sliding window expiration time: \(EmulatorFixture.start + 1_500)"
            #expect(text?.contains(times) == true, "\(text ?? "")")
            // Another policy keeps the tenant's lifetime.
            let other = try await edit(fixture)
            #expect(other["expires_in"] == .integer(3_600))
        }
    }

    private func edit(_ fixture: EmulatorFixture) async throws -> JSON {
        let browser = fixture.browser()
        let page = try await fixture.signIn(browser, policy: "B2C_1_edit_profile")
        let redirect = try await browser.submit(page, ["displayName": "Ana"])
        return try await fixture.redeem(try redirect.redirect["code"], policy: "B2C_1_edit_profile").json
    }
}
