import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Ana of contoso is a guest of trey.
@Suite("Guests of a workforce tenant", .inTurn, .timeLimit(.minutes(5)))
struct GuestTests {
    private static let trey = "/trey.onmicrosoft.com/v2.0"
    private static let contoso = "/contoso.onmicrosoft.com/v2.0"
    private static let page = "http://localhost:8401"
    private static let guest = "9a9a9a9a-0000-4000-8000-000000000009"
    private let contosoID = derivedGUID("contoso.onmicrosoft.com")
    private let treyID = derivedGUID("trey.onmicrosoft.com")

    private var tenants: [TenantConfiguration] {
        var home = Kinds.entra
        home.applications[0].redirectAddresses.append(Self.page + "/")
        home.applications[0].redirectTypes = ["http://localhost:8400/": .native, Self.page + "/": .spa]
        (home.name, home.id) = ("contoso.onmicrosoft.com", contosoID)
        var other = home
        (other.name, other.id) = ("trey.onmicrosoft.com", treyID)
        other.users = [
            User(
                objectID: Self.guest, email: "ana@contoso.example", displayName: "Ana of Contoso",
                identityProvider: contosoID)
        ]
        return [home, other]
    }

    private func info(_ tokens: JSON) throws -> JSON {
        try JSON(parsing: try #require(Base64URL.decode(tokens["client_info"]?.string ?? "")))
    }

    @Test("a guest signs in with the password of the home tenant and has another object ID")
    func signsInGuest() async throws {
        try await withFixture(tenants: tenants) { fixture in
            let door = try await Door(fixture, Self.trey)
            let tokens = try await door.tokens("openid profile User.Read", [:], ["client_info": "1"])
            let claims = try await door.verified(tokens["id_token"])
            #expect(claims["oid"] == .string(Self.guest) && claims["tid"] == .string(treyID))
            #expect(claims["idp"] == .string("https://sts.windows.net/\(contosoID)/"))
            #expect(claims["preferred_username"] == "ana@contoso.example")
            let home = try info(tokens)
            #expect(home["uid"] == .string(User.standard[0].objectID) && home["utid"] == .string(contosoID))
            let me = try await fixture.call("/v1.0/me", tokens["access_token"])
            #expect(try me.json["userPrincipalName"] == "ana_contoso.example#EXT#@trey.onmicrosoft.com")
            let wrong = try await door.token([
                "grant_type": "password", "username": "ana@contoso.example", "password": "no", "scope": "openid",
            ])
            #expect(try wrong.json["error_codes"] == [.integer(50_126)])
        }
    }

    @Test("at an address for many tenants everyone signs in at home")
    func signsInAtHome() async throws {
        try await withFixture(tenants: tenants) { fixture in
            let door = try await Door(fixture, "/common/v2.0")
            let claims = try await door.verified(try await door.tokens("openid")["id_token"])
            #expect(claims["tid"] == .string(contosoID) && claims["idp"] == nil)
        }
        try await withFixture(tenants: tenants.reversed()) { fixture in
            let door = try await Door(fixture, "/common/v2.0")
            let response = try await door.signIn(fixture.browser(), "openid").redirect
            #expect(response["error_description"]?.hasPrefix("AADSTS50020: ") == true, "\(response)")
        }
    }

    @Test("a tenant accepts the refresh token that another tenant issued to its guest")
    func acceptsRefreshTokenOfHomeTenant() async throws {
        try await withFixture(tenants: tenants) { fixture in
            let door = try await Door(fixture, Self.trey)
            let fields = ["scope": "openid offline_access User.Read", "client_info": "1"]
            for path in ["/common/v2.0", Self.contoso] {
                let home = try await Door(fixture, path)
                let first = try await home.tokens("openid offline_access User.Read")
                let there = try await door.refresh(first, fields).json
                let claims = try await door.verified(there["id_token"])
                #expect(claims["oid"] == .string(Self.guest) && claims["tid"] == .string(treyID))
                #expect(claims["nonce"] == nil)
                #expect(try info(there)["uid"] == .string(User.standard[0].objectID))
                // Neither token replaces the other, and that of the guest serves the home tenant.
                #expect(try await home.refresh(first).status == 200)
                #expect(try await door.refresh(there).status == 200)
                let back = try await home.refresh(there, fields).json
                #expect(try await home.verified(back["id_token"])["oid"] == .string(User.standard[0].objectID))
                // It is of the same type, and ends with the sign-in at home: that of a page after a day.
                let (address, origin) = (["redirect_uri": Self.page + "/"], [("Origin", Self.page)])
                let redirect = try await home.signIn(fixture.browser(), "openid offline_access", address)
                let page = try await home.redeem(redirect, address, origin).json
                let guest = try await door.refresh(page, fields, origin).json
                #expect(try await door.refresh(guest).text.contains("AADSTS9002327"))
                fixture.emulator.clock.advance(by: 86_400)
                #expect(try await door.refresh(guest, [:], origin).status == 400)
            }
        }
    }

    @Test("a tenant refuses the refresh token that another tenant issued to another client")
    func refusesRefreshTokenOfOtherClient() async throws {
        let other = "44444444-4444-4444-8444-444444444444"
        let registered = tenants.map { tenant in
            var tenant = tenant
            tenant.register(other)
            return tenant
        }
        try await withFixture(tenants: registered) { fixture in
            let home = try await Door(fixture, Self.contoso)
            let door = try await Door(fixture, Self.trey)
            let first = try await home.tokens("openid offline_access User.Read")
            let refused = try await door.refresh(first, ["client_id": other])
            let atHome = try await home.refresh(first, ["client_id": other])
            #expect(refused.status == 400 && atHome.status == 400, "\(refused.text)")
            #expect(try refused.json["error_codes"] == atHome.json["error_codes"], "\(refused.text)")
            #expect(try refused.json["error"] == "invalid_grant" && refused.json["access_token"] == nil)
            #expect(try await door.refresh(first).status == 200)
        }
    }

    @Test("a guest who is blocked in the inviting tenant gets tokens at home only")
    func refusesBlockedGuest() async throws {
        try await withFixture(tenants: tenants) { fixture in
            let password = { (door: Door) in
                try await door.token([
                    "grant_type": "password", "username": "ana@contoso.example", "password": "Passw0rd!",
                    "scope": "openid offline_access User.Read",
                ])
            }
            let home = try await Door(fixture, Self.contoso)
            let door = try await Door(fixture, Self.trey)
            let first = try await password(door).expecting(200)
            let inviting = try #require(fixture.emulator.site.tenants.first { $0.configuration.id == treyID })
            try inviting.database.change(Self.guest) { $0.isBlocked = true }
            let blocked = try await password(door).expecting(400)
            #expect(try blocked.json["error_codes"] == [.integer(50_057)], "\(blocked.text)")
            let page = try await door.signIn(fixture.browser(), "openid")
            #expect(page.text.contains("Your account has been locked"), "\(page.text)")
            #expect(try await door.refresh(first.json).status == 400)
            #expect(try await password(home).status == 200)
        }
    }

    @Test("a user who is no guest gets AADSTS50020, and keeps the refresh token")
    func refusesUserWithoutInvitation() async throws {
        try await withFixture(tenants: tenants) { fixture in
            let home = try await Door(fixture, Self.contoso)
            let door = try await Door(fixture, Self.trey)
            let first = try await home.tokens(as: "ben@contoso.example", "openid offline_access User.Read")
            let refused = try await door.refresh(first).expecting(400)
            #expect(try refused.json["error"] == "invalid_grant")
            #expect(try refused.json["error_codes"] == [.integer(50_020)])
            #expect(try await home.refresh(first).status == 200)
            let unknown = try await door.refresh(["refresh_token": "unknown"])
            #expect(try unknown.json["error_codes"] == [.integer(50_173)])
        }
    }

    @Test("a blocked account at home brings nothing in the other tenant")
    func refusesEndedAccountAtHome() async throws {
        try await withFixture(tenants: tenants) { fixture in
            let home = try await Door(fixture, Self.contoso)
            let door = try await Door(fixture, Self.trey)
            let first = try await home.tokens("openid offline_access User.Read")
            #expect(try await door.refresh(first).status == 200)
            try fixture.database.change(EmulatorFixture.ana) { $0.isBlocked = true }
            let refused = try await door.refresh(first)
            #expect(try refused.json["error_codes"] == [.integer(50_173)], "\(refused.text)")
            let page = try await door.signIn(fixture.browser(), "openid")
            #expect(page.text.contains("Your account has been locked"), "\(page.text)")
        }
    }
}
