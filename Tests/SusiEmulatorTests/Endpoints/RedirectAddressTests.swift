import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Redirect addresses", .inTurn, .timeLimit(.minutes(5)))
struct RedirectAddressTests {
    @Test("matches a registered address exactly, or with any port of the same loopback name")
    func matchesRegisteredAddress() {
        let rows: [(registered: String, sent: String, isExact: Bool, isAny: Bool)] = [
            ("http://localhost:8400/", "http://localhost:8400/", true, true),
            ("http://localhost:8400/", "http://localhost:9/", false, true),
            ("http://localhost", "http://localhost:9/", false, true),
            ("http://127.0.0.1/cb", "http://127.0.0.1:5000/cb", false, true),
            ("http://[::1]:1/cb", "http://[::1]:5000/cb", false, true),
            ("http://localhost:8400/", "http://127.0.0.1:8400/", false, false),
            ("http://127.0.0.1:8400/", "http://[::1]:8400/", false, false),
            ("http://127.0.0.1:8400/", "http://127.0.0.10:8400/", false, false),
            ("http://localhost:8400/", "https://localhost:8400/", false, false),
            ("http://localhost:8400/cb", "http://localhost:8400/CB", false, false),
            ("http://localhost:8400/", "http://localhost:99999/", false, false),
            ("http://localhost:8400/", "http://localhost:/", false, false),
            ("http://localhost:8400/", "http://localhost/", false, true),
            ("http://localhost:8400/", "http://localhost:1@evil.example/", false, false),
            ("http://localhost:8400/", "http://localhost.evil.example/", false, false),
            ("https://app.example/cb", "https://app.example/cb", true, true),
            ("https://app.example/cb", "https://app.example:444/cb", false, false),
            ("https://app.example/cb", "https://app.example/cb?x=1", false, false),
            ("msauth://com.example/sig%3D", "msauth://com.example/sig%3D", true, true),
            ("com.example.app:/cb", "com.example.app:/cb", true, true),
            ("com.example.app:/cb", "com.example.app:/cb/..", false, false),
            ("http://localhost:8400/#a", "http://localhost:8400/#a", false, false),
        ]
        for row in rows {
            var application = RegisteredApplication(clientID: "x", redirectAddresses: [row.registered])
            #expect(application.allows(redirect: row.sent, ports: .exact) == row.isExact, "\(row)")
            #expect(application.allows(redirect: row.sent, ports: .any) == row.isAny, "\(row)")
            // The application's setting takes precedence over the tenant's.
            application.redirectPorts = .any
            #expect(application.allows(redirect: row.sent, ports: .exact) == row.isAny, "\(row)")
            application.redirectPorts = .exact
            #expect(application.allows(redirect: row.sent, ports: .any) == row.isExact, "\(row)")
        }
    }

    @Test("supports custom schemes by query, fragment and form")
    func supportsCustomSchemes() async throws {
        let addresses = ["com.example.app:/cb", "msauth://com.example/sig%3D"]
        try await withFixture({ $0.applications[0].redirectAddresses = addresses }) { fixture, browser in
            let signIn = ["redirect_uri": addresses[0]]
            let page = try await browser.get(fixture.authorize(signIn))
            let policy = try #require(page.header("content-security-policy"))
            #expect(policy.contains("form-action 'self' com.example.app:;"))
            let first = try await browser.submit(page, EmulatorFixture.answers)
            #expect(first.location?.hasPrefix("com.example.app:/cb?code=") == true)
            #expect(try await fixture.redeem(try first.redirect["code"], ["redirect_uri": addresses[0]]).status == 200)
            for (mode, mark) in [("query", "?"), ("fragment", "#")] {
                let changed = ["redirect_uri": addresses[1], "response_mode": mode]
                let response = try await browser.get(fixture.authorize(changed))
                #expect(response.location?.hasPrefix("\(addresses[1])\(mark)code=") == true)
            }
            let form = ["redirect_uri": addresses[1], "response_mode": "form_post"]
            let post = try await browser.get(fixture.authorize(form))
            #expect(try post.form().action == addresses[1])
            #expect(post.header("content-security-policy")?.contains("form-action 'self' msauth:;") == true)
            let other = try await browser.get(fixture.authorize(["redirect_uri": "com.example.app:/other"]))
            #expect(other.location?.hasPrefix("\(addresses[0])?error=redirect_uri_mismatch") == true)
        }
    }
}
