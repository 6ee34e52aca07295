import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Users who are added, edited and deleted on the developer's page.
@Suite("User page", .inTurn, .timeLimit(.minutes(5)))
struct UserPageTests {
    private static let tenant = "tenant=contoso.onmicrosoft.com"
    private static let ben = "b0b0b0b0-0000-4000-8000-000000000002"

    @Test("adds a user who signs in, edits and deletes the user")
    func addsEditsAndDeletesUser() async throws {
        try await withFixture { fixture in
            let (browser, origin) = (fixture.browser(), fixture.emulator.origin)
            let start = try await browser.get("/")
            let empty = try await browser.get(start.link("add-user"))
            #expect(empty.status == 200 && empty.text.contains("<title>Add a user</title>"))
            let added = try await browser.submit(empty, ["email": " dora@contoso.example ", "displayName": "Dora Ek"])
            #expect(added.status == 303 && added.location == "/?\(Self.tenant)#users", "\(added.text)")
            let dora = try #require(try fixture.database.user(email: "dora@contoso.example"))
            let token = try await fixture.idToken(
                try await fixture.signIn(fixture.browser(), as: "dora@contoso.example"))
            #expect(token["name"]?.string == "Dora Ek")

            let address = "\(origin)/user?\(Self.tenant)&id=\(dora.objectID)"
            let page = try await browser.get(address)
            #expect(try page.form().fields["displayName"] == "Dora Ek")
            let changed = [
                "displayName": "Dora Maria Ek", "userName": "dora", "password": "Other-pass-1", "isBlocked": "true",
            ]
            #expect(try await browser.submit(page, changed).status == 303)
            let edited = try #require(try fixture.database.user(objectID: dora.objectID))
            #expect(edited.displayName == "Dora Maria Ek" && edited.userName == "dora" && edited.isBlocked)
            #expect(edited.email == "dora@contoso.example")
            #expect(try fixture.database.isPassword("Other-pass-1", of: dora.objectID))
            // An emptied field is removed; an empty password keeps the old one.
            let again = try await browser.get(address)
            #expect(try await browser.submit(again, ["userName": "", "isBlocked": nil]).status == 303)
            let cleared = try #require(try fixture.database.user(objectID: dora.objectID))
            #expect(cleared.userName == nil && !cleared.isBlocked)
            #expect(try fixture.database.isPassword("Other-pass-1", of: dora.objectID))

            let last = try await browser.get(address)
            #expect(try await browser.submit(last, ["delete": "1"]).status == 303)
            #expect(try fixture.database.user(objectID: dora.objectID) == nil)
            #expect(try await browser.get(address).status == 404)
        }
    }

    @Test("shows mistakes and keeps what was typed")
    func showsMistakes() async throws {
        try await withFixture { fixture, browser in
            for (filled, status, reason) in [
                (["email": "", "displayName": "Unknown"], 400, "email"), (["email": "no address"], 400, "email"),
                (["email": "ben@contoso.example"], 409, "already"),
            ] {
                let page = try await browser.get("/user?\(Self.tenant)")
                let wrong = try await browser.submit(page, filled.merging(["surname": "<b>"]) { $1 })
                #expect(wrong.status == status && wrong.text.contains("<title>Error: Add a user</title>"))
                #expect(wrong.alerts.first?.contains(reason) == true, "\(wrong.alerts)")
                #expect(try wrong.form().fields["surname"] == "<b>" && wrong.form().fields["email"] == filled["email"])
                #expect(try fixture.database.users(matching: "", limit: 10).count == 3)
            }
        }
    }

    @Test("shows until when a user is locked, and unlocks the user")
    func unlocksUser() async throws {
        try await withFixture({ $0.change { $0.lockoutFailures = 1 } }) { fixture in
            let (browser, origin) = (fixture.browser(), fixture.emulator.origin)
            let address = "\(origin)/user?\(Self.tenant)&id=\(Self.ben)"
            #expect(!(try await browser.get(address).text.contains("id=\"unlock\"")))
            _ = try await fixture.signIn(fixture.browser(), as: "ben@contoso.example", password: "wrong")
            let end = timestamp(EmulatorFixture.start + 60)
            #expect(try await browser.get("/").text.contains("locked until \(end)"))
            let page = try await browser.get(address)
            #expect(page.text.contains("Locked until <code>\(end)</code>") && page.text.contains("id=\"unlock\""))
            // A form of another page does not unlock.
            #expect(try await browser.post(address, ["unlock": "1"]).status == 403)
            #expect(try await fixture.signIn(fixture.browser(), as: "ben@contoso.example").location == nil)
            let done = try await browser.submit(page, ["unlock": "1"])
            #expect(done.status == 303 && done.location == "/?\(Self.tenant)#users", "\(done.text)")
            let ben = try #require(try fixture.database.user(objectID: Self.ben))
            #expect(ben.displayName == "Ben Okoro" && ben.email == "ben@contoso.example")
            #expect(!(try await browser.get("/").text.contains("locked until")))
            let signedIn = try await fixture.signIn(fixture.browser(), as: "ben@contoso.example")
            #expect(try signedIn.redirect["code"] != nil)
        }
    }

    @Test("refuses a form of another page or without its cookie")
    func refusesForgedForm() async throws {
        try await withFixture { fixture in
            let origin = fixture.emulator.origin
            let address = "\(origin)/user?\(Self.tenant)&id=\(Self.ben)"
            let page = try await fixture.browser().get(address)
            var fields = try page.form().fields
            fields["displayName"] = "Mallory"
            #expect(try await fixture.browser().post(address, fields).status == 403)
            let own = fixture.browser()
            _ = try await own.get(address)
            #expect(try await own.post(address, fields).status == 403)
            fields["csrf"] = nil
            #expect(try await own.post(address, fields).status == 403)
            // A page of another port of this machine, which shares the cookies.
            let form = try await own.get(address).form()
            for site in ["same-site", "cross-site"] {
                try await own.post(
                    address, form.fields.merging(["displayName": "Mallory"]) { $1 }, [("Sec-Fetch-Site", site)]
                ).expecting(403)
            }
            #expect(try fixture.database.user(objectID: Self.ben)?.displayName == "Ben Okoro")
        }
    }
}
