import NIOHTTP1
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Defences", .inTurn, .timeLimit(.minutes(5)))
struct DefenceTests {
    @Test("refuses a form from another browser or without a page", arguments: ["no cookie", "other", "token"])
    func refusesForgedForm(what: String) async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize())
            var filled: [String: String?] = ["signInName": "ana@contoso.example", "password": "Passw0rd!"]
            switch what {
            case "no cookie": browser.cookies = [:]
            case "other": browser.cookies = browser.cookies.mapValues { _ in randomSecret() }
            default: filled["csrf"] = .some(nil)
            }
            let answer = try await browser.submit(page, at: fixture.emulator.origin, filled)
            #expect(answer.status == 403)
            #expect(answer.location == nil)
            #expect(answer.text.contains("This form was not accepted"))
        }
    }

    @Test("refuses the form token of another transaction")
    func refusesTokenOfOtherTransaction() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            let first = try await browser.get(fixture.authorize())
            let second = try await browser.get(fixture.authorize())
            let swapped: [String: String?] = ["csrf": try first.form().fields["csrf"]]
            #expect(try await browser.submit(second, at: fixture.emulator.origin, swapped).status == 403)
        }
    }

    @Test("sends the security headers of a page")
    func sendsSecurityHeaders() async throws {
        try await withFixture { fixture in
            let page = try await fixture.browser().get(fixture.authorize())
            let policy = try #require(page.header("content-security-policy"))
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("form-action 'self' http://localhost:8400;"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("base-uri 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(page.header("x-content-type-options") == "nosniff")
            #expect(page.header("referrer-policy") == "no-referrer")
            #expect(page.header("cache-control") == "no-store")
            let cookie = try #require(page.header("set-cookie"))
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
            #expect(cookie.hasPrefix("susi_form_\(fixture.emulator.port)="))
        }
    }

    @Test("refuses a Host header with another name or port", arguments: ["evil.example", "localhost:1", "localhost"])
    func refusesForeignHost(host: String) async throws {
        try await withFixture { fixture in
            let name = host == "evil.example" ? "\(host):\(fixture.emulator.port)" : host
            let answer = try await fixture.browser().get(fixture.emulator.origin + "/", [("Host", name)])
            #expect(answer.status == 400)
            #expect(try answer.json["error"] == "invalid_host")
        }
    }

    @Test("accepts the three names of this machine", arguments: ["localhost", "127.0.0.1", "[::1]"])
    func acceptsOwnHosts(name: String) async throws {
        try await withFixture { fixture in
            let host = [("Host", "\(name):\(fixture.emulator.port)")]
            let answer = try await fixture.browser().get(fixture.emulator.origin + "/", host)
            #expect(answer.status == 200)
        }
    }

    @Test("escapes a hostile name on every page")
    func escapesHostileName() async throws {
        try await withFixture { fixture in
            let name = "\"><script>alert('1')</script>&"
            let browser = fixture.browser()
            let profile = try await fixture.signIn(browser, policy: "B2C_1_edit_profile")
            let done = try await browser.submit(profile, at: fixture.emulator.origin, ["displayName": name])
            let tokens = try await fixture.redeem(done.redirect["code"], policy: "B2C_1_edit_profile").json
            #expect(try tokens.claims("id_token")["name"] == .string(name))
            let page = try await browser.get(fixture.authorize("B2C_1_edit_profile"))
            #expect(try page.form().fields["displayName"] == name)
            let hint = try await fixture.browser().get(fixture.authorize("B2C_1_susi", ["login_hint": name]))
            for text in [page.text, hint.text, try await browser.get(fixture.emulator.origin + "/").text] {
                #expect(text.matches(of: /<script/).count == 1)
                #expect(text.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"))
            }
        }
    }

    @Test("writes one log line per request, whatever the request contains")
    func writesOneLogLinePerRequest() async throws {
        try await withFixture { fixture in
            let page = try await fixture.browser().get(
                fixture.authorize("B2C_1_susi", ["client_id": "x\r\nGET / 200\u{1b}[2J"]))
            #expect(page.status == 400)
            let line = try #require(fixture.log.lines.last)
            #expect(line.contains("x??GET / 200?[2J"), "\(line)")
        }
    }

    @Test("refuses a body over the limit")
    func refusesLargeBody() async throws {
        try await withFixture { fixture in
            let type = [("Content-Type", "application/x-www-form-urlencoded")]
            let body = "a=" + String(repeating: "x", count: 70_000)
            let url = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token"
            let answer = try await fixture.browser().send(.POST, url, type, body)
            #expect(answer.status == 413)
        }
    }
}
