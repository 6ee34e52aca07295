import SusiBase
import Testing

@testable import SusiJourneys

/// Whole journeys, from the first page to what the application gets.
@Suite struct JourneyTests {
    private typealias Fixture = JourneyFixture
    private let signIn = ["email": "ana@contoso.example", "password": "Secret-1"]

    @Test func hasAPolicyWithoutMistakes() throws {
        let text = try PolicyFixture.text("Flow").replacing("§journeys", with: Fixture.journey("Main", Fixture.signIn))
        let journeys = ["Refresh", "UserInfo"].map { Fixture.journey($0, [Fixture.send()]) }.joined()
        let whole = text.replacing("<UserJourneys>", with: "<UserJourneys>\(journeys)")
        let found = FolderCheck([PolicySource(path: "Flow.xml", content: Array(whole.utf8))]).findings
        #expect(found.filter { $0.severity == .error && $0.kind != "flow" }.map(\.text) == [])
    }

    @Test func signsInWithOnlyTheClaimsThatTheRelyingPartyLists() throws {
        var host = try Fixture.host(Fixture.signIn)
        host.facts.parameters["login_hint"] = "hint@contoso.example"
        let outcome = try host.run { page, _ in page.submit(signIn) }
        #expect(
            outcome?.claims == [
                "sub": "ana", "name": "Ana", "source": "local", "email": "ana@contoso.example", "copy": "Secret-1",
                "tid": "tenant-id",
            ])
        let page = try #require(host.pages.first)
        #expect(page.kind == .combined && page.contentDefinition == "api.signin")
        #expect(page.fields.map(\.claim) == ["email", "password"])
        #expect(page.fields.first?.value == "hint@contoso.example")
        #expect(page.buttons == [PageButton(id: "SocialExchange", label: "Social")])
        #expect(page.signUp?.id == "SignUpExchange")
        guard case .token(let issued) = outcome else { return }
        #expect(issued.subject == "ana" && issued.objectID == "ana" && issued.issuer["token_lifetime_secs"] == "900")
        #expect(issued.stored["email"] == .string("ana@contoso.example") && issued.stored["note"] == nil)
    }

    @Test func showsThePageAgainAfterAMistakeAndEndsAfterTooMany() throws {
        var host = try Fixture.host(Fixture.signIn)
        let outcome = try host.run { page, host in
            page.submit([
                "email": host.pages.count == 1 ? "unknown@contoso.example" : "ana@contoso.example", "password": "wrong",
            ])
        }
        #expect(outcome?.failure == "AADB2C90157")
        #expect(
            host.pages.map(\.message) == [
                nil, "We can't seem to find your account.", "Your password is incorrect.",
                "Your password is incorrect.",
            ])
        #expect(host.pages.last?.fields.map(\.value) == ["ana@contoso.example", ""])
    }

    @Test func signsUpWithAVerifiedAddress() throws {
        var host = try Fixture.host(Fixture.signIn)
        host.services["/level"] = .json(500, "")
        var fields = [
            "email": "new@contoso.example", "newPassword": "Secret-2", "reenterPassword": "Secret-2", "displayName": "",
        ]
        let outcome = try host.run { page, host in
            fields["verificationCode"] = host.lastCode
            switch host.pages.count {
            case 1: return page.act(.choose("signupexchange"))
            case 2: return page.submit(fields)
            case 3: return page.act(.sendCode("email"), fields)
            case 4: return page.act(.verifyCode("email"), ["email": "new@contoso.example", "verificationCode": "000"])
            case 5: return page.act(.verifyCode("email"), fields)
            case 6: return page.submit(fields.merging(["email": "other@contoso.example"]) { $1 })
            case 7: return page.act(.sendCode("email"), fields)
            case 8: return page.act(.verifyCode("email"), fields)
            case 9: return page.submit(fields.merging(["reenterPassword": "Secret-3"]) { $1 })
            default: return page.submit(fields)
            }
        }
        #expect(outcome?.claims?["sub"] == "user-2")
        #expect(outcome?.claims?["newUser"] == true)
        // An empty field is set: no default value takes its place.
        #expect(outcome?.claims?["name"] == "unknown" && outcome?.claims?["family_name"] == "Unknown")
        #expect(host.users["user-2"]?["password"] == "Secret-2")
        #expect(host.outbox.map(\.address) == ["new@contoso.example", "new@contoso.example"])
        #expect(
            host.pages.map(\.message) == [
                nil, nil, "Claim not verified: email", nil, "That code is incorrect. Please try again.", nil,
                "Claim not verified: email", nil, nil, Messages.defaults["error_passwordEntryMismatch"],
            ])
        #expect(host.pages[5].fields.first?.isFixed == true)
    }

    @Test func namesATakenAddressInTheLanguageOfThePage() throws {
        var host = try Fixture.host([Fixture.exchange("SignUpPage"), Fixture.send()])
        host.facts.language = "de-AT"
        let fields = ["email": "ana@contoso.example", "newPassword": "Secret-2", "reenterPassword": "Secret-2"]
        _ = try host.run { page, host in
            switch host.pages.count {
            case 1: page.act(.sendCode("email"), fields)
            case 2: page.act(.verifyCode("email"), fields.merging(["verificationCode": host.lastCode]) { $1 })
            case 3: page.submit(fields)
            default: nil
            }
        }
        #expect(host.pages.last?.message == "Den gibt es schon.")
        #expect(host.pages.last?.fields.first?.value == "ana@contoso.example")
    }

    @Test func editsAProfile() throws {
        var host = try Fixture.host([
            Fixture.combined(), Fixture.exchange("Read"), Fixture.exchange("ProfilePage"), Fixture.send(),
        ])
        host.services["/level"] = .json(409, #"{"status": 409, "userMessage": "Not this one."}"#)
        let outcome = try host.run { page, host in
            switch host.pages.count {
            case 1: page.submit(signIn)
            case 2: page.submit(["displayName": "", "surname": "Bad"])
            case 3: page.submit(["displayName": "Anna", "surname": "Bad"])
            default: page.submit(["displayName": "Anna", "surname": "Skip"])
            }
        }
        #expect(host.pages[1].fields.map(\.value) == ["Ana", ""])
        #expect(host.pages[2].fields.first?.error == "This information is required.")
        #expect(host.pages[3].message == "Not this one." && host.pages[3].fields.map(\.value) == ["Anna", "Bad"])
        #expect(outcome?.claims?["name"] == "Anna" && outcome?.claims?["family_name"] == "Skip")
        #expect(outcome?.claims?["newUser"] == false)
        #expect(host.users["ana"]?["surname"] == "Skip" && host.calls.count == 1)
        #expect(host.writes.map(\.attributes) == [["displayName": "Anna", "surname": "Skip"]])
    }

    @Test func runsASubJourneyWithTheSameClaims() throws {
        var host = try Fixture.host([Fixture.sub("Ask"), Fixture.send()])
        host.services["/level"] = .json(200, #"{"level": 3, "other": "x"}"#)
        let outcome = try host.run { _, _ in nil }
        #expect(outcome?.claims == ["level": .number(3), "note": "no page", "tid": "tenant-id"])
        #expect(host.trace.map(\.step) == ["1", "1.1", "1.1", "1.1", "1.2", "2"])
        #expect(try Fixture.run([Fixture.sub("Nested"), Fixture.send()])?.failure == "a sub journey calls another one")
        #expect(try Fixture.run([Fixture.sub("Leave"), Fixture.send()])?.failure == "E1")
        var transfer = try Fixture.host(
            [Fixture.sub("Ask"), Fixture.send()], replacing: [(#"Id="Ask" Type="Call""#, #"Id="Ask" Type="Transfer""#)])
        #expect(try transfer.run { _, _ in nil }?.failure == "AADB2C90040")
    }
}
