import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Errors of the authorization endpoint", .inTurn, .timeLimit(.minutes(5)))
struct AuthorizeErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let changed: [String: String?]
        let error: String
        let code: Int
        var testDescription: String { name }
    }

    @Test(
        "redirects the error",
        arguments: [
            Case(
                name: "unknown scope", changed: ["scope": "openid https://contoso.onmicrosoft.com/hello/other"],
                error: "invalid_request", code: 90117),
            Case(
                name: "two resources",
                changed: ["scope": "openid \(EmulatorFixture.scope) https://contoso.onmicrosoft.com/other/items.write"],
                error: "invalid_request", code: 90146),
            Case(name: "nothing asked", changed: ["scope": "offline_access"], error: "invalid_request", code: 90115),
            Case(name: "no scope", changed: ["scope": nil], error: "invalid_request", code: 90010),
            Case(
                name: "implicit", changed: ["response_type": "id_token"], error: "unauthorized_client", code: 90057),
            Case(name: "no type", changed: ["response_type": nil], error: "invalid_request", code: 90083),
            Case(name: "a mode of its own", changed: ["response_mode": "web"], error: "invalid_request", code: 90014),
            Case(
                name: "a type of its own", changed: ["response_type": "code secret"],
                error: "unsupported_response_type", code: 90013),
            Case(
                name: "a type twice", changed: ["response_type": "code code"], error: "unsupported_response_type",
                code: 90013),
            Case(
                name: "no challenge", changed: ["code_challenge": nil], error: "invalid_request", code: 99059),
            Case(
                name: "another method", changed: ["code_challenge_method": "s256"], error: "invalid_request",
                code: 90184),
            Case(
                name: "a challenge that is none", changed: ["code_challenge": "x"], error: "invalid_request",
                code: 90083),
            Case(
                name: "a plain challenge that is none",
                changed: ["code_challenge": "x", "code_challenge_method": nil], error: "invalid_request", code: 90083),
            Case(name: "a prompt of its own", changed: ["prompt": "soon"], error: "invalid_request", code: 90043),
            Case(name: "max_age is no number", changed: ["max_age": "-1"], error: "invalid_request", code: 90120),
            Case(name: "no session", changed: ["prompt": "none"], error: "interaction_required", code: 90077),
        ])
    func redirectsError(_ test: Case) async throws {
        try await withFixture { fixture in
            let answer = try await fixture.browser().get(fixture.authorize("B2C_1_susi", test.changed))
            let mark = test.changed["response_type"] == "id_token" ? "#" : "?"
            #expect(answer.location?.hasPrefix("http://localhost:8400/\(mark)error=") == true, "\(answer.text)")
            let fields = try answer.redirect
            #expect(fields["error"] == test.error)
            #expect(fields["state"] == "a state/&")
            let description = try #require(fields["error_description"])
            #expect(description.hasPrefix("AADB2C\(test.code): "))
            #expect(
                description.wholeMatch(
                    of: #/AADB2C\d{5}: .+\r\nCorrelation ID: [0-9a-f-]{36}\r\nTimestamp: 2027-01-15 08:00:00Z\r\n/#)
                    != nil, "\(description)")
            #expect(fixture.log.lines.last?.contains("AADB2C\(test.code)") == true)
        }
    }

    @Test(
        "shows the error on a page and never redirects",
        arguments: [
            Case(name: "no client", changed: ["client_id": nil], error: "", code: 90008),
            Case(name: "unknown client", changed: ["client_id": "<b>"], error: "", code: 90068),
            Case(name: "no address", changed: ["redirect_uri": nil], error: "", code: 90083),
        ])
    func showsErrorOnPage(_ test: Case) async throws {
        try await withFixture { fixture in
            let answer = try await fixture.browser().get(fixture.authorize("B2C_1_susi", test.changed))
            #expect(answer.status == 400)
            #expect(answer.location == nil)
            #expect(answer.header("content-type") == "text/html; charset=utf-8")
            #expect(answer.text.contains("AADB2C\(test.code): "))
            #expect(!answer.text.contains("<b>"))
            #expect(fixture.log.lines.last?.contains("AADB2C\(test.code)") == true)
        }
    }

    @Test(
        "sends the refusal of an address that is not registered to a registered one, in the request's mode",
        arguments: [
            "http://localhost:9999/", "http://localhost:8400/x", "https://evil.example/",
            "http://localhost:8400@evil.example/",
        ], ["query", "fragment", "form_post"])
    func refusesAddressAtRegisteredOne(address: String, mode: String) async throws {
        try await withFixture { fixture in
            let asked = ["redirect_uri": address, "response_mode": mode]
            let answer = try await fixture.browser().get(fixture.authorize("B2C_1_susi", asked))
            let fields: [String: String]
            if mode == "form_post" {
                let form = try answer.form()
                #expect(form.action == "http://localhost:8400/")
                fields = form.fields
            } else {
                #expect(
                    answer.location?.hasPrefix("http://localhost:8400/\(mode == "query" ? "?" : "#")error=") == true)
                fields = try answer.redirect.all
            }
            #expect(fields["error"] == "redirect_uri_mismatch" && fields["state"] == "a state/&")
            #expect(fields["error_description"]?.hasPrefix("AADB2C90006: ") == true)
        }
    }

    @Test("ignores the port of localhost only, if any port is allowed")
    func ignoresPortOfLocalhost() async throws {
        try await withFixture {
            $0.redirectPorts = .any
        } _: { fixture in
            let expected: [(address: String, status: Int)] = [
                ("http://localhost:53682/", 200), ("http://localhost/", 200), ("http://localhost:53682/x", 303),
                ("https://localhost:53682/", 303), ("http://localhost:1@evil.example/", 303),
                ("http://localhost:99999/", 303), ("http://localhost.evil.example/", 303),
            ]
            for (address, status) in expected {
                let answer = try await fixture.browser().get(fixture.authorize("B2C_1_susi", ["redirect_uri": address]))
                #expect(answer.status == status, "\(address)")
            }
        }
    }

    @Test("reports a forgotten password and a cancellation once each")
    func reportsCancellationOnce() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            let forgot = fixture.emulator.origin + (try page.link("forgotPassword"))
            let fields = try await browser.get(forgot).redirect
            #expect(fields["error"] == "access_denied")
            #expect(fields["error_description"]?.hasPrefix("AADB2C90118: ") == true)
            let again = try await browser.get(forgot)
            #expect(again.status == 400)
            #expect(again.text.contains("This page has expired"))
            for policy in ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_reset"] {
                let page = try await browser.get(fixture.authorize(policy))
                let answer = try await browser.submit(page, at: fixture.emulator.origin, ["cancel": "1"])
                #expect(try answer.redirect["error_description"]?.hasPrefix("AADB2C90091: ") == true)
                #expect(try answer.redirect["state"] == "a state/&")
            }
        }
    }

    @Test("expires a transaction after an hour and binds it to its policy")
    func expiresTransactions() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            var (action, fields) = try page.form()
            fields["signInName"] = "ana@contoso.example"
            fields["password"] = "Passw0rd!"
            action = action.replacing("b2c_1_susi", with: "b2c_1_edit_profile")
            #expect(try await browser.post(fixture.emulator.origin + action, fields).status == 400)
            fixture.emulator.clock.advance(by: 3_601)
            let filled = ["signInName": "ana@contoso.example", "password": "Passw0rd!"]
            let late = try await browser.submit(page, at: fixture.emulator.origin, filled)
            #expect(late.text.contains("This page has expired"))
        }
    }
}
