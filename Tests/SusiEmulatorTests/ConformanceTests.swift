import FoundationEssentials
import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// Rules of the standards for every request.
@Suite("Conformance", .inTurn, .timeLimit(.minutes(5)))
struct ConformanceTests {
    @Test("refuses a repeated parameter, whatever its value (RFC 6749 sections 3.1 and 3.2)")
    func refusesRepeatedParameter() async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.entra]) { fixture in
            let door = try await Door(fixture, "/tailspin.onmicrosoft.com/v2.0")
            let entra = try await fixture.browser().get("\(try door.authorize("openid"))&scope=openid").redirect
            #expect(entra["error_description"]?.hasPrefix("AADSTS9000411: ") == true, "\(entra)")
            for (name, value) in [("scope", "openid"), ("prompt", "login"), ("x", "1")] {
                let once = fixture.authorize([name: value])
                let twice = try await fixture.browser().get("\(once)&\(name)=\(value)").redirect
                #expect(twice["error"] == "invalid_request" && twice["state"] == "a state/&", "\(name)")
                #expect(twice["error_description"]?.contains("parameter '\(name)' is duplicated.") == true)
            }
            // With two addresses or two clients the request is refused, even if one of them is valid.
            for (name, first, second) in [
                ("redirect_uri", "http://localhost:1/", "http://localhost:8400/"),
                ("redirect_uri", "http://localhost:8400/", "http://localhost:8401/"),
                ("client_id", "unknown", EmulatorFixture.client),
            ] {
                let asked = fixture.authorize([name: first])
                let response = try await fixture.browser().get("\(asked)&\(name)=\(PercentEncoding.encode(second))")
                #expect(response.status == 400 && response.location == nil, "\(name)")
            }
            let token = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token"
            let form = [("Content-Type", "application/x-www-form-urlencoded")]
            let fields = "grant_type=refresh_token&client_id=\(EmulatorFixture.client)&refresh_token=x"
            let again = try await fixture.browser().send(
                .POST, token, form, fields + "&client_id=\(EmulatorFixture.client)")
            #expect(try again.json["error"] == "invalid_request" && again.json.code == 90083)
            let other = try await fixture.browser().send(
                .POST, token, [("Content-Type", "application/x-www-form-urlencodedish")], fields)
            #expect(try other.json.code == 90083, "a form is a form")
        }
    }

    @Test("refuses a request object, unless the policy reads a parameter of that name")
    func refusesRequestObject() async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.entra, Kinds.openid]) { fixture in
            for path in ["/contoso.onmicrosoft.com/B2C_1_susi/v2.0", "/tailspin.onmicrosoft.com/v2.0", "/login"] {
                let door = try await Door(fixture, path)
                for name in ["request", "request_uri"] {
                    let response = try await fixture.browser().get(try door.authorize("openid", [name: "urn:x"]))
                    #expect(try response.redirect["error"] == "\(name)_not_supported", "\(path)")
                }
            }
        }
        try await withFixture({ $0.claimedParameters = ["request"] }) { fixture in
            let tokens = try await fixture.tokens(["request": "r"])
            #expect(try tokens.claims("id_token")["request"] == "r")
        }
    }

    @Test("answers HEAD like GET without a body; OPTIONS and refusals list the methods")
    func answersHeadAndOptions() async throws {
        try await withFixture { fixture, browser in
            for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys", "oauth2/v2.0/authorize"] {
                let address = "\(fixture.tenant)/B2C_1_susi/\(path)"
                let (get, head) = (try await browser.get(address), try await browser.send(.HEAD, address, [], nil))
                #expect(head.status == get.status && head.text.isEmpty, "\(path)")
                for name in ["content-type", "cache-control"] { #expect(head.header(name) == get.header(name)) }
            }
            let keys = "\(fixture.tenant)/B2C_1_susi/discovery/v2.0/keys"
            let length = try await browser.get(keys).text.utf8.count
            #expect(try await browser.send(.HEAD, keys, [], nil).header("content-length") == "\(length)")
            // The connection can still be used.
            #expect(try await browser.get(keys).json["keys"] != nil)
            for (path, allowed) in [
                ("oauth2/v2.0/token", "POST, OPTIONS"), ("oauth2/v2.0/authorize", "GET, HEAD, POST, OPTIONS"),
                ("discovery/v2.0/keys", "GET, HEAD, OPTIONS"),
            ] {
                let address = "\(fixture.tenant)/B2C_1_susi/\(path)"
                let refused = try await browser.send(.DELETE, address, [], nil)
                #expect(refused.status == 405 && refused.header("allow") == allowed, "\(path)")
                let asked = try await browser.send(.OPTIONS, address, [], nil)
                #expect(asked.status == 204 && asked.header("allow") == allowed, "\(path)")
            }
        }
    }

    @Test("challenges a client that authenticates in the header (RFC 6749 section 5.2) and refuses two names (2.3)")
    func challengesClientInHeader() async throws {
        try await withFixture { fixture in
            let token = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token"
            let send = { (user: String, fields: [String: String]) in
                let value = Data("\(user):".utf8).base64EncodedString()
                return try await fixture.browser().post(
                    token, ["grant_type": "refresh_token", "refresh_token": "x"].merging(fields) { $1 },
                    [("Authorization", "Basic \(value)")])
            }
            let unknown = try await send("unknown", [:])
            #expect(unknown.status == 401 && unknown.header("www-authenticate")?.hasPrefix("Basic realm=") == true)
            #expect(try unknown.json["error"] == "invalid_client")
            #expect(try await send(EmulatorFixture.client, [:]).json.code == 90129)
            #expect(
                try await send(EmulatorFixture.client, ["client_id": EmulatorFixture.client.uppercased()]).json.code
                    == 90129)
            let two = try await send("unknown", ["client_id": EmulatorFixture.client])
            #expect(two.status == 400 && two.text.contains("two clients"))
            let plain = try await fixture.redeem("x", ["client_id": "unknown"])
            #expect(plain.status == 400 && plain.header("www-authenticate") == nil)
            for response in [unknown, two, plain] { #expect(response.header("cache-control") == "no-store") }
        }
    }

    @Test("shows no page with prompt=none, whatever the policy")
    func showsNoPageWithPromptNone() async throws {
        try await withFixture {
            $0.addPasswordPolicy()
            $0.change("B2C_1_susi") { $0.identityProviders = [.social] }
        } _: { fixture, browser in
            let policies = ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_reset", "B2C_1_ropc"]
            for isSignedIn in [false, true] {
                if isSignedIn { _ = try await fixture.signIn(browser, policy: "B2C_1_edit_profile") }
                for policy in policies where !(isSignedIn && policy == "B2C_1_susi") {
                    for mode in ["query", "fragment"] {
                        let asked = ["prompt": "none", "response_mode": mode]
                        let response = try await browser.get(fixture.authorize(policy, asked))
                        #expect(try response.redirect["error"] == "interaction_required", "\(policy) \(isSignedIn)")
                        #expect(response.location?.contains(mode == "query" ? "/?error" : "/#error") == true)
                    }
                }
            }
            #expect(try await browser.get(fixture.authorize(["prompt": "none"])).redirect["code"] != nil)
        }
    }

    @Test("returns the state unchanged, and survives odd inputs")
    func returnsState() async throws {
        try await withFixture { fixture in
            for state in [
                "\u{0}\r\nSet-Cookie: x=1", "äß日本👩‍👩‍👧", "%2B+%", "\"'<>\\", String(repeating: "s", count: 7_000),
            ] {
                let response = try await fixture.ask(["state": state, "prompt": "none"])
                #expect(try response.redirect["state"] == state)
                #expect(response.header("set-cookie") == nil)
                let form = try await fixture.ask(["state": state, "prompt": "none", "response_mode": "form_post"])
                #expect(form.status == 200 && !form.text.contains("x=1\n"))
            }
            for name in ["\u{0}", "ana@contoso.example\u{0}", "' OR 1=1 --", String(repeating: "a", count: 5_000)] {
                let response = try await fixture.signIn(fixture.browser(), as: name)
                #expect(response.status == 200 && response.location == nil)
            }
            let address = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token"
            for body in ["%", "=", "&&&", "grant_type", "grant_type=%00", "a=%zz&client_id=%ff%fe"] {
                let form = [("Content-Type", "application/x-www-form-urlencoded")]
                let response = try await fixture.browser().send(.POST, address, form, body)
                #expect(response.status == 400, "\(body)")
                #expect(try response.json["error"]?.string != nil)
            }
            let large = "a=" + String(repeating: "x", count: 70_000)
            let form = [("Content-Type", "application/x-www-form-urlencoded")]
            #expect(try await fixture.browser().send(.POST, address, form, large).status == 413)
        }
    }

    @Test(
        "requires the scope openid for user info (OpenID Connect Core section 5.3); errors have allowed characters only"
    )
    func requiresOpenIDScopeForUserInfo() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            let token = try await door.tokens("items.read")["access_token"]
            let response = try await fixture.call(try door.endpoint("userinfo_endpoint"), token).expecting(403)
            #expect(
                response.header("www-authenticate") == """
                    Bearer realm="login", error="insufficient_scope", \
                    error_description="The token does not have the scope openid", scope="openid"
                    """)
            let odd = try await fixture.browser().get(try door.authorize("openid a\"b\\cé")).redirect
            #expect(odd["error"] == "invalid_scope")
            #expect(odd["error_description"]?.contains("a?b?c?") == true)
            // A missing scope is reported as an invalid one (RFC 6749 section 3.3).
            let none = try await fixture.browser().get(try door.authorize("openid", ["scope": nil])).redirect
            #expect(none["error"] == "invalid_scope")
        }
    }
}
