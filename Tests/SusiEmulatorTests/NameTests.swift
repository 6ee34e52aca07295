import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// What local accounts sign in with, and what their policies collect.
@Suite("Account names and attributes", .inTurn, .timeLimit(.minutes(2)))
struct NameTests {
    @Test("user names: sign-in, sign-up, ROPC; no emails in the token unless one was collected")
    func userNames() async throws {
        try await withScene {
            $0.change { $0.identifier = .userName }
            $0.policies.append(Policy(name: PolicyName("B2C_1_ropc"), kind: .resourceOwner))
            $0.change("B2C_1_ropc") { $0.identifier = .userName }
            $0.add(1, userName: "gus")
        } _: { scene in
            let browser = scene.browser()
            let page = try await browser.get(scene.authorize())
            #expect(page.text.contains(">User name</label>") && page.text.contains("type=\"text\""))
            let email = try await scene.submit(
                page, browser, ["signInName": "ana@contoso.example", "password": "Passw0rd!"])
            #expect(email.alerts == ["Your user name or your password is incorrect."])
            let claims = try await scene.idToken(
                try await scene.submit(page, browser, ["signInName": "GUS", "password": "Passw0rd!"]))
            #expect(claims["emails"] == nil && claims["name"] == "Person 1" && claims["given_name"] == nil)
            let ropc = try await scene.redeem(
                nil, policy: "B2C_1_ropc",
                ["grant_type": "password", "username": "gus", "password": "Passw0rd!", "scope": "openid"])
            #expect(try ropc.json.claims("id_token")["oid"] == claims["oid"])
        }
    }

    @Test("sign-up with a user name: its rule, and a name that is taken")
    func signUp() async throws {
        try await withScene {
            $0.change {
                $0.identifier = .userName
                $0.attributes = [.init("displayName"), .init("email", isRequired: true)]
            }
            $0.add(1, userName: "gus")
        } _: { scene in
            let browser = scene.browser()
            let signIn = try await browser.get(scene.authorize())
            let page = try await browser.get(scene.emulator.origin + signIn.link("createAccount"))
            var filled: [String: String?] = [
                "signInName": "g@us", "newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1",
                "email": "not one",
            ]
            let wrong = try await scene.submit(page, browser, filled)
            #expect(wrong.text.contains("id=\"signInName-error\" role=\"alert\">Only letters"))
            #expect(wrong.text.contains("id=\"email-error\" role=\"alert\">Please enter a valid email"))
            filled["signInName"] = "Gus"
            filled["email"] = "new@contoso.example"
            let taken = try await scene.submit(wrong, browser, filled)
            #expect(taken.alerts == ["This user name is taken. Please choose a different one."])
            filled["signInName"] = "hal.9"
            let claims = try await scene.idToken(try await scene.submit(taken, browser, filled))
            // Nobody gave a display name: the user name stands for it.
            #expect(claims["name"] == "hal.9" && claims["emails"] == ["new@contoso.example"])
            #expect(try scene.database.user(signInName: "HAL.9", .userName)?.email == "new@contoso.example")
        }
    }

    @Test("either of the two signs in")
    func either() async throws {
        try await withScene {
            $0.change { $0.identifier = .either }
            $0.add(1, email: "hal@contoso.example", userName: "hal")
        } _: { scene in
            for name in ["hal", "HAL@contoso.example"] {
                let redirect = try await scene.signIn(scene.browser(), as: name)
                #expect(try await scene.idToken(redirect)["emails"] == ["hal@contoso.example"], "\(name)")
            }
        }
    }

    private func withAttributes(_ body: (Scene) async throws -> Void) async throws {
        try await withScene {
            for policy in ["B2C_1_susi", "B2C_1_edit_profile"] {
                $0.change(policy) {
                    $0.attributes = [
                        .init("displayName", isRequired: true), .init("city"),
                        .init("extension_LoyaltyNumber", isRequired: true),
                        .init("extension_Plan", label: "Your plan", choices: ["Free", "Paid & <dear>"]),
                    ]
                }
            }
        } _: {
            try await body($0)
        }
    }

    @Test("what a policy collects becomes claims of both tokens, of the profile page and of user info")
    func attributes() async throws {
        try await withAttributes { scene in
            let browser = scene.browser()
            let signIn = try await browser.get(scene.authorize())
            var page = try await browser.get(scene.emulator.origin + signIn.link("createAccount"))
            #expect(!page.text.contains("id=\"givenName\""))
            #expect(page.text.contains(">City (optional)</label>") && page.text.contains(">Loyalty number</label>"))
            #expect(page.text.contains("<option value=\"Paid &amp; &lt;dear&gt;\">"))
            var filled: [String: String?] = [
                "email": "ida@contoso.example", "newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1",
                "displayName": "Ida", "extension_Plan": "Other",
            ]
            page = try await scene.submit(page, browser, filled)
            #expect(page.alerts == ["This information is required.", "Please choose one of the values."])
            filled["extension_LoyaltyNumber"] = "7"
            filled["extension_Plan"] = "Paid & <dear>"
            let tokens = try await scene.redeem(try await scene.submit(page, browser, filled).redirect["code"]).json
            for token in ["id_token", "access_token"] {
                let claims = try tokens.claims(token)
                #expect(claims["extension_LoyaltyNumber"] == "7" && claims["city"] == nil, "\(token)")
                #expect(claims["extension_Plan"] == "Paid & <dear>", "\(token)")
            }
            #expect(try tokens.claims("id_token")["given_name"] == nil)
            try await change(scene, browser, tokens)
        }
    }

    private func change(_ scene: Scene, _ browser: Browser, _ tokens: JSON) async throws {
        let profile = try await browser.get(scene.authorize("B2C_1_edit_profile"))
        #expect(try profile.form().fields["extension_LoyaltyNumber"] == "7")
        #expect(profile.text.contains("<option value=\"Paid &amp; &lt;dear&gt;\" selected>"))
        let done = try await scene.submit(profile, browser, ["city": "Kyoto", "extension_Plan": ""])
        let claims = try await scene.idToken(done, policy: "B2C_1_edit_profile")
        #expect(claims["city"] == "Kyoto" && claims["extension_Plan"] == nil)
        let info = try await scene.browser().get(
            "\(scene.tenant)/B2C_1_susi/openid/v2.0/userinfo",
            [("Authorization", "Bearer \(try #require(tokens["access_token"]?.string))")])
        #expect(try info.json["city"] == "Kyoto" && info.json["extension_LoyaltyNumber"] == "7")
    }

    @Test("an attribute never takes the place of a claim of the protocol")
    func protocolClaims() async throws {
        try await withScene {
            $0.add(1, email: "eve@contoso.example") {
                $0.attributes = ["oid": Scene.ana, "iss": "http://evil.example", "sub": Scene.ana, "tfp": "other"]
            }
        } _: { scene in
            let redirect = try await scene.signIn(scene.browser(), as: "eve@contoso.example")
            let tokens = try await scene.redeem(try redirect.redirect["code"]).json
            for token in ["id_token", "access_token"] {
                let claims = try tokens.claims(token)
                #expect(claims["oid"]?.string?.hasPrefix("e0e0") == true && claims["sub"] == claims["oid"])
                #expect(claims["tfp"] == "B2C_1_susi" && claims["iss"]?.string?.hasPrefix("http://localhost") == true)
            }
        }
    }
}
