import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Pages", .inTurn, .timeLimit(.minutes(5)))
struct PageTests {
    @Test(
        "shows the same error for a wrong password and an unknown user; then signs in, ignoring the case of the address"
    )
    func showsSameErrorForUnknownUser() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            var page = try await browser.get(fixture.authorize())
            for (email, password) in [("ana@contoso.example", "wrong"), ("unknown@contoso.example", "Passw0rd!")] {
                page = try await fixture.submit(page, browser, ["signInName": email, "password": password])
                #expect(page.status == 200 && page.alerts == ["Your email address or your password is incorrect."])
                #expect(try page.form().fields["signInName"] == email)
                #expect(!page.text.contains("Passw0rd!"))
            }
            let filled = ["signInName": " ANA@contoso.example ", "password": "Passw0rd!"]
            #expect(try await fixture.submit(page, browser, filled).redirect["code"] != nil)
        }
    }

    @Test("shows errors at their fields, then creates an account that is new once")
    func createsAccount() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let origin = fixture.emulator.origin
            let signIn = try await browser.get(fixture.authorize())
            var page = try await browser.get(origin + signIn.link("createAccount"))
            var filled = [
                "email": "ana@contoso.example", "newPassword": "short", "reenterPassword": "short",
                "displayName": "", "givenName": "Dora", "surname": "Ek",
            ]
            page = try await browser.submit(page, at: origin, filled)
            #expect(page.alerts.count == 2)
            #expect(page.text.contains("id=\"newPassword-error\" role=\"alert\">The password must have 8"))
            #expect(page.text.contains(#/<input id="newPassword"[^>]* autofocus/#))
            #expect(!page.text.contains(#/<input id="email"[^>]* autofocus/#))
            #expect(page.text.contains("aria-describedby=\"newPassword-hint newPassword-error\" aria-invalid"))
            filled["newPassword"] = "alllowercase"
            filled["displayName"] = "Dora Ek"
            page = try await browser.submit(page, at: origin, filled)
            #expect(page.alerts.first?.contains("at least three of these") == true)
            filled["newPassword"] = "Good-enough-1"
            page = try await browser.submit(page, at: origin, filled)
            #expect(page.alerts == ["The passwords do not match."])
            filled["reenterPassword"] = "Good-enough-1"
            page = try await browser.submit(page, at: origin, filled)
            #expect(page.alerts == ["A user with this address already exists. Please choose a different one."])
            filled["email"] = "dora"
            page = try await browser.submit(page, at: origin, filled)
            #expect(page.alerts == ["Please enter a valid email address."])
            filled["email"] = "dora@contoso.example"
            page = try await browser.submit(page, at: origin, filled)
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
        try await withFixture { fixture in
            let browser = fixture.browser()
            let signedIn = try await fixture.redeem(try await fixture.signIn(browser).redirect["code"]).json
            let page = try await browser.get(fixture.authorize("B2C_1_edit_profile"))
            #expect(try page.form().fields["displayName"] == "Ana Lima")
            let empty = try await fixture.submit(page, browser, ["displayName": " "])
            #expect(empty.alerts == ["This information is required."])
            let changed = ["displayName": "Ana Maria Lima", "givenName": "Ana Maria"]
            let done = try await fixture.submit(empty, browser, changed)
            let edited = try await fixture.redeem(done.redirect["code"], policy: "B2C_1_edit_profile").json
            #expect(try edited.claims("id_token")["tfp"] == "B2C_1_edit_profile")
            #expect(try edited.claims("id_token")["name"] == "Ana Maria Lima")
            let refreshed = try await fixture.refresh(signedIn["refresh_token"]?.string).json
            #expect(try refreshed.claims("id_token")["name"] == "Ana Lima")
            let silent = try await browser.get(fixture.authorize("B2C_1_susi", ["prompt": "none"]))
            let again = try await fixture.redeem(silent.redirect["code"]).json
            #expect(try again.claims("id_token")["name"] == "Ana Maria Lima")
            #expect(try again.claims("id_token")["given_name"] == "Ana Maria")
        }
    }

    @Test("signs in before editing the profile without a session or with prompt=login")
    func signsInBeforeEditingProfile() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
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
            #expect(try await anonymous.post(fixture.emulator.origin + action, fields).status == 400)
        }
    }

    @Test("resets the password; the old one no longer signs in")
    func resetsPassword() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let origin = fixture.emulator.origin
            let address = try await browser.get(fixture.authorize("B2C_1_reset"))
            #expect(address.text.contains("The emulator skips this step"))
            let unknown = try await browser.submit(address, at: origin, ["email": "unknown@contoso.example"])
            #expect(unknown.alerts == ["An account could not be found for the provided address."])
            let password = try await browser.submit(unknown, at: origin, ["email": "ana@contoso.example"])
            let new = ["newPassword": "Brand-new-1", "reenterPassword": "Brand-new-1"]
            let done = try await browser.submit(password, at: origin, new)
            let tokens = try await fixture.redeem(done.redirect["code"], policy: "B2C_1_reset").json
            #expect(try tokens.claims("id_token")["tfp"] == "B2C_1_reset")
            #expect(try await fixture.signIn(fixture.browser()).status == 200)
            #expect(try await fixture.signIn(fixture.browser(), password: "Brand-new-1").redirect["code"] != nil)
        }
    }

    @Test("has the element IDs of B2C and the attributes for password managers")
    func hasIDsOfB2C() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            for id in ["signInName", "password", "next", "forgotPassword", "createAccount", "cancel"] {
                #expect(page.text.contains("id=\"\(id)\""), "\(id)")
            }
            #expect(page.text.contains("autocomplete=\"username\""))
            #expect(page.text.contains("autocomplete=\"current-password\""))
            let signUp = try await browser.get(fixture.emulator.origin + page.link("createAccount"))
            for id in ["email", "newPassword", "reenterPassword", "displayName", "givenName", "surname", "continue"] {
                #expect(signUp.text.contains("id=\"\(id)\" "), "\(id)")
                #expect(id == "continue" || signUp.text.contains("<label for=\"\(id)\">"), "\(id)")
            }
            #expect(page.text.matches(of: /<script/).count == 1)
        }
    }

    @Test("caches the response to a form, not the page of a request")
    func allowsGoingBack() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            #expect(page.header("cache-control") == "no-store")
            let wrong = try await fixture.submit(page, browser, ["signInName": "a", "password": "b"])
            #expect(wrong.header("cache-control") == "private, no-cache")
            #expect(wrong.text.contains("<title>Error: Sign in</title>"))
            // The redirect to the application contains a code, so it must not be stored.
            let done = try await fixture.submit(
                wrong, browser, ["signInName": "ana@contoso.example", "password": "Passw0rd!"])
            #expect(done.header("cache-control") == "no-store")
        }
    }
}
