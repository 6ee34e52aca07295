import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Defences", .inTurn, .timeLimit(.minutes(5)))
struct DefenceTests {
    @Test("refuses a form from another browser, without a page or with the token of another transaction")
    func refusesForgedForm() async throws {
        try await withFixture { fixture in
            for what in ["no cookie", "other cookie", "no token", "other token"] {
                let browser = fixture.browser()
                let page = try await browser.get(fixture.authorize())
                let second = try await browser.get(fixture.authorize()).form().fields["csrf"]
                var filled: [String: String?] = EmulatorFixture.answers
                switch what {
                case "no cookie": browser.cookies = [:]
                case "other cookie": browser.cookies = browser.cookies.mapValues { _ in RandomBytes.text() }
                case "no token": filled["csrf"] = .some(nil)
                default: filled["csrf"] = second
                }
                try #require(second != nil)
                let response = try await browser.submit(page, filled)
                #expect(response.status == 403 && response.location == nil, "\(what)")
                #expect(response.text.contains("This form was not accepted"))
            }
        }
    }

    @Test("sends the security headers of a page")
    func sendsSecurityHeaders() async throws {
        try await withFixture { fixture in
            let page = try await fixture.ask()
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

    @Test("accepts the three names of this machine, and refuses a Host header with another name or port")
    func refusesForeignHost() async throws {
        try await withFixture { fixture in
            let port = fixture.emulator.port
            for host in ["localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)"] {
                #expect(try await fixture.browser().get("/", [("Host", host)]).status == 200)
            }
            for host in ["evil.example:\(port)", "localhost:1", "localhost"] {
                let response = try await fixture.browser().get("/", [("Host", host)]).expecting(400)
                #expect(try response.json["error"] == "invalid_host", "\(host)")
            }
            var request = try HTTPClient.Request(url: fixture.emulator.origin)
            request.headers = ["Host": "localhost:\(port)", "Host": "evil.example"]
            #expect(try await fixture.http.execute(request: request).get().status == .badRequest)
        }
    }

    @Test("escapes a hostile name on every page, and a hostile request in its log line")
    func escapesHostileName() async throws {
        try await withFixture { fixture in
            let name = "\"><script>alert('1')</script>&"
            let browser = fixture.browser()
            let profile = try await fixture.signIn(browser, policy: "B2C_1_edit_profile")
            let done = try await browser.submit(profile, ["displayName": name])
            let tokens = try await fixture.redeem(done.redirect["code"], policy: "B2C_1_edit_profile").json
            #expect(try tokens.claims("id_token")["name"] == .string(name))
            let page = try await browser.get(fixture.authorize("B2C_1_edit_profile"))
            #expect(try page.form().fields["displayName"] == name)
            let hint = try await fixture.ask(["login_hint": name])
            for text in [page.text, hint.text, try await browser.get("/").text] {
                #expect(text.matches(of: /<script/).count == 1)
                #expect(text.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"))
            }
            let refused = fixture.authorize(["client_id": "x\r\nGET / 200\u{1b}[2J"])
            #expect(try await fixture.browser().get(refused).status == 400)
            let line = try #require(fixture.log.lines.last)
            #expect(line.contains(#"x\u{d}\u{a}GET / 200\u{1b}[2J"#), "\(line)")
        }
    }
}
