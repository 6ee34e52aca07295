import SusiBase
import Testing

@testable import SusiJourneys

/// What a session keeps, and what it skips.
@Suite struct SessionTests {
    private typealias Fixture = JourneyFixture
    private let signIn = ["email": "ana@contoso.example", "password": "Secret-1"]

    @Test func createsASocialAccountOnceAndKnowsItInTheSession() throws {
        var host = try Fixture.host(Fixture.signIn)
        let first = try host.run { page, _ in page.act(.choose("SocialExchange")) }
        #expect(
            first?.claims?["sub"] == "user-2" && first?.claims?["newUser"] == true && first?.claims?["name"] == "Sam")
        #expect(host.users["user-2"]?["alternativesecurityid"]?.string?.contains("social.example") == true)
        let again = try host.run { _, _ in nil }
        #expect(again?.claims?["sub"] == "user-2" && again?.claims?["newUser"] == nil && host.pages.count == 1)
        #expect(host.trace.contains { $0.text == "chosen: session" })
        host.provider = nil
        #expect(try host.run { _, _ in nil }?.failure == "AADB2C90273")
    }

    @Test func ignoresEntriesOfAnotherPerson() throws {
        var host = try Fixture.host([
            Fixture.select("Social"), Fixture.exchange("Social"), Fixture.exchange("CreateSocial"), Fixture.send(),
        ])
        host.session.claims["sm-local"] = ClaimsBag(["objectId": .string("ana")])
        host.session.claims["sm-phone"] = ClaimsBag(["phone": .string("+1")])
        #expect(try host.run { _, _ in nil }?.claims?["sub"] == "user-2")
        #expect(host.session.claims["sm-local"]?["objectId"] == .string("user-2"))
        #expect(host.session.claims["sm-phone"] == nil)
    }

    @Test func skipsProfilesInASession() throws {
        var host = try Fixture.host([Fixture.combined(), Fixture.exchange("Phone", unless: "phone"), Fixture.send()])
        let steps: ScriptedHost.Person = { page, host in
            switch (page.kind, page.fields.first?.verification) {
            case (.combined, _): page.submit(signIn)
            case (_, .open): page.act(.sendCode("number"), ["number": "+1 (425) 555-0100"])
            default: page.act(.verifyCode("number"), ["verificationCode": host.lastCode])
            }
        }
        let first = try host.run(.authorize, steps)
        #expect(first?.claims?["phone"] == "+14255550100" && first?.claims?["fromSession"] == nil)
        #expect(host.pages.count == 3)
        let again = try host.run { _, _ in nil }
        #expect(again?.claims?["phone"] == "+14255550100" && again?.claims?["fromSession"] == true)
        #expect(again?.claims?["sub"] == "ana" && again?.claims?["source"] == "local")
        host.session.claims["sm-other"] = ClaimsBag()
        #expect(try host.run { _, _ in nil }?.claims?["phone"] == "+14255550100")
        #expect(host.session.claims.keys.sorted() == ["sm-local", "sm-other", "sm-phone"])
        host.facts.parameters["prompt"] = "login"
        #expect(try host.run(.authorize, steps)?.claims?["fromSession"] == nil)
        #expect(host.pages.count == 6)
    }

    @Test(arguments: [("false", nil), ("true", .string("x"))] as [(String, ClaimValue?)])
    func storesNoSessionForValidationsThatStayOut(include: String, expected: ClaimValue?) throws {
        var host = try Fixture.host(
            [Fixture.combined(), Fixture.exchange("ProfilePage"), Fixture.send()],
            replacing: [("<IncludeInSso>false", "<IncludeInSso>\(include)")])
        _ = try host.run { page, _ in page.submit(page.kind == .combined ? signIn : ["displayName": "x"]) }
        #expect(host.session.claims["sm-update"]?["displayName"] == expected)
    }

    @Test func keepsNoCopyOfAPassword() throws {
        let persisted = #"<PersistedClaims><PersistedClaim ClaimTypeReferenceId="objectId" />"#
        let copy = #"<PersistedClaim ClaimTypeReferenceId="copy" /><PersistedClaim ClaimTypeReferenceId="email" />"#
        var host = try Fixture.host(Fixture.signIn, replacing: [(persisted, persisted + copy)])
        _ = try host.run { page, _ in page.submit(signIn) }
        #expect(host.session.claims["sm-local"]?.ids == ["authenticationsource", "email", "objectid"])
    }

    /// A combined step needs an entry that names a person; other entries skip only their own profiles.
    @Test func asksAgainWithoutAPersonInTheSession() throws {
        var host = try Fixture.host(Fixture.signIn)
        host.session.claims["sm-local"] = ClaimsBag(["authenticationSource": .string("local")])
        _ = try host.run { _, _ in nil }
        #expect(host.pages.first?.kind == .combined)
    }

    @Test func keepsClaimsThatAreSetBeforeTheSession() throws {
        var host = try Fixture.host(
            [Fixture.hint, Fixture.exchange("CreateSocial"), Fixture.send()],
            replacing: [
                (
                    #"<OutputClaim ClaimTypeReferenceId="email" /></OutputClaims></TechnicalProfile>"#,
                    #"<OutputClaim ClaimTypeReferenceId="email" /><OutputClaim ClaimTypeReferenceId="authenticationSource" DefaultValue="hint" /></OutputClaims></TechnicalProfile>"#
                )
            ])
        host.facts.parameters["id_token_hint"] = "hint"
        host.hint = .claims([:])
        host.session.claims["sm-local"] = ClaimsBag([
            "objectId": .string("ana"), "authenticationSource": .string("local"),
        ])
        let claims = try host.run { _, _ in nil }?.claims
        #expect(claims?["sub"] == "ana" && claims?["source"] == "hint" && claims?["fromSession"] == true)
    }
}
