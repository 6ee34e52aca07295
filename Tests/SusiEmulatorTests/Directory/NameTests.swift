import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// The sign-in names of local accounts and the attributes that policies collect.
@Suite("Account names and attributes", .inTurn, .timeLimit(.minutes(5)))
struct NameTests {
    @Test("signs in with user names on the page and in ROPC; tokens have emails only if collected")
    func signsInWithUserName() async throws {
        try await withFixture {
            $0.change { $0.identifier = .userName }
            $0.addPasswordPolicy()
            $0.add(1, userName: "gus")
        } _: { fixture, browser in
            let page = try await browser.get(fixture.authorize())
            #expect(page.text.contains(">User name</label>") && page.text.contains("type=\"text\""))
            let email = try await browser.submit(page, EmulatorFixture.answers)
            #expect(email.alerts == ["Your user name or your password is incorrect."])
            let claims = try await fixture.idToken(
                try await browser.submit(page, ["signInName": "GUS", "password": "Passw0rd!"]))
            #expect(claims["emails"] == nil && claims["name"] == "Person 1" && claims["given_name"] == nil)
            #expect(try await fixture.password("gus").json.claims("id_token")["oid"] == claims["oid"])
        }
    }

    @Test("signs up with a user name, and refuses an invalid or taken one")
    func signsUpWithUserName() async throws {
        try await withFixture {
            $0.change {
                $0.identifier = .userName
                $0.attributes = [.init("displayName"), .init("email", isRequired: true)]
            }
            $0.add(1, userName: "gus")
        } _: { fixture, browser in
            let signIn = try await browser.get(fixture.authorize())
            let page = try await browser.get(signIn.link("createAccount"))
            var filled: [String: String?] = [
                "signInName": "g@us", "newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1",
                "email": "not one",
            ]
            let wrong = try await browser.submit(page, filled)
            #expect(wrong.text.contains("id=\"signInName-error\" role=\"alert\">Only letters"))
            #expect(wrong.text.contains("id=\"email-error\" role=\"alert\">Please enter a valid email"))
            filled["signInName"] = "Gus"
            filled["email"] = "new@contoso.example"
            let taken = try await browser.submit(wrong, filled)
            #expect(taken.alerts == ["This user name is taken. Please choose a different one."])
            filled["signInName"] = "hal.9"
            let claims = try await fixture.idToken(try await browser.submit(taken, filled))
            // Without a display name the user name is used.
            #expect(claims["name"] == "hal.9" && claims["emails"] == ["new@contoso.example"])
            #expect(try fixture.database.user(signInName: "HAL.9", .userName)?.email == "new@contoso.example")
        }
    }

    private func withAttributes(_ body: (EmulatorFixture) async throws -> Void) async throws {
        try await withFixture(
            {
                for policy in ["B2C_1_susi", "B2C_1_edit_profile"] {
                    $0.change(policy) {
                        $0.attributes = [
                            .init("displayName", isRequired: true), .init("city"),
                            .init("extension_LoyaltyNumber", isRequired: true),
                            .init("extension_Plan", label: "Your plan", choices: ["Free", "Paid & <dear>"]),
                        ]
                    }
                }
            }, body)
    }

    @Test("issues collected attributes as claims of both tokens, the profile page and user info")
    func issuesAttributesAsClaims() async throws {
        try await withAttributes { fixture in
            let browser = fixture.browser()
            let signIn = try await browser.get(fixture.authorize())
            var page = try await browser.get(signIn.link("createAccount"))
            #expect(!page.text.contains("id=\"givenName\""))
            #expect(page.text.contains(">City (optional)</label>") && page.text.contains(">Loyalty number</label>"))
            #expect(page.text.contains("<option value=\"Paid &amp; &lt;dear&gt;\">"))
            var filled: [String: String?] = [
                "email": "ida@contoso.example", "newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1",
                "displayName": "Ida", "extension_Plan": "Other",
            ]
            page = try await browser.submit(page, filled)
            #expect(page.alerts == ["This information is required.", "Please choose one of the values."])
            filled["extension_LoyaltyNumber"] = "7"
            filled["extension_Plan"] = "Paid & <dear>"
            let tokens = try await fixture.redeem(try await browser.submit(page, filled).redirect["code"]).json
            for token in ["id_token", "access_token"] {
                let claims = try tokens.claims(token)
                #expect(claims["extension_LoyaltyNumber"] == "7" && claims["city"] == nil, "\(token)")
                #expect(claims["extension_Plan"] == "Paid & <dear>", "\(token)")
            }
            #expect(try tokens.claims("id_token")["given_name"] == nil)
            try await change(fixture, browser, tokens)
        }
    }

    private func change(_ fixture: EmulatorFixture, _ browser: Browser, _ tokens: JSON) async throws {
        let profile = try await browser.get(fixture.authorize("B2C_1_edit_profile"))
        #expect(try profile.form().fields["extension_LoyaltyNumber"] == "7")
        #expect(profile.text.contains("<option value=\"Paid &amp; &lt;dear&gt;\" selected>"))
        let done = try await browser.submit(profile, ["city": "Kyoto", "extension_Plan": ""])
        let claims = try await fixture.idToken(done, policy: "B2C_1_edit_profile")
        #expect(claims["city"] == "Kyoto" && claims["extension_Plan"] == nil)
        #expect(claims["extension_LoyaltyNumber"] == "7")
    }

    @Test("collects attributes of each type on the pages, keeps what was typed, and issues them with their types")
    func issuesTypedAttributes() async throws {
        try await withFixture {
            $0.attributeTypes = ["extension_isVip": .boolean, "extension_Level": .integer, "extension_Tags": .strings]
            for policy in ["B2C_1_susi", "B2C_1_edit_profile"] {
                $0.change(policy) {
                    $0.attributes = [
                        .init("extension_isVip"), .init("extension_Level", isRequired: true),
                        .init("extension_Tags", choices: ["a", "b"]),
                    ]
                }
            }
            $0.change("B2C_1_edit_profile") { $0.attributes?.append(.init("extension_Old")) }
        } _: { fixture, browser in
            let signIn = try await browser.get(fixture.authorize())
            let page = try await browser.get(signIn.link("createAccount"))
            var filled: [String: String?] = [
                "email": "ida@contoso.example", "newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1",
                "extension_isVip": "true", "extension_Level": "2147483648", "extension_Tags": "a, c",
            ]
            let wrong = try await browser.submit(page, filled)
            #expect(wrong.alerts == ["Please enter a whole number.", "Please choose one of the values."])
            #expect(try wrong.form().fields["extension_isVip"] == "true")
            #expect(try wrong.form().fields["extension_Tags"] == "a, c")
            filled["extension_Level"] = "-7"
            filled["extension_Tags"] = " b,a ,"
            let tokens = try await fixture.redeem(try await browser.submit(page, filled).redirect["code"]).json
            for token in ["id_token", "access_token"] {
                let claims = try tokens.claims(token)
                #expect(claims["extension_isVip"] == .bool(true) && claims["extension_Level"] == -7, "\(claims)")
                #expect(claims["extension_Tags"] == ["b", "a"], "\(claims)")
            }
            try await unticks(fixture, browser, try #require(try tokens.claims("id_token")["oid"]?.string))
        }
    }

    private func unticks(_ fixture: EmulatorFixture, _ browser: Browser, _ objectID: String) async throws {
        // Without a declaration, an attribute keeps the type of its value.
        try fixture.database.change(objectID) {
            ($0.attributes["extension_Old"], $0.attributes["extension_Tags"]) = (.bool(true), ["a, b"])
        }
        let profile = try await browser.get(fixture.authorize("B2C_1_edit_profile"))
        #expect(try profile.form().fields["extension_Tags"] == "a, b")
        let done = try await browser.submit(profile, ["extension_isVip": nil])
        let claims = try await fixture.idToken(done, policy: "B2C_1_edit_profile")
        #expect(claims["extension_isVip"] == .bool(false) && claims["extension_Level"] == -7)
        #expect(claims["extension_Tags"] == ["a, b"] && claims["extension_Old"] == .bool(true))
    }

    @Test("has no claim for a name that a user does not have")
    func omitsMissingNames() {
        let claims = UserInfo.claims(of: User(objectID: "1", email: "a@b.example", displayName: "A"), ["profile"])
        #expect(Set(claims.keys) == ["sub", "name", "preferred_username"])
    }

    @Test("never replaces a claim of the protocol by an attribute")
    func protectsProtocolClaims() async throws {
        try await withFixture {
            $0.add(1, email: "eve@contoso.example") {
                $0.attributes = [
                    "oid": .string(EmulatorFixture.ana), "iss": "http://evil.example",
                    "sub": .string(EmulatorFixture.ana),
                    "tfp": "other",
                ]
            }
        } _: { fixture in
            let tokens = try await fixture.tokens(as: "eve@contoso.example")
            for token in ["id_token", "access_token"] {
                let claims = try tokens.claims(token)
                #expect(claims["oid"]?.string?.hasPrefix("e0e0") == true && claims["sub"] == claims["oid"])
                #expect(claims["tfp"] == "B2C_1_susi" && claims["iss"]?.string?.hasPrefix("http://localhost") == true)
            }
        }
    }
}
