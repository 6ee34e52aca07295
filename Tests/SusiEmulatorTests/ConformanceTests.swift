import FoundationEssentials
import NIOHTTP1
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

/// What the standards demand of every request, whatever it is for.
@Suite("What the standards demand", .inTurn, .timeLimit(.minutes(2)))
struct ConformanceTests {
    @Test("a parameter comes once, whatever its value (RFC 6749 sections 3.1 and 3.2)")
    func repeated() async throws {
        try await withScene { scene in
            for (name, value) in [("scope", "openid"), ("prompt", "login"), ("x", "1")] {
                let once = scene.authorize("B2C_1_susi", [name: value])
                let twice = try await scene.browser().get("\(once)&\(name)=\(value)").redirect
                #expect(twice["error"] == "invalid_request" && twice["state"] == "a state/&", "\(name)")
                #expect(twice["error_description"]?.contains("more than once: \(name).") == true)
            }
            // Of two addresses, or two clients, nobody is answered, however good the second one is.
            for (name, first, second) in [
                ("redirect_uri", "http://localhost:1/", "http://localhost:8400/"),
                ("redirect_uri", "http://localhost:8400/", "http://localhost:8401/"),
                ("client_id", "nobody", Scene.client),
            ] {
                let asked = scene.authorize("B2C_1_susi", [name: first])
                let answer = try await scene.browser().get("\(asked)&\(name)=\(percentEncoded(second))")
                #expect(answer.status == 400 && answer.location == nil, "\(name)")
            }
            let token = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token"
            let form = [("Content-Type", "application/x-www-form-urlencoded")]
            let fields = "grant_type=refresh_token&client_id=\(Scene.client)&refresh_token=x"
            let again = try await scene.browser().send(.POST, token, form, fields + "&client_id=\(Scene.client)")
            #expect(try again.json["error"] == "invalid_request" && again.json.code == 90083)
            let other = try await scene.browser().send(
                .POST, token, [("Content-Type", "application/x-www-form-urlencodedish")], fields)
            #expect(try other.json.code == 90083, "a form is a form")
        }
    }

    @Test("a request object is refused by its name, unless the policy reads a parameter that is called so")
    func requestObjects() async throws {
        try await withScene(tenants: [try tenantOfTests(), Kinds.entra, Kinds.openid]) { scene in
            for path in ["/contoso.onmicrosoft.com/B2C_1_susi/v2.0", "/tailspin.onmicrosoft.com/v2.0", "/login"] {
                let door = try await Door(scene, path)
                for name in ["request", "request_uri"] {
                    let answer = try await scene.browser().get(try door.authorize("openid", [name: "urn:x"]))
                    #expect(try answer.redirect["error"] == "\(name)_not_supported", "\(path)")
                }
            }
        }
        try await withScene {
            $0.claimedParameters = ["request"]
        } _: { scene in
            let tokens = try await scene.tokens(["request": "r"])
            #expect(try tokens.claims("id_token")["request"] == "r")
        }
    }

    @Test("HEAD answers as GET does, without the body; OPTIONS and refusals say which methods there are")
    func methods() async throws {
        try await withScene { scene in
            let browser = scene.browser()
            for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys", "oauth2/v2.0/authorize"] {
                let address = "\(scene.tenant)/B2C_1_susi/\(path)"
                let (get, head) = (try await browser.get(address), try await browser.send(.HEAD, address, [], nil))
                #expect(head.status == get.status && head.text.isEmpty, "\(path)")
                for name in ["content-type", "cache-control"] { #expect(head.header(name) == get.header(name)) }
            }
            let keys = "\(scene.tenant)/B2C_1_susi/discovery/v2.0/keys"
            let length = try await browser.get(keys).text.utf8.count
            #expect(try await browser.send(.HEAD, keys, [], nil).header("content-length") == "\(length)")
            // The connection goes on as it should.
            #expect(try await browser.get(keys).json["keys"] != nil)
            for (path, allowed) in [
                ("oauth2/v2.0/token", "POST, OPTIONS"), ("oauth2/v2.0/authorize", "GET, HEAD, POST, OPTIONS"),
                ("discovery/v2.0/keys", "GET, HEAD, OPTIONS"),
            ] {
                let address = "\(scene.tenant)/B2C_1_susi/\(path)"
                let refused = try await browser.send(.DELETE, address, [], nil)
                #expect(refused.status == 405 && refused.header("allow") == allowed, "\(path)")
                let asked = try await browser.send(.OPTIONS, address, [], nil)
                #expect(asked.status == 204 && asked.header("allow") == allowed, "\(path)")
            }
            #expect(try await browser.get("\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token").status == 405)
        }
    }

    @Test("a client that names itself in the header is refused there (RFC 6749 section 5.2), and named once (2.3)")
    func basic() async throws {
        try await withScene { scene in
            let token = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token"
            let send = { (user: String, fields: [String: String]) in
                let value = Data64.text("\(user):")
                return try await scene.browser().post(
                    token, ["grant_type": "refresh_token", "refresh_token": "x"].merging(fields) { $1 },
                    [("Authorization", "Basic \(value)")])
            }
            let unknown = try await send("nobody", [:])
            #expect(unknown.status == 401 && unknown.header("www-authenticate")?.hasPrefix("Basic realm=") == true)
            #expect(try unknown.json["error"] == "invalid_client")
            #expect(try await send(Scene.client, [:]).json.code == 90129)
            #expect(try await send(Scene.client, ["client_id": Scene.client.uppercased()]).json.code == 90129)
            let two = try await send("nobody", ["client_id": Scene.client])
            #expect(two.status == 400 && two.text.contains("two clients"))
            let plain = try await scene.redeem("x", ["client_id": "nobody"])
            #expect(plain.status == 400 && plain.header("www-authenticate") == nil)
            for answer in [unknown, two, plain] { #expect(answer.header("cache-control") == "no-store") }
        }
    }

    @Test("prompt=none shows no page, whatever the policy is for")
    func silent() async throws {
        try await withScene {
            $0.policies.append(Policy(name: PolicyName("B2C_1_ropc"), kind: .resourceOwner))
            $0.change("B2C_1_susi") { $0.identityProviders = [.social] }
        } _: { scene in
            let browser = scene.browser()
            let policies = ["B2C_1_susi", "B2C_1_edit_profile", "B2C_1_reset", "B2C_1_ropc"]
            for isSignedIn in [false, true] {
                if isSignedIn { _ = try await scene.signIn(browser, policy: "B2C_1_edit_profile") }
                for policy in policies where !(isSignedIn && policy == "B2C_1_susi") {
                    for mode in ["query", "fragment"] {
                        let asked = ["prompt": "none", "response_mode": mode]
                        let answer = try await browser.get(scene.authorize(policy, asked))
                        #expect(try answer.redirect["error"] == "interaction_required", "\(policy) \(isSignedIn)")
                        #expect(answer.location?.contains(mode == "query" ? "/?error" : "/#error") == true)
                    }
                }
            }
            #expect(try await browser.get(scene.authorize("B2C_1_susi", ["prompt": "none"])).redirect["code"] != nil)
        }
    }

    @Test("state comes back as it was, whatever it is; other odd inputs do no harm")
    func odd() async throws {
        try await withScene { scene in
            for state in [
                "\u{0}\r\nSet-Cookie: x=1", "äß日本👩‍👩‍👧", "%2B+%", "\"'<>\\", String(repeating: "s", count: 7_000),
            ] {
                let answer = try await scene.browser().get(
                    scene.authorize("B2C_1_susi", ["state": state, "prompt": "none"]))
                #expect(try answer.redirect["state"] == state)
                #expect(answer.header("set-cookie") == nil)
                let form = try await scene.browser().get(
                    scene.authorize("B2C_1_susi", ["state": state, "prompt": "none", "response_mode": "form_post"]))
                #expect(form.status == 200 && !form.text.contains("x=1\n"))
            }
            for name in ["\u{0}", "ana@contoso.example\u{0}", "' OR 1=1 --", String(repeating: "a", count: 5_000)] {
                let answer = try await scene.signIn(scene.browser(), as: name)
                #expect(answer.status == 200 && answer.location == nil)
            }
            let address = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token"
            for body in ["%", "=", "&&&", "grant_type", "grant_type=%00", "a=%zz&client_id=%ff%fe"] {
                let form = [("Content-Type", "application/x-www-form-urlencoded")]
                let answer = try await scene.browser().send(.POST, address, form, body)
                #expect(answer.status == 400, "\(body)")
                #expect(try answer.json["error"]?.string != nil)
            }
        }
    }

    @Test("user info wants the scope openid (OpenID Connect Core section 5.3); errors hold plain characters only")
    func plainProvider() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            let door = try await Door(scene, "/login")
            let address = try door.endpoint("userinfo_endpoint")
            let token = try await door.tokens("items.read")["access_token"]?.string ?? ""
            let answer = try await scene.browser().get(address, [("Authorization", "Bearer \(token)")])
            #expect(answer.status == 403)
            #expect(
                answer.header("www-authenticate") == """
                    Bearer realm="login", error="insufficient_scope", \
                    error_description="The token does not have the scope openid", scope="openid"
                    """)
            let odd = try await scene.browser().get(try door.authorize("openid a\"b\\cé")).redirect
            #expect(odd["error"] == "invalid_scope")
            #expect(odd["error_description"]?.contains("a?b?c?") == true)
            // A scope that is missing is an invalid one (RFC 6749 section 3.3).
            let none = try await scene.browser().get(try door.authorize("openid", ["scope": nil])).redirect
            #expect(none["error"] == "invalid_scope")
        }
    }

    @Test("a client gives back its own tokens only (RFC 7009 section 2.1)")
    func revocation() async throws {
        var tenant = Kinds.openid
        tenant.applications.append(
            RegisteredApplication(clientID: "other", redirectAddresses: ["http://localhost:8400/"]))
        try await withScene(tenants: [tenant]) { scene in
            let door = try await Door(scene, "/login")
            let access = try await door.tokens("openid")["access_token"]?.string ?? ""
            let revoke = { (client: String) in
                try await scene.browser().post(
                    try door.endpoint("revocation_endpoint"), ["client_id": client, "token": access])
            }
            let address = try door.endpoint("userinfo_endpoint")
            let ask = { try await scene.browser().get(address, [("Authorization", "Bearer \(access)")]).status }
            #expect(try await revoke("other").json["error"] == "invalid_grant")
            let before = try await ask()
            #expect(try await revoke(Scene.client).status == 200)
            let after = try await ask()
            #expect(before == 200 && after == 401)
        }
    }

    @Test("a sign-out adds its state to the query, not to the fragment; an access token is no hint")
    func signOut() async throws {
        try await withScene { scene in
            let logout = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/logout?state=a%26b&post_logout_redirect_uri="
            for (address, expected) in [
                ("http://localhost:9/x", "http://localhost:9/x?state=a%26b"),
                ("http://localhost:9/x?y=1#z?", "http://localhost:9/x?y=1&state=a%26b#z?"),
            ] {
                let answer = try await scene.browser().get(logout + percentEncoded(address))
                #expect(answer.location == expected)
            }
            let access = try await scene.tokens()["access_token"]?.string ?? ""
            let hinted = try await scene.browser().get(scene.authorize("B2C_1_susi", ["id_token_hint": access]))
            #expect(try hinted.redirect["error"] == "invalid_request")
        }
    }
}

/// base64 with padding, as HTTP Basic has it.
private enum Data64 {
    static func text(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
