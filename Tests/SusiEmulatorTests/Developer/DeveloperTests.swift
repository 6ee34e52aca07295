import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Developer's pages", .inTurn, .timeLimit(.minutes(5)))
struct DeveloperTests {
    @Test("runs a policy by a link and shows its claims, readable times first")
    func runsPolicyAndShowsClaims() async throws {
        try await withFixture { fixture, browser in
            let origin = fixture.emulator.origin
            let start = try await browser.get("/")
            let link = try #require(start.text.firstMatch(of: #/href="(\/run\?[^"]*susi)"/#)).1
            let began = try await browser.get(String(link))
            let signIn = try await browser.get(try #require(began.location))
            let back = try await browser.submit(signIn, EmulatorFixture.answers)
            let address = try #require(back.location)
            #expect(address.hasPrefix("\(origin)/decode?code="))
            let shown = try await browser.get(address)
            for text in [
                "Tokens of B2C_1_susi", "Ana Lima", "a0a0a0a0-0000-4000-8000-000000000001",
                "<code>2027-01-15 09:00:00Z</code> <span class=\"soft\">(1800003600)</span>",
                "Valid now. Signed with a published key of this tenant.", "data-copy=\"id_token-text\"",
            ] { #expect(shown.text.contains(text), "\(text)") }
            let names = shown.text.matches(of: #/<th scope="row"><code>(\w+)</#).map { String($0.1) }
            #expect(names.prefix(3) == ["exp", "nbf", "iat"], "\(names)")
            let token = try #require(shown.text.firstMatch(of: #/id="id_token-text">(eyJ[^<]+)</#)?.1)
            #expect(token.split(separator: ".").count == 3)
            #expect(shown.text.contains("<dt>Scope</dt>"))
            // The code is used up.
            let again = try await browser.get(address).expecting(400)
            #expect(!again.text.contains("Ana Lima"))
        }
    }

    /// Begins a run with these fields, and returns the redirect.
    private func run(_ fixture: EmulatorFixture, _ browser: Browser, _ fields: [String: String]) async throws
        -> Received
    {
        let place = ["place": "/contoso.onmicrosoft.com/b2c_1_susi"]
        let query = fields.merging(place) { $1 }.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
        return try await browser.get("/run?\(query)")
    }

    @Test("sends the response to the chosen application, in the chosen language, for the chosen API")
    func sendsResponseToChosenApplication() async throws {
        try await withFixture({ $0.register("my own client") }) { fixture, browser in
            let fields = [
                "to": "\(EmulatorFixture.client) http://localhost:8400/", "type": "code", "api": "hello",
                "language": "de",
            ]
            let began = try await run(fixture, browser, fields)
            let asked = try began.redirect
            #expect(asked["scope"] == "openid \(EmulatorFixture.scope)")
            #expect(asked["client_id"] == EmulatorFixture.client)
            let page = try await browser.get(try #require(began.location))
            #expect(page.text.contains("<html lang=\"de\""))
            let back = try await browser.submit(page, EmulatorFixture.answers)
            #expect(back.location?.hasPrefix("http://localhost:8400/?code=") == true)
            let spaced = try await run(fixture, browser, ["to": "my own client http://localhost:8400/"]).redirect
            #expect(spaced["client_id"] == "my own client" && spaced["redirect_uri"] == "http://localhost:8400/")
        }
    }

    @Test("sends the chosen scopes, prompt and name")
    func sendsChosenOptions() async throws {
        try await withFixture { fixture in
            let fields = [
                "scope-0": EmulatorFixture.scope, "scope-1": "not ours", "prompt": "login",
                "login_hint": "ben@contoso.example",
            ]
            let browser = fixture.browser()
            let began = try await run(fixture, browser, fields)
            let asked = try began.redirect
            #expect(asked["scope"] == "openid \(EmulatorFixture.scope)")
            #expect(asked["prompt"] == "login" && asked["login_hint"] == "ben@contoso.example")
            let page = try await browser.get(try #require(began.location))
            #expect(try page.form().fields["signInName"] == "ben@contoso.example")
        }
    }

    @Test("redeems codes of this browser only, and reserves its client ID")
    func redeemsOwnCodesOnly() async throws {
        try await withFixture { fixture in
            let origin = fixture.emulator.origin
            let viewer = TokenViewer.application(origin).clientID
            // A code of another client, requested with that client's challenge.
            let redirect = try await fixture.signIn(
                fixture.browser(),
                [
                    "client_id": viewer, "redirect_uri": "\(origin)/decode",
                    "state": "/contoso.onmicrosoft.com/b2c_1_susi",
                ])
            let address = try #require(redirect.location)
            #expect(address.hasPrefix("\(origin)/decode?code="))
            let without = try await fixture.browser().get(address).expecting(400)
            #expect(without.text.contains("did not request this code"))
            let victim = fixture.browser()
            _ = try await victim.get("/run?place=%2Fcontoso.onmicrosoft.com%2Fb2c_1_susi")
            let refused = try await victim.get(address)
            #expect(refused.text.contains("AADB2C90182"))
            #expect(!refused.text.contains("Ana Lima"))
            // Only the viewer's own address is registered.
            let elsewhere = try await fixture.ask(["client_id": viewer, "redirect_uri": "http://localhost:9/decode"])
            #expect(elsewhere.location?.hasPrefix("\(origin)/decode?error=redirect_uri_mismatch") == true)
        }
    }

    @Test("escapes a returned error, refuses an unknown policy and other methods")
    func showsErrorsEscaped() async throws {
        try await withFixture { fixture, browser in
            let error = try await browser.get("/decode?error=access_denied&error_description=%3Cb%3Eno")
                .expecting(400)
            #expect(error.text.contains("&lt;b&gt;no"))
            #expect(try await browser.get("/run?place=%2Fnowhere").status == 400)
            let viewer = try await browser.get("/decode")
            #expect(viewer.status == 200 && viewer.text.contains("Run a policy first"))
            #expect(try viewer.form().action == "/run")
            for path in ["/", "/run", "/decode", "/activity"] {
                let response = try await browser.post(path, [:]).expecting(405)
                #expect(response.header("Allow") == "GET")
            }
        }
    }

    @Test("lists requests with the reasons of errors, without those of the pages")
    func listsRequestsWithReasons() async throws {
        try await withFixture { fixture, browser in
            #expect(try await browser.get("/").text.contains("No requests yet."))
            _ = try await browser.get(fixture.authorize(["redirect_uri": "http://localhost:9999/<script>"]))
            let page = try await browser.get("/")
            #expect(page.text.contains("AADB2C90006"))
            #expect(page.text.contains("http://localhost:9999/&lt;script&gt;"))
            #expect(page.text.contains("GET /<wbr>contoso.onmicrosoft.com/<wbr>"))
            #expect(page.text.matches(of: /<script/).count == 1)
            #expect(!page.text.contains("GET /<wbr></code>"))
            let news = try await browser.get("/activity?tenant=contoso.onmicrosoft.com")
            #expect(news.text.contains("AADB2C90006") && !news.text.contains("GET /<wbr>activity"))
        }
    }

    @Test("marks metadata and key requests as routine, unless they failed")
    func marksRoutineRequests() async throws {
        try await withFixture { fixture in
            let (browser, origin) = (fixture.browser(), fixture.emulator.origin)
            let base = "\(origin)/contoso.onmicrosoft.com/B2C_1_susi"
            for path in ["/v2.0/.well-known/openid-configuration", "/discovery/v2.0/keys"] {
                #expect(try await browser.get(base + path).status == 200)
            }
            let quiet = try await browser.get("/")
            #expect(
                quiet.text.matches(of: #/<li class="routine"/#).count == 2 && quiet.text.contains("No requests yet."))
            fixture.emulator.faults.add(Fault(.status(503), at: .metadata, count: 1))
            _ = try await browser.get(base + "/v2.0/.well-known/openid-configuration")
            let loud = try await browser.get("/")
            #expect(loud.text.matches(of: #/<li class="routine"/#).count == 2)
            #expect(loud.text.matches(of: #/<li class="bad"/#).count == 1 && !loud.text.contains("No requests yet."))
            // Routine requests do not displace the others.
            for _ in 0..<40 { _ = try await browser.get(base + "/discovery/v2.0/keys") }
            #expect(try await browser.get("/").text.matches(of: #/<li class="bad"/#).count == 1)
        }
    }

    @Test("searches users literally and without case; messages show their codes, and chosen passwords are hidden")
    func searchesUsers() async throws {
        try await withFixture {
            $0.add(4, email: "dora@contoso.example") { $0.password = "My-own-secret-9" }
        } _: { fixture, browser in
            let origin = fixture.emulator.origin
            try fixture.database.send(
                "123456", to: "ana@contoso.example", by: .email, for: .resetPassword, now: EmulatorFixture.start)
            let all = try await browser.get("/")
            for text in [
                ">123456</code> <bdi>ana@contoso.example</bdi>", "Password, unless changed: <code>Passw0rd!</code>",
                "Person 4", "B2C_1_edit_profile", EmulatorFixture.client, "\(origin)/api/hello",
            ] { #expect(all.text.contains(text), "\(text)") }
            #expect(!all.text.contains("My-own-secret-9"))
            let one = try await browser.get("/?q=BEN%40")
            #expect(one.text.contains("Ben Okoro") && !one.text.contains("Chi Tanaka"))
            let none = try await browser.get("/?q=%25%22%3E")
            #expect(none.text.contains("No user matches “%&quot;&gt;”."))
        }
    }

    @Test("offers to start again on a page that has ended, in every form of the address")
    func offersToStartAgain() async throws {
        try await withFixture { fixture in
            let (browser, origin) = (fixture.browser(), fixture.emulator.origin)
            for form in ["", "/tfp"] {
                let page = "\(origin)\(form)/contoso.onmicrosoft.com/b2c_1_SUSI/page/sign-in?transaction=gone"
                let ended = try await browser.get(page)
                #expect(ended.status == 400 && ended.text.contains("<title>Error: This page has expired</title>"))
                let again = try await browser.get(try ended.link("again"))
                #expect(again.location?.hasPrefix("\(origin)/contoso.onmicrosoft.com/b2c_1_susi/oauth2/") == true)
                let signIn = try await browser.get(try #require(again.location))
                #expect(signIn.text.contains("<title>Sign in</title>"))
            }
        }
    }

    @Test("shows one tenant with its outbox and folds long lists")
    func showsOneTenant() async throws {
        var many = try tenantOfTests()
        for index in 0..<50 {
            let name = PolicyName("B2C_1_\(index)_" + String(repeating: "long", count: 20))
            many.policies.append(Policy(name: name, kind: .signUpOrSignIn))
        }
        var empty = Kinds.external
        empty.users = []
        try await withFixture(tenants: [many, empty]) { fixture in
            let browser = fixture.browser()
            let tenants = fixture.emulator.site.tenants
            try tenants[0].database.send(
                "123456", to: "ana@contoso.example", by: .email, for: .resetPassword, now: EmulatorFixture.start)
            let first = try await browser.get("/")
            #expect(first.text.contains("<summary>44 more</summary>") && first.text.contains("123456"))
            let second = try await browser.get("/?tenant=\(tenants[1].label)")
            #expect(!second.text.contains("123456") && !second.text.contains("B2C_1_susi"))
            #expect(second.text.contains("<h2>Users</h2>"))
            let news = try await browser.get("/activity?tenant=\(tenants[1].label)")
            #expect(!news.text.contains("123456"))
        }
    }

    @Test("has the values of the tenant in snippets that programs can read")
    func hasValuesInSnippets() async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.external, Kinds.entra, Kinds.openid]) { fixture in
            let origin = fixture.emulator.origin
            for tenant in fixture.emulator.site.tenants {
                let snippets = try #require(Snippets(tenant, origin))
                let file = try PoliciesFile(text: snippets.policies.utf8, source: "the snippet")
                let application = try #require(file.applications.first)
                #expect(application.kind == tenant.configuration.kind)
                let read = TenantConfiguration(application: application)
                #expect(read.key == tenant.configuration.key || tenant.configuration.kind != .b2c)
                #expect(read.name == tenant.configuration.name)
                #expect(read.applications.first?.clientID == EmulatorFixture.client)
                let line = try #require(snippets.curl.split(separator: "\n").first).split(separator: "'")
                let metadata = try await fixture.browser().get(String(try #require(line.last)))
                #expect(try metadata.json["token_endpoint"]?.string?.hasPrefix(origin) == true)
            }
        }
    }
}
