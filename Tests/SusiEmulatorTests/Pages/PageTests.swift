import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Pages", .inTurn, .timeLimit(.minutes(5)))
struct PageTests {
    @Test(
        "shows the same error for a wrong password and an unknown user; then signs in, ignoring the case of the address"
    )
    func showsSameErrorForUnknownUser() async throws {
        try await withFixture { fixture, browser in
            var page = try await browser.get(fixture.authorize())
            for (email, password) in [("ana@contoso.example", "wrong"), ("unknown@contoso.example", "Passw0rd!")] {
                page = try await browser.submit(page, ["signInName": email, "password": password])
                #expect(page.status == 200 && page.alerts == ["Your email address or your password is incorrect."])
                #expect(try page.form().fields["signInName"] == email)
                #expect(!page.text.contains("Passw0rd!"))
            }
            let filled = ["signInName": " ANA@contoso.example ", "password": "Passw0rd!"]
            #expect(try await browser.submit(page, filled).redirect["code"] != nil)
        }
    }

    @Test("shows errors at their fields, then creates an account that is new once")
    func createsAccount() async throws {
        try await withFixture { fixture, browser in
            let signIn = try await browser.get(fixture.authorize())
            var page = try await browser.get(signIn.link("createAccount"))
            var filled = [
                "email": "ana@contoso.example", "newPassword": "short", "reenterPassword": "short",
                "displayName": "", "givenName": "Dora", "surname": "Ek",
            ]
            page = try await browser.submit(page, filled)
            #expect(page.alerts.count == 2)
            #expect(
                page.text.contains(#/itemLevel show" id="newPassword-error" role="alert">The password must have 8/#))
            #expect(page.text.contains(#/<input id="newPassword"[^>]* autofocus/#))
            #expect(!page.text.contains(#/<input id="email"[^>]* autofocus/#))
            #expect(page.text.contains("aria-describedby=\"newPassword-hint newPassword-error\" aria-invalid"))
            filled["newPassword"] = "alllowercase"
            filled["displayName"] = "Dora Ek"
            page = try await browser.submit(page, filled)
            #expect(page.alerts.first?.contains("at least three of these") == true)
            filled["newPassword"] = "Good-enough-1"
            page = try await browser.submit(page, filled)
            #expect(page.alerts == ["The passwords do not match."])
            filled["reenterPassword"] = "Good-enough-1"
            page = try await browser.submit(page, filled)
            #expect(page.alerts == ["A user with this address already exists. Please choose a different one."])
            filled["email"] = "dora"
            page = try await browser.submit(page, filled)
            #expect(page.alerts == ["Please enter a valid email address."])
            filled["email"] = "dora@contoso.example"
            page = try await browser.submit(page, filled)
            let first = try await fixture.redeem(page.redirect["code"]).json
            #expect(try first.claims("id_token")["newUser"]?.boolean == true)
            #expect(try first.claims("id_token")["emails"] == ["dora@contoso.example"])
            let again = try await fixture.signIn(
                fixture.browser(), as: "dora@contoso.example", password: "Good-enough-1")
            let second = try await fixture.redeem(again.redirect["code"]).json
            #expect(try second.claims("id_token")["newUser"] == nil)
            #expect(try second.claims("id_token")["oid"] == first.claims("id_token")["oid"])
        }
    }

    @Test("edits the profile without a password; the next sign-in has the new name, a refresh the old one")
    func editsProfileWithSession() async throws {
        try await withFixture { fixture, browser in
            let signedIn = try await fixture.redeem(try await fixture.signIn(browser).redirect["code"]).json
            let page = try await browser.get(fixture.authorize("B2C_1_edit_profile"))
            #expect(try page.form().fields["displayName"] == "Ana Lima")
            let empty = try await browser.submit(page, ["displayName": " "])
            #expect(empty.alerts == ["This information is required."])
            let changed = ["displayName": "Ana Maria Lima", "givenName": "Ana Maria"]
            let done = try await browser.submit(empty, changed)
            let edited = try await fixture.redeem(done.redirect["code"], policy: "B2C_1_edit_profile").json
            #expect(try edited.claims("id_token")["tfp"] == "B2C_1_edit_profile")
            #expect(try edited.claims("id_token")["name"] == "Ana Maria Lima")
            let refreshed = try await fixture.refresh(signedIn["refresh_token"]?.string).json
            #expect(try refreshed.claims("id_token")["name"] == "Ana Lima")
            let silent = try await browser.get(fixture.authorize(["prompt": "none"]))
            let again = try await fixture.redeem(silent.redirect["code"]).json
            #expect(try again.claims("id_token")["name"] == "Ana Maria Lima")
            #expect(try again.claims("id_token")["given_name"] == "Ana Maria")
        }
    }

    @Test("demands no attribute that the user's seed lacks")
    func editsProfileOfSeedWithoutNames() async throws {
        try await withFixture({ ($0.users[0].givenName, $0.users[0].surname) = ("", "") }) { fixture, browser in
            let page = try await fixture.signIn(browser, policy: "B2C_1_edit_profile")
            let empty = try await browser.submit(page, ["displayName": " "])
            #expect(empty.alerts == ["This information is required."])
            let done = try await browser.submit(empty, ["displayName": "Ana M"])
            #expect(try done.redirect["code"] != nil, "\(done.text)")
        }
    }

    @Test("signs in before editing the profile without a session or with prompt=login")
    func signsInBeforeEditingProfile() async throws {
        try await withFixture { fixture, browser in
            let profile = try await fixture.signIn(browser, policy: "B2C_1_edit_profile")
            #expect(profile.text.contains("Edit your profile"))
            #expect(!(try await browser.get(fixture.authorize("B2C_1_edit_profile"))).text.contains("id=\"password\""))
            let login = try await browser.get(fixture.authorize("B2C_1_edit_profile", ["prompt": "login"]))
            #expect(login.text.contains("id=\"password\""))
            #expect(!login.text.contains("createAccount"))
            // The profile form requires a sign-in in its transaction.
            let anonymous = fixture.browser()
            let page = try await anonymous.get(fixture.authorize("B2C_1_edit_profile"))
            var (action, fields) = try page.form()
            action = action.replacing("sign-in", with: "profile")
            fields["displayName"] = "Unknown"
            #expect(try await anonymous.post(action, fields).status == 400)
        }
    }

    @Test("a policy for sign-ins only has no sign-up, and one for sign-ups only begins with the form")
    func offersOnlySignInOrSignUp() async throws {
        try await withFixture {
            for (name, offer) in [("B2C_1_signin", PolicySettings.Offer.signIn), ("B2C_1_signup", .signUp)] {
                $0.policies.append(Policy(name: PolicyName(name), kind: .signUpOrSignIn))
                $0.change(name) { ($0.offer, $0.identityProviders) = (offer, [.local, .social]) }
            }
        } _: { fixture in
            let browser = fixture.browser()
            let signIn = try await browser.get(fixture.authorize("B2C_1_signin"))
            #expect(signIn.text.contains("id=\"password\"") && !signIn.text.contains("createAccount"))
            let (action, fields) = try signIn.form()
            #expect(try await browser.post(action.replacing("sign-in", with: "sign-up"), fields).status == 400)
            #expect(try await fixture.signIn(browser, policy: "B2C_1_signin").redirect["code"] != nil)
            let silent = try await browser.get(fixture.authorize("B2C_1_signup", ["prompt": "none"])).redirect
            #expect(silent["error_description"]?.hasPrefix("AADB2C90077") == true)
            // Ana's session does not matter.
            let signUp = try await browser.get(fixture.authorize("B2C_1_signup"))
            #expect(signUp.text.contains("id=\"SocialExchange\"") && !signUp.text.contains("id=\"password\""))
            let other = try signUp.form().action.replacing("sign-up", with: "sign-in")
            #expect(try await browser.post(other, signUp.form().fields).status == 400)
            let new = [
                "email": "dora@contoso.example", "newPassword": "Good-enough-1", "reenterPassword": "Good-enough-1",
            ]
            let names = ["displayName": "Dora", "givenName": "D", "surname": "E"]
            let done = try await browser.submit(signUp, new.merging(names) { $1 })
            #expect(try await fixture.idToken(done, policy: "B2C_1_signup")["newUser"]?.boolean == true)
        }
    }

    @Test("resets the password; the old one no longer signs in")
    func resetsPassword() async throws {
        try await withFixture { fixture, browser in
            let address = try await browser.get(fixture.authorize("B2C_1_reset"))
            #expect(address.text.contains("The emulator skips this step"))
            let unknown = try await browser.submit(address, ["email": "unknown@contoso.example"])
            #expect(unknown.alerts == ["An account could not be found for the provided address."])
            let password = try await browser.submit(unknown, ["email": "ana@contoso.example"])
            let new = ["newPassword": "Brand-new-1", "reenterPassword": "Brand-new-1"]
            let done = try await browser.submit(password, new)
            let tokens = try await fixture.redeem(done.redirect["code"], policy: "B2C_1_reset").json
            #expect(try tokens.claims("id_token")["tfp"] == "B2C_1_reset")
            #expect(try await fixture.signIn(fixture.browser()).status == 200)
            #expect(try await fixture.signIn(fixture.browser(), password: "Brand-new-1").redirect["code"] != nil)
        }
    }

    // The IDs on the sign-in page of a policy, on the page behind “Sign up now”, and on the one after it.
    private static let elements: [(policy: String, [String], [String], [String])] = {
        let signIn = [
            "api", "localAccountForm", "password", "rememberMe", "next", "forgotPassword", "createAccount", "cancel",
        ]
        let control = ["send_code", "verify_code", "send_new_code", "change_claims"].map {
            "emailVerificationControl_but_\($0)"
        }
        return [
            ("B2C_1_susi", signIn + ["email"], [control[0]], ["emailVerificationCode"] + control.dropFirst()),
            (
                "B2C_1A_susi", signIn + ["signInName"], ["email_ver_but_send"],
                ["email_ver_input", "email_ver_but_verify", "email_ver_but_resend", "email_ver_but_edit"]
            ),
            ("B2C_1_names", ["logonIdentifier"], ["newPassword", "reenterPassword", "displayName", "continue"], []),
        ]
    }()

    @Test("has the element IDs of each service and the attributes for password managers")
    func hasIDsOfService() async throws {
        var tenant = try tenantOfTests()
        for name in ["B2C_1A_susi", "B2C_1_names"] {
            tenant.policies.append(Policy(name: PolicyName(name), kind: .signUpOrSignIn))
        }
        for name in ["B2C_1_susi", "B2C_1A_susi"] {
            tenant.change(name) { ($0.verifiesEmail, $0.session.keepSeconds) = (true, 60) }
        }
        tenant.change("B2C_1_names") { $0.identifier = .either }
        try await withFixture(tenants: [tenant, Kinds.entra]) { fixture in
            let browser = fixture.browser()
            for (policy, first, second, third) in Self.elements {
                let page = try await browser.get(fixture.authorize(policy))
                expect(page, has: first)
                let labels = page.text.matches(of: #/<label[^>]*>([^<]*)<|aria-label="([^"]*)"/#)
                #expect(labels.filter { $0.0.lowercased().contains("password") }.count == 1, "\(policy)")
                let address = try await browser.get(page.link("createAccount"))
                expect(address, has: second + ["attributeVerification", "email", "cancel"])
                let code = try await browser.submit(address, ["email": "dora@contoso.example"])
                expect(code, has: third)
                let wrong = try await browser.submit(page, ["signInName": "x@y.example"])
                #expect(wrong.text.contains(#/class="[^"]*error pageLevel" id="claimVerificationServerError"/#))
            }
            let door = try await Door(fixture, "/tailspin.onmicrosoft.com/v2.0")
            let page = try await browser.get(try door.authorize("openid"))
            expect(page, has: ["i0116", "i0118", "idSIButton9"])
            #expect(page.text.contains(#/name="loginfmt"[^>]* autocomplete="username"/#))
            #expect(page.text.contains(#/name="passwd"[^>]* autocomplete="current-password"/#))
            #expect(page.text.contains(#/<input[^>]* type="submit"/#))
            #expect(page.text.matches(of: /<script/).count == 1)
        }
    }

    private func expect(_ page: Received, has ids: [String]) {
        for id in ids { #expect(page.text.split(separator: " id=\"\(id)\"").count == 2, "\(id)") }
    }

    @Test("caches the response to a form, not the page of a request")
    func allowsGoingBack() async throws {
        try await withFixture { fixture, browser in
            let page = try await browser.get(fixture.authorize())
            #expect(page.header("cache-control") == "no-store")
            let wrong = try await browser.submit(page, ["signInName": "a", "password": "b"])
            #expect(wrong.header("cache-control") == "private, no-cache")
            #expect(wrong.text.contains("<title>Error: Sign in</title>"))
            // The redirect to the application contains a code, so it must not be stored.
            let done = try await browser.submit(wrong, EmulatorFixture.answers)
            #expect(done.header("cache-control") == "no-store")
        }
    }
}
