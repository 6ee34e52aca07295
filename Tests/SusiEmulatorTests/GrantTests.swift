import NIOHTTP1
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

@Suite("Grants", .inTurn, .timeLimit(.minutes(2)))
struct GrantTests {
    private func expect(
        _ answer: Received, _ error: String, _ code: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let json = try answer.json
        #expect(answer.status == 400, sourceLocation: sourceLocation)
        #expect(json["error"] == .string(error), sourceLocation: sourceLocation)
        #expect(json.code == code, "\(json)", sourceLocation: sourceLocation)
    }

    @Test("a code that comes twice is refused, and its tokens die")
    func reuse() async throws {
        try await withScene { scene in
            let code = try await scene.signIn(scene.browser()).redirect["code"]
            let tokens = try await scene.redeem(code).json
            try expect(try await scene.redeem(code), "invalid_grant", 90129)
            try expect(try await scene.refresh(tokens["refresh_token"]?.string), "invalid_grant", 90129)
        }
    }

    @Test("of many redemptions at once one succeeds")
    func race() async throws {
        try await withScene { scene in
            let code = try await scene.signIn(scene.browser()).redirect["code"]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...8 { group.addTask { try await scene.redeem(code).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 200 } == 1)
            #expect(statuses.count { $0 == 400 } == 7)
        }
    }

    @Test("a code is bound to verifier, address, policy, client and time")
    func bindings() async throws {
        try await withScene { configuration in
            let other = RegisteredApplication(clientID: "another", redirectAddresses: ["http://localhost:8400/"])
            configuration.applications.append(other)
        } _: { scene in
            let browser = scene.browser()
            let code = try await scene.signIn(browser).redirect["code"]
            let wrong = String(repeating: "a", count: 43)
            try expect(try await scene.redeem(code, ["code_verifier": wrong]), "invalid_grant", 90182)
            try expect(try await scene.redeem(code, ["code_verifier": "short"]), "invalid_grant", 90183)
            try expect(try await scene.redeem(code, ["code_verifier": nil]), "invalid_request", 90083)
            try expect(
                try await scene.redeem(code, ["redirect_uri": "http://localhost:8401/"]), "redirect_uri_mismatch", 90006
            )
            try expect(try await scene.redeem(code, policy: "B2C_1_edit_profile"), "invalid_grant", 90088)
            try expect(try await scene.redeem(code, ["client_id": "another"]), "invalid_grant", 90279)
            try expect(try await scene.redeem(code, ["client_id": "nobody"]), "invalid_client", 90068)
            try expect(try await scene.redeem("nonsense"), "invalid_grant", 90129)
            // None of these used the code up.
            #expect(try await scene.redeem(code).status == 200)
            let late = try await browser.get(scene.authorize()).redirect["code"]
            scene.emulator.clock.advance(by: 600)
            try expect(try await scene.redeem(late), "invalid_grant", 90080)
        }
    }

    @Test("what the endpoint itself refuses")
    func endpoint() async throws {
        try await withScene { scene in
            try expect(try await scene.redeem("x", ["grant_type": "password"]), "unsupported_grant_type", 90086)
            try expect(try await scene.redeem("x", ["grant_type": nil]), "invalid_request", 90083)
            try expect(try await scene.redeem(nil), "invalid_request", 90083)
            try expect(try await scene.redeem("x", ["client_id": nil]), "invalid_client", 90008)
            // Parameters in the query do not count (RFC 6749 section 2.3.1).
            let query =
                "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token?grant_type=refresh_token&client_id=\(Scene.client)"
            try expect(try await scene.browser().post(query, [:]), "invalid_request", 90083)
            let twice = "grant_type=refresh_token&grant_type=authorization_code&client_id=\(Scene.client)"
            let type = [("Content-Type", "application/x-www-form-urlencoded")]
            let url = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token"
            try expect(try await scene.browser().send(.POST, url, type, twice), "invalid_request", 90083)
        }
    }

    @Test("a refresh gives new tokens with the same sign-in's time, and another resource when asked")
    func refresh() async throws {
        try await withScene { scene in
            let first = try await scene.tokens()
            scene.emulator.clock.advance(by: 4_000)
            let answer = try await scene.refresh(first["refresh_token"]?.string)
            let second = try answer.json
            #expect(second["refresh_token"] != nil)
            #expect(second["refresh_token"] != first["refresh_token"])
            let id = try second.claims("id_token")
            #expect(id["auth_time"] == .integer(Scene.start))
            #expect(id["iat"] == .integer(Scene.start + 4_000))
            #expect(id["nonce"] == nil)
            let other = try await scene.refresh(
                second["refresh_token"]?.string, ["scope": "openid https://contoso.onmicrosoft.com/other/items.write"])
            #expect(try other.json.claims("access_token")["scp"] == "items.write")
            let unknown = try await scene.refresh(second["refresh_token"]?.string, ["scope": "openid some"])
            try expect(unknown, "invalid_scope", 90055)
        }
    }

    @Test("a refresh token belongs to its policy")
    func otherPolicy() async throws {
        try await withScene { scene in
            let token = try await scene.tokens()["refresh_token"]?.string
            try expect(try await scene.refresh(token, policy: "B2C_1_edit_profile"), "invalid_grant", 90088)
            #expect(try await scene.refresh(token, policy: "b2c_1_SUSI").status == 200)
        }
    }

    @Test("kept rotation: the old token goes on working")
    func kept() async throws {
        try await withScene { scene in
            let token = try await scene.tokens()["refresh_token"]?.string
            #expect(try await scene.refresh(token).status == 200)
            #expect(try await scene.refresh(token).status == 200)
        }
    }

    @Test("strict rotation: the old token is refused, and with it the whole family")
    func strict() async throws {
        try await withScene {
            $0.refreshRotation = .strict
        } _: { scene in
            let old = try await scene.tokens()["refresh_token"]?.string
            let new = try await scene.refresh(old).json["refresh_token"]?.string
            try expect(try await scene.refresh(old), "invalid_grant", 90129)
            try expect(try await scene.refresh(new), "invalid_grant", 90129)
        }
    }

    @Test("expiry after 14 days, and after 90 days of refreshing at the latest")
    func expiry() async throws {
        try await withScene { scene in
            let day: Int64 = 86_400
            let unused = try await scene.tokens()["refresh_token"]?.string
            scene.emulator.clock.advance(by: 14 * day)
            let answer = try await scene.refresh(unused)
            try expect(answer, "invalid_grant", 90080)
            #expect(answer.text.contains("Grant issued time: \(Scene.start)"))
            var token = try await scene.tokens()
            for _ in 1...6 {
                scene.emulator.clock.advance(by: 13 * day)
                token = try await scene.refresh(token["refresh_token"]?.string).json
            }
            #expect(token["refresh_token_expires_in"] == .integer(12 * day))
            scene.emulator.clock.advance(by: 12 * day)
            try expect(try await scene.refresh(token["refresh_token"]?.string), "invalid_grant", 90080)
        }
    }

    @Test("an account that is gone")
    func gone() async throws {
        try await withScene { scene in
            let token = try await scene.tokens()["refresh_token"]?.string
            let database = try Connection(path: scene.folder.appending("emulator.sqlite").string)
            try database.execute("DELETE FROM users WHERE object_id = ?", [.text(Scene.ana)])
            try expect(try await scene.refresh(token), "invalid_grant", 90128)
        }
    }

    @Test("no token, code or password reaches the request log or the database")
    func secrets() async throws {
        try await withScene { scene in
            let code = try #require(try await scene.signIn(scene.browser()).redirect["code"])
            let tokens = try await scene.redeem(code).json
            let refresh = try #require(tokens["refresh_token"]?.string)
            _ = try await scene.refresh(refresh)
            _ = try await scene.redeem(code)
            let log = scene.log.lines.joined(separator: "\n")
            #expect(scene.log.lines.contains("POST /contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token 200"))
            for secret in [code, refresh, "Passw0rd!", "a-nonce"] { #expect(!log.contains(secret)) }
            let connection = try Connection(path: scene.folder.appending("emulator.sqlite").string)
            for table in ["codes", "refresh_tokens", "users", "grants", "sessions", "transactions"] {
                try connection.forEach("SELECT * FROM \(table)") { row in
                    var column = 0
                    while let value = try? row.value(column) {
                        if case .text(let text) = value {
                            for secret in [code, refresh, "Passw0rd!"] { #expect(!text.contains(secret)) }
                        }
                        column += 1
                    }
                }
            }
        }
    }
}
