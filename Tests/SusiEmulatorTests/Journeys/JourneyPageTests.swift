import SusiBase
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Pages of custom policies, by their forms alone.
@Suite("Journey pages", .timeLimit(.minutes(5))) struct JourneyPageTests {
    private static let signIn: @Sendable (CustomPolicyFolder) throws -> Void = { folder in
        try folder.add("SignIn", "SignIn", claims: ["displayName", "email", "authenticationSource=source", "newUser"])
    }

    private let answers = ["email": "ana@contoso.example", "password": "Passw0rd!"]

    private func claims(_ redirect: Received, _ fixture: EmulatorFixture, _ policy: String) async throws -> JSON {
        try await fixture.idToken(redirect, policy: policy)
    }

    @Test func signsInAndKeepsASession() async throws {
        try await withCustomPolicies(Self.signIn) { fixture, _ in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize("B2C_1A_SignIn")).expecting(200)
            for id in [
                "localAccountForm", "attributeList", "email", "password", "next", "createAccount", "SocialExchange",
            ] {
                #expect(page.text.contains("id=\"\(id)\""), "\(id)")
            }
            let wrong = try await browser.submit(page, ["email": "ana@contoso.example", "password": "no"])
            #expect(wrong.alerts == ["Your password is incorrect."])
            #expect(try wrong.form().fields["password"] == "")
            let redirect = try await browser.submit(wrong, answers)
            let claims = try await claims(redirect, fixture, "B2C_1A_SignIn")
            #expect(claims["sub"]?.string == EmulatorFixture.ana && claims["name"]?.string == "Ana Lima")
            #expect(claims["source"]?.string == "local" && claims["oid"] == nil && claims["given_name"] == nil)
            let silent = try await browser.get(fixture.authorize("B2C_1A_SignIn", ["prompt": "none"]))
            #expect(try silent.redirect["code"] != nil, "\(silent.location ?? silent.text)")
            let again = try await browser.get(fixture.authorize("B2C_1A_SignIn", ["prompt": "login"]))
            #expect(again.status == 200 && again.text.contains("id=\"next\""))
            let other = try await fixture.browser().get(fixture.authorize("B2C_1A_SignIn", ["prompt": "none"]))
            #expect(try other.redirect["error"] == "interaction_required")
        }
    }

    @Test func signsUpWithAVerifiedAddressAndEveryKindOfField() async throws {
        try await withCustomPolicies { folder in
            try folder.add("SignIn", "SignIn", claims: ["newUser", "color", "hobbies", "born", "country", "email"])
        } _: { fixture, _ in
            let browser = fixture.browser()
            let first = try await browser.get(fixture.authorize("B2C_1A_SignIn"))
            var page = try await browser.press("createAccount", first)
            #expect(page.text.contains("Name &lt;b&gt;") && !page.text.contains("Name <b>"))
            var fields = [
                "email": "dora@contoso.example", "newPassword": "Secret-99", "reenterPassword": "Secret-9",
                "displayName": "Dora", "color": "red", "hobbies:1": "go", "born_year": "1990", "born_month": "05",
                "born_day": "17", "country": "PE",
            ]
            page = try await browser.press("email_ver_but_send", page, fields)
            #expect(page.text.contains("id=\"email_ver_input\""))
            let wrong = try await browser.press("email_ver_but_verify", page, ["susi:code": try fixture.wrongCode()])
            #expect(wrong.alerts == ["That code is incorrect. Please try again."])
            let code = try fixture.code(to: "dora@contoso.example", for: .verifyEmail)
            page = try await browser.press("email_ver_but_verify", wrong, ["susi:code": code])
            #expect(try page.form().fields["displayName"] == "Dora")
            let differ = try await browser.submit(page, fields)
            #expect(differ.alerts.first?.hasPrefix("The password entry fields do not match.") == true)
            fields["reenterPassword"] = "Secret-99"
            let redirect = try await browser.submit(differ, fields)
            let claims = try await claims(redirect, fixture, "B2C_1A_SignIn")
            #expect(claims["newUser"]?.boolean == true && claims["color"]?.string == "red")
            #expect(claims["hobbies"] == ["go"] && claims["born"]?.string == "1990-05-17" && claims["country"] == "PE")
            let user = try #require(try fixture.database.user(email: "dora@contoso.example"))
            #expect(user.attributes["city"] == "red")
            #expect(try fixture.database.isPassword("Secret-99", of: user.objectID))
        }
    }

    @Test func neverStoresWhatAUserTypesInSecret() async throws {
        try await withCustomPolicies(Self.signIn) { fixture, _ in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize("B2C_1A_SignIn"))
            _ = try await browser.submit(page, ["email": "ana@contoso.example", "password": "A-secret-word"])
            let stored = try fixture.database.read { connection in
                try connection.rows("SELECT progress FROM transactions", []) { try $0.text(0) }
            }
            #expect(stored.count == 1 && stored[0].contains("ana@contoso.example"))
            #expect(!stored[0].contains("A-secret-word") && !stored[0].contains("key-secret"))
        }
    }

    @Test func findsAUserOfAProviderAgain() async throws {
        try await withCustomPolicies(Self.signIn) { fixture, _ in
            var subjects: [String?] = []
            for isNew in [true, false] {
                let browser = fixture.browser()
                let page = try await browser.get(fixture.authorize("B2C_1A_SignIn"))
                let provider = try await browser.press("SocialExchange", page)
                let retry = try await browser.submit(provider, ["email": "no address", "displayName": "Sam Poe"])
                #expect(retry.text.contains("email-error"))
                let redirect = try await browser.submit(retry, ["email": "sam@social.example"])
                let claims = try await claims(redirect, fixture, "B2C_1A_SignIn")
                #expect(claims["source"]?.string == "social" && claims["name"]?.string == "Sam Poe")
                #expect(claims["newUser"]?.boolean == (isNew ? true : nil))
                subjects.append(claims["sub"]?.string)
            }
            #expect(subjects[0] == subjects[1] && subjects[0] != nil)
            let browser = fixture.browser()
            let provider = try await browser.press(
                "SocialExchange", try await browser.get(fixture.authorize("B2C_1A_SignIn")))
            let cancelled = try await browser.submit(provider, ["cancel": "1"])
            #expect(try cancelled.redirect["error_description"]?.hasPrefix("AADB2C90273") == true)
        }
    }

    @Test func showsTheCurrentPageForAStaleFormAndCountsASubmitOnce() async throws {
        try await withCustomPolicies(Self.signIn) { fixture, _ in
            let browser = fixture.browser()
            let first = try await browser.get(fixture.authorize("B2C_1A_SignIn"))
            let second = try await browser.press("createAccount", first)
            let stale = try await browser.submit(first, answers)
            #expect(try stale.form().fields["susi:page"] == second.form().fields["susi:page"])
            #expect(stale.text.contains("id=\"newPassword\""))
            let foreign = try await fixture.browser().submit(second, [:])
            #expect(foreign.status == 403)
            let cancelled = try await browser.press("cancel", second)
            #expect(try cancelled.redirect["error_description"]?.hasPrefix("AADB2C90091") == true)
            #expect(try await browser.press("cancel", second).text.contains("expired"))
            // A page of user flows would leave the journey out.
            let (action, fields) = try first.form()
            let around = action.replacing("/page/journey", with: "/page/sign-in")
            #expect(try await browser.post(around, fields.merging(answers) { $1 }).status == 404)
        }
    }

    @Test func resetsAPasswordAfterADisplayControl() async throws {
        try await withCustomPolicies {
            try $0.add("PasswordReset", "Reset")
        } _: { fixture, _ in
            let browser = fixture.browser()
            var page = try await browser.get(fixture.authorize("B2C_1A_PasswordReset"))
            #expect(!page.text.contains("id=\"code\""))
            let early = try await browser.submit(page, ["email": "ana@contoso.example"])
            #expect(early.text.contains("id=\"emailControl_error_message\""))
            page = try await browser.press("emailControl_but_send_code", early, ["email": "ana@contoso.example"])
            let code = try fixture.code(to: "ana@contoso.example", for: .verifyEmail)
            page = try await browser.press("emailControl_but_verify_code", page, ["code": code])
            page = try await browser.submit(page, [:])
            #expect(page.text.contains("id=\"newPassword\""), "\(page.text)")
            let weak = try await browser.submit(page, ["newPassword": "abc", "reenterPassword": "abc"])
            #expect(weak.alerts.count == 1)
            let done = try await browser.submit(weak, ["newPassword": "Secret-99", "reenterPassword": "Secret-99"])
            #expect(try await claims(done, fixture, "B2C_1A_PasswordReset")["sub"]?.string == EmulatorFixture.ana)
            #expect(try fixture.database.isPassword("Secret-99", of: EmulatorFixture.ana))
        }
    }

    @Test func enrolsAPhone() async throws {
        try await withCustomPolicies {
            try $0.add("Phone", "Phone", subject: "phone")
        } _: { fixture, _ in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize("B2C_1A_Phone"))
            let sent = try await browser.press("sendCode", page, ["number": "+1 425 555 0100"])
            let code = try fixture.code(to: "+14255550100", for: .secondFactor)
            let redirect = try await browser.press("verifyCode", sent, ["susi:code": code])
            #expect(try await claims(redirect, fixture, "B2C_1A_Phone")["sub"]?.string == "+14255550100")
        }
    }

    @Test func offersTheChoicesOfASelection() async throws {
        try await withCustomPolicies {
            try $0.add("Select", "Select")
        } _: { fixture, _ in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize("B2C_1A_Select"))
            #expect(page.text.contains("id=\"SocialExchange\"") && page.text.contains("id=\"SignUpPageExchange\""))
            #expect(try await browser.press("SignUpPageExchange", page).text.contains("id=\"displayName\""))
            let hinted = try await browser.get(fixture.authorize("B2C_1A_Select", ["domain_hint": "social.example"]))
            #expect(hinted.text.contains("id=\"claims\""))
        }
    }
}
