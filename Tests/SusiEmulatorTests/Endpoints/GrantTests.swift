import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

@Suite("Grants", .inTurn, .timeLimit(.minutes(5)))
struct GrantTests {
    private func expect(
        _ response: Received, _ error: String, _ code: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let json = try response.json
        #expect(response.status == 400, sourceLocation: sourceLocation)
        #expect(json["error"] == .string(error), sourceLocation: sourceLocation)
        #expect(json.code == code, "\(json)", sourceLocation: sourceLocation)
    }

    @Test("names the content type of a token request that is no form in the log")
    func namesContentType() async throws {
        try await withFixture { fixture in
            for type in ["application/json", nil] {
                let response = try await fixture.browser().send(
                    .POST, "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token", type.map { [("Content-Type", $0)] } ?? [],
                    #"{ "grant_type": "refresh_token" }"#)
                try expect(response, "invalid_request", 90083)
                let words = "The Content-Type is \(type ?? "missing"); "
                #expect(fixture.log.lines.last?.contains(words) == true, "\(fixture.log.lines)")
            }
        }
    }

    @Test("redeems a code once for many simultaneous requests, and none after ten minutes")
    func redeemsCodeOnce() async throws {
        try await withFixture { fixture in
            let code = try await fixture.signIn(fixture.browser()).redirect["code"]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...8 { group.addTask { try await fixture.redeem(code).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 200 } == 1)
            #expect(statuses.count { $0 == 400 } == 7)
            let late = try await fixture.signIn(fixture.browser()).redirect["code"]
            fixture.emulator.clock.advance(by: 600)
            try expect(try await fixture.redeem(late), "invalid_grant", 90080)
        }
    }

    @Test("refreshes tokens with the time of the sign-in, and for another resource on request")
    func refreshesTokens() async throws {
        try await withFixture { fixture in
            let first = try await fixture.tokens()
            fixture.emulator.clock.advance(by: 4_000)
            let response = try await fixture.refresh(first["refresh_token"]?.string)
            let second = try response.json
            #expect(second["refresh_token"] != nil)
            #expect(second["refresh_token"] != first["refresh_token"])
            let id = try second.claims("id_token")
            #expect(id["auth_time"] == .integer(EmulatorFixture.start))
            #expect(id["iat"] == .integer(EmulatorFixture.start + 4_000))
            #expect(id["nonce"] == "a-nonce")
            // Without rotation a used token is still valid, and names of policies compare without case.
            #expect(try await fixture.refresh(first["refresh_token"]?.string, policy: "b2c_1_SUSI").status == 200)
            let other = try await fixture.refresh(
                second["refresh_token"]?.string, ["scope": "openid https://contoso.onmicrosoft.com/other/items.write"])
            #expect(try other.json.claims("access_token")["scp"] == "items.write")
            let unknown = try await fixture.refresh(second["refresh_token"]?.string, ["scope": "openid some"])
            try expect(unknown, "invalid_request", 90055)
        }
    }

    @Test(
        "a refresh repeats the claims of the sign-in, or reads the user again", arguments: [false, true],
        ["B2C_1_susi", "B2C_1A_susi"])
    func refreshesClaims(reads: Bool, name: String) async throws {
        try await withFixture { configuration in
            let policy = Policy(name: PolicyName(name), kind: .signUpOrSignIn, isDefault: true)
            configuration.policies = [policy]
            var settings = PolicySettings()
            settings.refreshReadsUser = reads
            configuration.settings = [policy.name: settings]
        } _: { fixture in
            let code = try await fixture.signIn(fixture.browser(), policy: name).redirect["code"]
            let database = fixture.database
            let id = User.standard[0].objectID
            try database.change(id) { ($0.displayName, $0.attributes["city"]) = ("Ana Neu", "Porto") }
            // A code counts as the sign-in.
            let first = try await fixture.redeem(code, policy: name).json
            let repeated = try await fixture.refresh(first["refresh_token"]?.string, policy: name).json
            for token in ["id_token", "access_token"] {
                let claims = try repeated.claims(token)
                #expect(claims["name"] == (reads ? "Ana Neu" : "Ana Lima") && (claims["city"] != nil) == reads)
                #expect(claims["emails"] == ["ana@contoso.example"])
            }
            // Only custom policies have user info, which reads the user.
            let info = try await fixture.call(
                "\(fixture.tenant)/\(name)/openid/v2.0/userinfo", repeated["access_token"])
            #expect(info.status == (name == "B2C_1_susi" ? 404 : 200), "\(info.text)")
            if info.status == 200 { #expect(try info.json["name"] == "Ana Neu") }
            // Only a custom policy without a refresh journey does not look for the user.
            let isBlind = !reads && name == "B2C_1A_susi"
            try database.change(id) { $0.isBlocked = true }
            let blocked = try await fixture.refresh(first["refresh_token"]?.string, policy: name)
            #expect(blocked.status == (isBlind ? 200 : 400))
            _ = try database.removeUser(objectID: id)
            let deleted = try await fixture.refresh(first["refresh_token"]?.string, policy: name)
            #expect(deleted.status == (isBlind ? 200 : 400))
            if isBlind { #expect(try deleted.json.claims("id_token")["name"] == "Ana Lima") }
        }
    }

    @Test(
        "a new password ends the user's other sessions and refresh tokens, however it was set",
        arguments: ["policy", "inline", "forced", "admin"])
    func revokesByPassword(way: String) async throws {
        try await withFixture({ $0.change { $0.forgottenPassword = .inline } }) { fixture in
            let (first, last) = (fixture.browser(), fixture.browser())
            let old = try await fixture.redeem(try await fixture.signIn(first).redirect["code"]).json["refresh_token"]
            let ben = try await fixture.signIn(fixture.browser(), as: "ben@contoso.example").redirect["code"]
            let other = try await fixture.redeem(ben).json["refresh_token"]?.string
            #expect(try await fixture.refresh(old?.string).status == 200)
            let code = try await setPassword(fixture, last, way)
            try expect(try await fixture.refresh(old?.string), "invalid_grant", 90129)
            #expect(try await fixture.refresh(other).status == 200)
            let silent = fixture.authorize(["prompt": "none"])
            #expect(try await first.get(silent).redirect["code"] == nil)
            // What began with the new password goes on.
            guard way != "admin" else { return }
            #expect(try await last.get(silent).redirect["code"] != nil)
            let policy = way == "policy" ? "B2C_1_reset" : "B2C_1_susi"
            let new = try await fixture.redeem(code, policy: policy).json["refresh_token"]?.string
            #expect(try await fixture.refresh(new, policy: policy).status == 200)
        }
    }

    // Sets Ana's password. Returns the code of the sign-in that did it.
    private func setPassword(_ fixture: EmulatorFixture, _ browser: Browser, _ way: String) async throws -> String? {
        var page: Received
        switch way {
        case "admin":
            _ = try await fixture.administer(
                .PATCH, "/users/\(EmulatorFixture.ana)", ["password": "Fresh-9-apples"])
            return nil
        case "forced":
            _ = try fixture.database.change(EmulatorFixture.ana) { $0.mustResetPassword = true }
            page = try await fixture.signIn(browser)
        default:
            page = try await browser.get(fixture.authorize(way == "policy" ? "B2C_1_reset" : "B2C_1_susi"))
            if way == "inline" {
                page = try await browser.get(try page.link("forgotPassword"))
            }
            page = try await browser.submit(page, ["email": "ana@contoso.example"])
        }
        let password = ["newPassword": "Fresh-9-apples", "reenterPassword": "Fresh-9-apples"]
        return try await browser.submit(page, password).redirect["code"]
    }

    @Test("refuses a used refresh token with strict rotation and revokes its family")
    func revokesFamilyAfterReuse() async throws {
        try await withFixture({ $0.refreshRotation = .strict }) { fixture in
            let old = try await fixture.tokens()["refresh_token"]?.string
            let new = try await fixture.refresh(old).json["refresh_token"]?.string
            try expect(try await fixture.refresh(old), "invalid_grant", 90129)
            try expect(try await fixture.refresh(new), "invalid_grant", 90129)
        }
    }

    @Test("expires all refresh tokens of a sign-in after 90 days")
    func expiresRefreshTokens() async throws {
        try await withFixture { fixture in
            let day: Int64 = 86_400
            var token = try await fixture.tokens()
            for _ in 1...6 {
                fixture.emulator.clock.advance(by: 13 * day)
                token = try await fixture.refresh(token["refresh_token"]?.string).json
            }
            #expect(token["refresh_token_expires_in"] == .integer(12 * day))
            fixture.emulator.clock.advance(by: 12 * day)
            try expect(try await fixture.refresh(token["refresh_token"]?.string), "invalid_grant", 90080)
        }
    }

    @Test("writes no token, code or password to the request log or the database")
    func storesNoSecrets() async throws {
        try await withFixture { fixture in
            let code = try #require(try await fixture.signIn(fixture.browser()).redirect["code"])
            let tokens = try await fixture.redeem(code).json
            let refresh = try #require(tokens["refresh_token"]?.string)
            _ = try await fixture.refresh(refresh)
            _ = try await fixture.redeem(code)
            let log = fixture.log.lines.joined(separator: "\n")
            #expect(fixture.log.lines.contains("200 POST /contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token"))
            for secret in [code, refresh, "Passw0rd!", "a-nonce"] { #expect(!log.contains(secret)) }
            let connection = try Connection(path: fixture.folder.appending("emulator.sqlite").string)
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
