import NIOHTTP1
import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Audit trail", .inTurn, .timeLimit(.minutes(5)))
struct AuditTests {
    /// Returns the newest entry whose path has this suffix.
    private func entry(_ fixture: EmulatorFixture, _ suffix: String) throws -> AuditEntry {
        try #require(fixture.emulator.requests().first { $0.path.hasSuffix(suffix) })
    }

    @Test("records a sign-in step by step without secrets")
    func recordsSignIn() async throws {
        try await withFixture { fixture in
            let tokens = try await fixture.tokens()
            let refresh = try #require(tokens["refresh_token"]?.string)
            _ = try await fixture.refresh(refresh)
            let entries = fixture.emulator.requests()
            #expect(
                entries.map { "\($0.number) \($0.method) \($0.path.split(separator: "/").last ?? "") \($0.status)" }
                    == [
                        "4 POST token 200", "3 POST token 200", "2 POST sign-in 303", "1 GET authorize 200",
                    ])
            for entry in entries {
                #expect(entry.time == EmulatorFixture.start && entry.tenant == "contoso.onmicrosoft.com")
                #expect(entry.policy == "B2C_1_susi" && entry.clientID == EmulatorFixture.client)
                #expect(entry.code == nil && entry.reason == nil && entry.correlationID == nil)
            }
            let text = "\(entries)"
            for secret in [refresh, vectorVerifier, "Passw0rd!", "a-nonce", tokens["access_token"]?.string ?? "-"] {
                #expect(!text.contains(secret))
            }
        }
    }

    private struct Case: Sendable {
        let changed: [String: String?]
        let code: String
        let reason: String
    }

    private static let redemptions = [
        Case(changed: ["code_verifier": "short"], code: "AADB2C90183", reason: "; it has 5"),
        Case(
            changed: ["code_verifier": String(repeating: "a", count: 43)], code: "AADB2C90182",
            reason: "does not match the code_challenge of the authorization request"),
        Case(
            changed: ["redirect_uri": "http://localhost:8401/"], code: "AADB2C90006",
            reason: "redirect_uri http://localhost:8401/; the code was issued for http://localhost:8400/"),
        Case(changed: ["code": "invented"], code: "AADB2C90129", reason: "The code was not issued by this tenant"),
        Case(
            changed: ["client_id": "unknown"], code: "AADB2C90068",
            reason: "client_id unknown is not registered; registered: \(EmulatorFixture.client)"),
    ]

    @Test("records code, correlation id, and the actual and the expected value of each refusal")
    func recordsReasons() async throws {
        try await withFixture { fixture in
            let code = try await fixture.signIn(fixture.browser()).redirect["code"]
            for row in Self.redemptions {
                let response = try await fixture.redeem(code, row.changed)
                let entry = try entry(fixture, "/token")
                #expect(entry.code == row.code && entry.status == 400)
                #expect(entry.reason?.contains(row.reason) == true, "\(entry)")
                let id = try #require(entry.correlationID)
                #expect(try response.json["error_description"]?.string?.contains("Correlation ID: \(id)\r\n") == true)
                #expect(fixture.log.lines.last?.hasSuffix("(\(entry.reason ?? "-"))") == true)
            }
            _ = try await fixture.redeem(code, policy: "B2C_1_reset")
            #expect(
                try entry(fixture, "/token").reason
                    == "The grant was issued under policy B2C_1_susi and sent to policy B2C_1_reset")
            let refresh = try await fixture.redeem(code).json["refresh_token"]?.string
            _ = try await fixture.redeem(code)
            #expect(
                try entry(fixture, "/token").reason
                    == "The code was already used; all tokens of its sign-in are revoked")
            _ = try await fixture.refresh(refresh)
            #expect(try entry(fixture, "/token").reason == "The sign-in of this grant was revoked")
        }
    }

    @Test("records refusals of the authorization endpoint and the sample API, and truncates long texts")
    func recordsOtherEndpoints() async throws {
        try await withFixture { fixture in
            _ = try await fixture.ask(["redirect_uri": "http://localhost:9999/"])
            let refused = try entry(fixture, "/authorize")
            #expect(refused.code == "AADB2C90006")
            #expect(
                refused.reason == """
                    redirect_uri http://localhost:9999/ is not registered for \(EmulatorFixture.client); registered: \
                    http://localhost:8400/, http://localhost:8401/
                    """)
            _ = try await fixture.call("/api/hello", "x.y.z")
            let call = try entry(fixture, "/api/hello")
            #expect(call.code == "invalid_token" && call.reason == "The token is not a signed JWT")
            _ = try await fixture.browser().get("/nowhere?code=abc")
            #expect(try entry(fixture, "/nowhere").status == 404)
            try await truncatesLongTexts(fixture)
        }
    }

    // A reason is truncated after a thousand characters, and other texts earlier.
    private func truncatesLongTexts(_ fixture: EmulatorFixture) async throws {
        let long = String(repeating: "é", count: 3_000)
        _ = try await fixture.ask(["redirect_uri": "http://localhost:8400/\(long)", "acr_values": long])
        let refused = try entry(fixture, "/authorize")
        let reason = try #require(refused.reason)
        #expect(reason.count == 1_000 && reason.hasPrefix("redirect_uri http://localhost:8400/éé"))
        #expect(reason.hasSuffix("éé"))
        let line = try #require(fixture.log.lines.last)
        #expect(line.count < 1_100 && line.contains("éé"))
        _ = try await fixture.ask(["client_id": long, "acr_values": long])
        #expect(try entry(fixture, "/authorize").clientID?.count == 100)
        _ = try await fixture.ask(["acr_values": long])
        #expect(try entry(fixture, "/authorize").acrValues?.count == 200)
        _ = try await fixture.browser().get("/" + String(repeating: "p", count: 900))
        #expect(fixture.emulator.requests(1).first?.path.count == 500)
    }

    @Test("records acr_values with the whole sign-in, and puts them into no token")
    func recordsAuthenticationContexts() async throws {
        try await withFixture { fixture in
            let asked = ["acr_values": "urn:loa:2 urn:loa:1\u{1b}"]
            let redirect = try await fixture.signIn(fixture.browser(), asked)
            let shown = #"urn:loa:2 urn:loa:1\u{1b}"#
            #expect(try entry(fixture, "/authorize").acrValues == shown)
            let end = try entry(fixture, "/sign-in")
            #expect(end.acrValues == shown && end.status == 303)
            #expect(try redirect.redirect["acr_values"] == nil)
            let tokens = try await fixture.redeem(try redirect.redirect["code"]).json
            #expect(try tokens.claims("id_token")["acr_values"] == nil && tokens.claims("id_token")["acr"] == nil)
            let listed = try await fixture.administer(.GET, "/requests")["requests"]?.elements ?? []
            #expect(listed.compactMap { $0["acrValues"]?.string } == Array(repeating: shown, count: 2))
            try await fixture.browser().get(
                fixture.authorize(["acr_values": "urn:loa:3", "prompt": "none"])
            ).expecting(303)
            #expect(try entry(fixture, "/authorize").acrValues == "urn:loa:3")
        }
    }

    @Test("keeps the latest thousand, newest first")
    func keepsLatestThousand() throws {
        let trail = AuditTrail()
        for number in 1...1_003 {
            trail.add("GET", path: "/\(number)\u{1b}", time: 7, .redirect(to: "/"))
        }
        let all = trail.latest(5_000)
        #expect(all.count == 1_000)
        #expect(all.map(\.number) == Array((4...1_003).reversed()))
        #expect(trail.latest(2).map(\.path) == [#"/1003\u{1b}"#, #"/1002\u{1b}"#])
        trail.clear()
        #expect(trail.latest(5).isEmpty)
        trail.add("GET", path: "/", time: 7, .redirect(to: "/"))
        #expect(trail.latest(5).map(\.number) == [1_004])
    }
}
