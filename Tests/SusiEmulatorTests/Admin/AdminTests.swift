import Foundation
import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

@Suite("Admin API", .inTurn, .timeLimit(.minutes(5)))
struct AdminTests {
    @Test("requires the secret, which is in a private file of the folder")
    func requiresSecret() async throws {
        try await withFixture { fixture in
            let (secret, file) = (fixture.emulator.adminSecret, fixture.folder.appending("admin-secret").string)
            #expect(Base64URL.decode(secret)?.count == 32)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == secret)
            #expect(try FilePath(file).permissions() == 0o600)
            for wrong in [nil, "Bearer", "Bearer \(RandomBytes.text())", "Basic \(secret)", "Bearer \(secret)x"] {
                for path in ["/users", "/nothing", "/tokens"] {
                    let response = try await fixture.admin(.GET, path, authorization: wrong)
                    #expect(response.status == 401, "\(wrong ?? "-")")
                    #expect(response.header("www-authenticate") == "Bearer realm=\"admin\"")
                    #expect(response.header("content-type") == "application/problem+json")
                    #expect(try response.json["detail"]?.string?.contains(file) == true)
                }
            }
            #expect(!fixture.log.lines.joined().contains(secret))
        }
    }

    @Test("refuses pages of other origins and names of other machines")
    func refusesOtherOrigins() async throws {
        try await withFixture { fixture in
            let token = ("Authorization", "Bearer \(fixture.emulator.adminSecret)")
            let address = fixture.emulator.origin + "/admin/v1/users"
            let own = try await fixture.browser().send(
                .GET, address, [token, ("Origin", "http://localhost:8400")], nil
            ).expecting(200)
            let asked = [("Origin", "http://localhost:8400"), ("Access-Control-Request-Method", "GET")]
            let preflight = try await fixture.browser().send(.OPTIONS, address, asked + [token], nil).expecting(405)
            for response in [own, preflight] {
                #expect(!response.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
            }
            let rebound = try await fixture.browser().send(.GET, address, [token, ("Host", "evil.example")], nil)
                .expecting(400)
            #expect(try rebound.json["detail"]?.string?.contains("Host header") == true)
        }
    }

    @Test(
        "requires exactly one @ in an address",
        arguments: [
            ("a@b", true), ("a@\u{1f3fb}", true), ("a@\u{301}", true), ("a", false), ("a@b@c", false), ("@b", false),
        ])
    func requiresOneAtSign(address: String, isOne: Bool) {
        #expect(SchemaNode.Text.email.allows(address) == isOne)
    }

    @Test("reports what is invalid in a request")
    func reportsProblems() async throws {
        try await withFixture { fixture in
            let cases: [(HTTPMethod, String, JSON?, Int, String?)] = [
                (.GET, "/nothing", nil, 404, nil), (.PATCH, "/users", [:], 405, nil),
                (.GET, "/users?limit=0", nil, 400, "limit"), (.GET, "/users?limit=ten", nil, 400, "limit"),
                (.GET, "/users?colour=red", nil, 400, "colour"), (.GET, "/users?limit=1&limit=2", nil, 400, "limit"),
                (.GET, "/users?tenant=unknown", nil, 404, "tenant"), (.GET, "/users/unknown", nil, 404, nil),
                (.POST, "/users", ["email": "no address"], 400, "email"),
                (.POST, "/users", ["surname": "Alone"], 400, nil),
                (.POST, "/users", ["email": "x@y.example", "attributes": ["oid": "1"]], 400, "attributes"),
                (.PATCH, "/users/ana@contoso.example", ["attributes": ["tfp": "x"]], 400, "attributes"),
                (.PATCH, "/users/ana@contoso.example", ["attributes": ["roles": "x"]], 400, "attributes.roles"),
                (.PATCH, "/users/ana@contoso.example", ["objectId": "x"], 400, "objectId"),
                (.PATCH, "/users/ana@contoso.example", ["email": .null], 400, nil),
                (.PATCH, "/users/ana@contoso.example", ["phone": 5], 400, "phone"),
                (.POST, "/users", ["email": "x@y.example", "colour": "red"], 400, "colour"),
                (.POST, "/users", ["email": "ANA@contoso.example"], 409, nil),
                (.POST, "/clock/advance", [:], 400, nil),
                (.PUT, "/clock", ["now": 1, "offset": 2], 400, "offset"),
                (.POST, "/faults", ["endpoint": "token"], 400, "status"),
                (.POST, "/faults", ["endpoint": "token", "drop": "sometimes"], 400, "drop"),
                (.POST, "/faults", ["endpoint": "token", "status": ["code": 20]], 400, "status.code"),
                (.POST, "/faults", ["endpoint": "token", "status": ["code": 200]], 400, "status.body"),
                (.POST, "/faults", ["endpoint": "token", "status": ["code": 204, "body": "x"]], 400, "status.body"),
                (.DELETE, "/faults/7", nil, 404, nil), (.DELETE, "/faults/x", nil, 404, nil),
                (.POST, "/tokens", ["user": "unknown"], 404, "user"),
                (.POST, "/tokens", ["user": "ana@contoso.example", "flaws": ["withdrawnKey"]], 409, "flaws"),
                (.POST, "/tokens", ["user": "ana@contoso.example", "flaws": ["ugly"]], 400, "flaws.0"),
                (.POST, "/tokens?tenant=none", ["user": "ana@contoso.example"], 404, "tenant"),
                (.POST, "/users", ["a"], 400, nil), (.POST, "/reset", [:], 400, nil),
            ]
            for (method, path, body, status, field) in cases {
                let response = try await fixture.admin(method, path, body)
                #expect(response.status == status, "\(method) \(path) \(response.text)")
                let problem = try response.json
                #expect(problem["status"]?.integer == Int64(status) && problem["detail"]?.string?.isEmpty == false)
                #expect(problem["field"]?.string == field, "\(method) \(path) \(response.text)")
            }
            #expect(try await fixture.admin(.PATCH, "/users", [:]).header("allow") == "GET, POST")
            #expect(try await fixture.admin(.DELETE, "/keys/rotate").header("allow") == "POST")
            let token = ("Authorization", "Bearer \(fixture.emulator.adminSecret)")
            let address = fixture.emulator.origin + "/admin/v1/users"
            #expect(try await fixture.browser().send(.POST, address, [token], "{}").status == 415)
            let json = [token, ("Content-Type", "application/json; charset=utf-8")]
            #expect(try await fixture.browser().send(.POST, address, json, "{").status == 400)
            #expect(
                try await fixture.browser().send(.POST, address, json, String(repeating: " ", count: 70_000)).status
                    == 413)
        }
    }

    @Test("adds, changes, reads and removes a user")
    func managesUser() async throws {
        try await withFixture { fixture in
            let made = try await fixture.admin(
                .POST, "/users",
                [
                    "email": "eve@contoso.example", "password": "Secr3t-word", "surname": "Ng",
                    "attributes": ["city": "Rom"],
                ]
            ).expecting(201)
            let id = try #require(try made.json["objectId"]?.string)
            #expect(made.location == "/admin/v1/users/\(id)")
            #expect(try made.json["givenName"] == "" && made.json["displayName"] == "Ng")
            #expect(!made.text.contains("Secr3t"))
            let signedIn = try await fixture.signIn(
                fixture.browser(), as: "eve@contoso.example", password: "Secr3t-word")
            #expect(try signedIn.redirect["code"] != nil)

            let changed = try await fixture.administer(
                .PATCH, "/users/EVE@contoso.example",
                ["displayName": "Eve Ng", "userName": "eve", "attributes": ["city": .null, "vip": .bool(true)]])
            #expect(changed["objectId"] == .string(id) && changed["email"] == "eve@contoso.example")
            #expect(changed["displayName"] == "Eve Ng" && changed["attributes"] == ["vip": .bool(true)])
            #expect(try await fixture.administer(.GET, "/users/eve") == changed)
            #expect(try await fixture.administer(.PATCH, "/users/\(id)", ["email": .null])["email"] == nil)
            try await fixture.admin(.PATCH, "/users/\(id)", ["userName": .null]).expecting(400)
            #expect(try await fixture.admin(.PATCH, "/users/eve", ["email": "ana@contoso.example"]).status == 409)
            #expect(try await fixture.admin(.DELETE, "/users/\(id)").status == 204)
            #expect(try await fixture.admin(.GET, "/users/\(id)").status == 404)
            #expect(try await fixture.admin(.DELETE, "/users/\(id)").status == 404)
        }
    }

    @Test("sets a password, demands a new one, and blocks, locks and unlocks an account")
    func changesAccount() async throws {
        try await withFixture({ $0.change { $0.lockoutFailures = 1 } }) { fixture in
            let ana = "/users/ana@contoso.example"
            let changed = try await fixture.administer(
                .PATCH, ana, ["password": "An0ther-one", "mustResetPassword": .bool(true)])
            #expect(changed["mustResetPassword"] == .bool(true) && changed["lockedUntil"] == nil)
            let again = try await fixture.administer(.PATCH, ana, ["password": "An0ther-one"])
            #expect(again["mustResetPassword"] == .bool(false))
            // The old password is wrong now, and locks the account.
            #expect(try await fixture.signIn(fixture.browser()).status == 200)
            let end = EmulatorFixture.start + 60
            #expect(try await fixture.administer(.GET, ana)["lockedUntil"] == .integer(end))
            let other = try await fixture.administer(.PATCH, ana, ["displayName": "Ana"])
            #expect(other["lockedUntil"] == .integer(end))
            #expect(try await fixture.administer(.PATCH, ana, ["lockedUntil": .null])["lockedUntil"] == nil)
            let signedIn = try await fixture.signIn(fixture.browser(), password: "An0ther-one")
            #expect(try signedIn.redirect["code"] != nil)
            for key in ["lockedUntil", "isBlocked"] {
                let value: JSON = key == "isBlocked" ? .bool(true) : .integer(end)
                #expect(try await fixture.administer(.PATCH, ana, [key: value])[key] == value)
                #expect(try await fixture.signIn(fixture.browser(), password: "An0ther-one").location == nil)
                fixture.emulator.clock.advance(by: 60)
                #expect(try await fixture.administer(.GET, ana)["lockedUntil"] == nil)
            }
        }
    }

    @Test("lists users in pages and searches parts of names literally")
    func pagesAndSearchesUsers() async throws {
        try await withFixture { fixture in
            var next: String? = "/users?limit=2"
            var found: [String] = []
            while let path = next {
                let page = try await fixture.administer(.GET, path)
                #expect(page["users"]?.elements.count ?? 9 <= 2)
                found += page["users"]?.elements.compactMap { $0["email"]?.string } ?? []
                let base = fixture.emulator.origin + "/admin/v1"
                next = page["next"]?.string.map { String($0.dropFirst(base.count)) }
            }
            #expect(found == ["ana@contoso.example", "ben@contoso.example", "chi@contoso.example"])
            let first = try await fixture.administer(.GET, "/users?limit=1&search=okoro")
            #expect(first["users"]?.elements.count == 1 && first["next"] == nil)
            let two = try await fixture.administer(.GET, "/users?limit=1&search=o")["next"]?.string
            #expect(two?.contains("search=o") == true && two?.contains("limit=1") == true)
            let search = { (text: String) in
                try await fixture.administer(.GET, "/users?search=\(PercentEncoding.encode(text))")["users"]?.elements
                    .count
            }
            #expect(try await search("OKORO") == 1)
            #expect(try await search("contoso") == 3)
            #expect(try await search("%") == 0)
            #expect(try await search("_na") == 0)
            #expect(try await search("' OR 1=1 --") == 0)
        }
    }

    @Test("separates tenants and uses the first one by default")
    func separatesTenants() async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.entra]) { fixture in
            let tenants = try await fixture.administer(.GET, "/tenants")["tenants"]?.elements ?? []
            #expect(
                tenants.compactMap { $0["name"]?.string } == ["contoso.onmicrosoft.com", "tailspin.onmicrosoft.com"])
            for policy in tenants.flatMap({ $0["policies"]?.elements ?? [] }) {
                #expect(try await fixture.browser().get(try #require(policy["metadata"]?.string)).status == 200)
            }
            _ = try await fixture.administer(.POST, "/users?tenant=TAILSPIN.onmicrosoft.com", ["userName": "zoe"])
            #expect(try await fixture.admin(.GET, "/users/zoe?tenant=\(Kinds.entra.id)").status == 200)
            #expect(try await fixture.admin(.GET, "/users/zoe").status == 404)
        }
    }

    @Test("lists and ends sessions, and revokes the refresh tokens of a user")
    func endsSessionsAndGrants() async throws {
        try await withFixture { fixture in
            let (ana, ben) = (fixture.browser(), fixture.browser())
            let redirect = try await fixture.signIn(ana)
            _ = try await fixture.signIn(ben, as: "ben@contoso.example")
            let listed = try await fixture.administer(.GET, "/sessions")["sessions"]?.elements ?? []
            #expect(Set(listed.compactMap { $0["objectId"]?.string }).count == 2)
            #expect(!"\(listed)".contains(ana.cookies.values.first { $0.count > 20 } ?? "-"))
            let own =
                try await fixture.administer(.GET, "/sessions?user=ben@contoso.example")["sessions"]?.elements ?? []
            let id = try #require(own.first?["id"]?.string)
            #expect(try await fixture.admin(.DELETE, "/sessions/\(id)").status == 204)
            #expect(try await fixture.admin(.DELETE, "/sessions/\(id)").status == 404)
            #expect(try await ben.get(fixture.authorize()).status == 200)
            #expect(try await ana.get(fixture.authorize()).status == 303)
            let refresh = try await fixture.redeem(try redirect.redirect["code"]).json["refresh_token"]?.string
            let revoked = try await fixture.administer(.POST, "/users/ana@contoso.example/revoke")
            #expect(revoked == ["sessions": .integer(1), "grants": .integer(2)])
            try await endAll(fixture)
            #expect(try await fixture.refresh(refresh).json.code == 90_129)
            #expect(try await ana.get(fixture.authorize()).status == 200)
        }
    }

    // Ends the sessions of one user, then all sessions.
    private func endAll(_ fixture: EmulatorFixture) async throws {
        let (chi, ben) = (fixture.browser(), fixture.browser())
        _ = try await fixture.signIn(chi, as: "chi@contoso.example")
        _ = try await fixture.signIn(ben, as: "ben@contoso.example")
        #expect(try await fixture.admin(.DELETE, "/sessions?user=chi@contoso.example").status == 204)
        #expect(try await chi.get(fixture.authorize()).status == 200)
        #expect(try await ben.get(fixture.authorize()).status == 303)
        #expect(try await fixture.admin(.DELETE, "/sessions").status == 204)
        #expect(try await ben.get(fixture.authorize()).status == 200)
        #expect(try await fixture.administer(.GET, "/sessions")["sessions"] == [])
    }

    @Test("waits for a message, returns an existing one at once, and times out")
    func waitsForMessage() async throws {
        try await withFixture { fixture in
            let database = fixture.database
            let send = { (to: String) in
                try database.send("123456", to: to, by: .email, for: .verifyEmail, now: EmulatorFixture.start)
            }
            async let waiting = fixture.administer(.GET, "/outbox?to=Eve@contoso.example&wait=30")
            // Only the second message matches, whether it arrives before or after the request begins to wait.
            try send("ana@contoso.example")
            try send("eve@contoso.example")
            let found = try await waiting["messages"]?.elements ?? []
            #expect(found.map { $0["recipient"] } == ["eve@contoso.example"])
            #expect(found.first?["code"] == "123456" && found.first?["purpose"] == "verifyEmail")
            let id = try #require(found.first?["id"]?.integer)
            let all = try await fixture.administer(.GET, "/outbox?wait=30")["messages"]?.elements ?? []
            #expect(all.compactMap { $0["id"]?.integer } == [id, id - 1])
            #expect(try await fixture.administer(.GET, "/outbox?after=\(id)&wait=1")["messages"] == [])
            #expect(try await fixture.administer(.GET, "/outbox?purpose=resetPassword")["messages"] == [])
            #expect(try await fixture.administer(.GET, "/outbox?limit=1")["messages"]?.elements.count == 1)
            #expect(try await fixture.admin(.DELETE, "/outbox").status == 204)
            #expect(try await fixture.administer(.GET, "/outbox")["messages"] == [])
        }
    }

    @Test("reads, sets, moves, freezes and resumes the clock")
    func controlsClock() async throws {
        try await withFixture { fixture in
            let (clock, start) = (fixture.emulator.clock, EmulatorFixture.start)
            let state = { (now: Int64, offset: Int64) in
                JSON.object(["now": .integer(now), "frozen": .bool(false), "offset": .integer(offset)])
            }
            #expect(try await fixture.administer(.GET, "/clock") == state(start, 0))
            let moved = try await fixture.administer(.POST, "/clock/advance", ["seconds": .integer(3_600)])
            #expect(moved == state(start + 3_600, 3_600) && clock.now() == start + 3_600)
            _ = try await fixture.administer(.POST, "/clock/freeze", ["at": .integer(1_900_000_000)])
            #expect(clock.isFrozen && clock.now() == 1_900_000_000)
            _ = try await fixture.administer(.POST, "/clock/resume")
            #expect(!clock.isFrozen && clock.now() == 1_900_000_000)
            _ = try await fixture.administer(.POST, "/clock/freeze")
            #expect(clock.isFrozen)
            #expect(try await fixture.administer(.PUT, "/clock", ["offset": .integer(-5)]) == state(start - 5, -5))
            let both = try await fixture.administer(.PUT, "/clock", ["now": .integer(7), "frozen": .bool(true)])
            #expect(both["now"] == .integer(7) && both["frozen"] == .bool(true))
        }
    }

    @Test("filters requests and omits those of the admin API")
    func filtersRequests() async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.entra]) { fixture in
            _ = try await fixture.refresh("invented")
            _ = try await fixture.ask()
            let found = { (query: String) in
                try await fixture.administer(.GET, "/requests?\(query)")["requests"]?.elements ?? []
            }
            #expect(try await found("").compactMap { $0["status"]?.integer } == [200, 400])
            let refused = try await found(
                "code=aadb2c90129&client=\(EmulatorFixture.client)&policy=b2c_1_susi&status=400")
            #expect(refused.count == 1 && refused.first?["reason"]?.string?.contains("was not issued") == true)
            #expect(try await found("tenant=CONTOSO.onmicrosoft.com").count == 2)
            #expect(try await found("tenant=\(Kinds.entra.id)").isEmpty)
            #expect(try await found("status=500").isEmpty)
            #expect(try await found("after=1").count == 1)
            #expect(try await found("limit=1").count == 1)
            #expect(try await fixture.admin(.DELETE, "/requests").status == 204)
            #expect(try await found("").isEmpty)
        }
    }

    @Test("resets everything except the keys")
    func resetsAllButKeys() async throws {
        try await withFixture { fixture in
            let keys = try await fixture.administer(.GET, "/keys")
            let browser = fixture.browser()
            let refresh = try await fixture.redeem(try await fixture.signIn(browser).redirect["code"])
                .json["refresh_token"]?.string
            _ = try await fixture.administer(.PATCH, "/users/ana@contoso.example", ["displayName": "Somebody"])
            _ = try await fixture.administer(.DELETE, "/users/ben@contoso.example")
            _ = try await fixture.administer(.POST, "/faults", ["endpoint": "page", "drop": "response"])
            let database = fixture.database
            try database.send("123456", to: "x@y.example", by: .email, for: .verifyEmail, now: EmulatorFixture.start)
            fixture.emulator.clock.freeze(at: 7)
            #expect(try await fixture.admin(.POST, "/reset").status == 204)
            #expect(try await fixture.administer(.GET, "/requests")["requests"] == [])
            #expect(try await fixture.administer(.GET, "/outbox")["messages"] == [])
            #expect(try await fixture.administer(.GET, "/sessions")["sessions"] == [])
            let users = try await fixture.administer(.GET, "/users")["users"]?.elements ?? []
            #expect(users.compactMap { $0["displayName"]?.string } == ["Ana Lima", "Ben Okoro", "Chi Tanaka"])
            #expect(fixture.emulator.faults.all.isEmpty && fixture.emulator.clock.now() == EmulatorFixture.start)
            #expect(try await browser.get(fixture.authorize()).status == 200)
            #expect(try await fixture.refresh(refresh).json.code == 90_129)
            #expect(try await fixture.administer(.GET, "/keys") == keys)
        }
    }
}
