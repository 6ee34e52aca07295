import Crypto
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Options of the authorization request", .inTurn, .timeLimit(.minutes(5)))
struct AuthorizeOptionTests {
    private func isAsked(_ fixture: EmulatorFixture, _ browser: Browser, _ changed: [String: String?]) async throws
        -> Bool
    {
        try await browser.get(fixture.authorize(changed)).status == 200
    }

    @Test("asks again after max_age; auth_time is the time of the sign-in")
    func asksAgainAfterMaxAge() async throws {
        try await withFixture { fixture, browser in
            _ = try await fixture.signIn(browser)
            fixture.emulator.clock.advance(by: 100)
            #expect(try await !isAsked(fixture, browser, ["max_age": "100"]))
            #expect(try await isAsked(fixture, browser, ["max_age": "99"]))
            #expect(try await isAsked(fixture, browser, ["max_age": "0"]))
            let silent = try await browser.get(fixture.authorize(["max_age": "100"]))
            let tokens = try await fixture.redeem(try silent.redirect["code"]).json
            #expect(try tokens.claims("id_token")["auth_time"] == .integer(EmulatorFixture.start))
            let none = try await browser.get(fixture.authorize(["max_age": "99", "prompt": "none"]))
            #expect(try none.redirect["error"] == "interaction_required")
        }
    }

    @Test("reads prompt as a list; none excludes the others, consent has no effect in B2C")
    func readsPrompts() async throws {
        try await withFixture { fixture, browser in
            _ = try await fixture.signIn(browser)
            #expect(try await isAsked(fixture, browser, ["prompt": "login consent"]))
            #expect(try await !isAsked(fixture, browser, ["prompt": "consent"]))
            let mixed = try await browser.get(fixture.authorize(["prompt": "none login"]))
            #expect(try mixed.redirect["error"] == "invalid_request")
        }
    }

    /// A hint of an application, and the error that it causes.
    struct Hint {
        var signer = Signer.curve
        var changed: [String: String] = [:]
        let code: Int
        let reason: String

        /// The signed token; nil if the row has none.
        func token() throws -> String? {
            let claims = [
                "iss": "https://app.contoso.example", "aud": EmulatorFixture.client, "email": "new@contoso.example",
                "name": "New <Person>", "exp": "\(EmulatorFixture.start + 60)", "nbf": "\(EmulatorFixture.start)",
            ].merging(changed) { $1 }
            let members = claims.map { "\"\($0)\":" + (["exp", "nbf"].contains($0) ? $1 : "\"\($1)\"") }
            return changed["none"] == nil ? try signer.token("{\(members.joined(separator: ","))}") : nil
        }
    }

    private static let hints = [
        Hint(changed: ["none": ""], code: 90272, reason: "requires an invitation"),
        Hint(signer: Signer(id: "curve", key: .p256(.init())), code: 90233, reason: "has an invalid signature"),
        Hint(signer: Signer(id: "x", key: .p256(.init())), code: 90233, reason: "unknown key: compare its kid"),
        Hint(changed: ["nbf": "\(EmulatorFixture.start + 1)"], code: 90233, reason: "nbf is in the future"),
        Hint(changed: ["iss": "https://localhost"], code: 90232, reason: "iss is “https://localhost”"),
        Hint(changed: ["aud": "other"], code: 90209, reason: "aud is “other”"),
        Hint(changed: ["exp": "\(EmulatorFixture.start)"], code: 90208, reason: ""),
    ]

    @Test("an invitation that an application signed fills in the address of the new account")
    func readsInvitations() async throws {
        let name = PolicyName("B2C_1A_invitation")
        try await withFixture {
            var (settings, rules) = (PolicySettings(), PolicySettings.Invitations())
            rules.issuer = Self.app
            rules.keys = try JSON(parsing: Signer.keySet(try Signer.curve.jwk()).utf8)
            (settings.offer, settings.invitations) = (.signUp, rules)
            $0.policies.append(Policy(name: name, kind: .signUpOrSignIn))
            $0.settings[name] = settings
        } _: { fixture, browser in
            for hint in Self.hints {
                let page = try await browser.get(
                    fixture.authorize(name.spelling, ["id_token_hint": try hint.token()]))
                let text = try page.redirect["error_description"] ?? ""
                #expect(text.hasPrefix("AADB2C\(hint.code): "), "\(text)")
                #expect(fixture.log.lines.last?.contains(hint.reason) == true, "\(fixture.log.lines)")
            }
            let token = try Hint(code: 0, reason: "").token()
            let page = try await browser.get(fixture.authorize(name.spelling, ["id_token_hint": token]))
            let fields = try page.form().fields
            #expect(fields["email"] == "new@contoso.example" && fields["displayName"] == "New <Person>")
            #expect(page.text.contains("readonly"))
            let typed = [
                "email": "other@contoso.example", "givenName": "N", "surname": "P", "newPassword": "Passw0rd!x",
                "reenterPassword": "Passw0rd!x",
            ]
            let code = try await browser.submit(page, typed).redirect["code"]
            let tokens = try await fixture.redeem(code, policy: name.spelling).json
            #expect(try tokens.claims("id_token")["emails"] == ["new@contoso.example"])
        }
    }

    /// Documents at addresses, in which “@” is their origin, and the error that follows; 0 for none.
    private static let documents: [(name: String, text: String, issuer: String?, code: Int, reason: String)] = [
        ("own", #"{"issuer":"\#(app)","jwks_uri":"@/keys"}"#, nil, 0, ""),
        ("other", #"{"issuer":"https://x","jwks_uri":"@/keys"}"#, nil, 90232, "iss is “\(app)”"),
        ("named", #"{"issuer":"https://x","jwks_uri":"@/keys"}"#, app, 0, ""),
        ("far", #"{"issuer":"\#(app)","jwks_uri":"http://keys.example/"}"#, nil, 90233, "jwks_uri is another"),
        ("keyless", #"{"issuer":"\#(app)","jwks_uri":"@/own"}"#, nil, 90233, "unknown key"),
        ("brief", #"{"issuer":"\#(app)"}"#, nil, 90233, "no issuer or no jwks_uri"),
        ("page", "<html>", app, 90233, "“metadata” does not respond"),
        ("missing", #"{"issuer":"\#(app)","jwks_uri":"@/moved"}"#, nil, 90233, "“jwks_uri” does not respond"),
    ]
    private static let app = "https://app.contoso.example"

    @Test("reads the keys of invitations at the application's address, or verifies them with a secret")
    func readsKeysAtAddress() async throws {
        let keys = Signer.keySet(try Signer.curve.jwk())
        let response = { @Sendable (request: ScriptedServer.Request) -> ScriptedServer.Response in
            let name = String(request.head.split(separator: " ")[1].dropFirst())
            let origin = "http://\(request.header("Host") ?? "")"
            if name == "moved" { return .status("302 Found", "", headers: ["Location: \(origin)/keys"]) }
            return .ok(Self.documents.first { $0.name == name }?.text.replacing("@", with: origin) ?? keys)
        }
        try await ScriptedServer.with(response) { server in
            try await withFixture {
                let rules = Self.documents.map { row in
                    var rules = PolicySettings.Invitations()
                    (rules.metadata, rules.issuer) = ("\(server.origin)/\(row.name)", row.issuer)
                    return (row.name, rules)
                }
                var secret = PolicySettings.Invitations()
                (secret.issuer, secret.secret) = (Self.app, "VK62QTn0 key=")
                for (name, rules) in rules + [("secret", secret)] {
                    $0.policies.append(Policy(name: PolicyName("B2C_1A_\(name)"), kind: .signUpOrSignIn))
                    $0.change("B2C_1A_\(name)") { ($0.offer, $0.invitations) = (.signUp, rules) }
                }
            } _: { fixture, browser in
                let visit = { (name: String, token: String?) in
                    try await browser.get(fixture.authorize("B2C_1A_\(name)", ["id_token_hint": token]))
                }
                let token = try #require(try Hint(code: 0, reason: "").token())
                for row in Self.documents {
                    let page = try await visit(row.name, token)
                    guard row.code != 0 else {
                        #expect(try page.form().fields["email"] == "new@contoso.example", "\(row.name)")
                        continue
                    }
                    let text = try page.redirect["error_description"] ?? ""
                    #expect(text.hasPrefix("AADB2C\(row.code): "), "\(row.name): \(text)")
                    #expect(fixture.log.lines.last?.contains(row.reason) == true, "\(fixture.log.lines)")
                }
                #expect(fixture.log.lines[0].hasPrefix("called metadata at 127.0.0.1:\(server.port): status 200, "))
                #expect(fixture.log.lines[1].hasPrefix("called jwks_uri at "))
                let shared = [
                    ("HS256", "VK62QTn0 key=", 200), ("HS256", "VK62QTn0 key", 303), ("HS512", "VK62QTn0 key=", 303),
                ]
                for (algorithm, secret, status) in shared {
                    let head = Base64URL.encode("{\"alg\":\"\(algorithm)\"}".utf8)
                    let signed = "\(head).\(token.split(separator: ".")[1])"
                    let code = HMAC<SHA256>.authenticationCode(
                        for: Array(signed.utf8), using: SymmetricKey(data: Array(secret.utf8)))
                    let page = try await visit("secret", "\(signed).\(Base64URL.encode(Array(code)))")
                    #expect(page.status == status, "\(algorithm), \(secret)")
                }
                #expect(fixture.log.lines.last?.contains("not signed by HS256 with the secret") == true)
            }
        }
    }

    @Test("ignores a session of another user and refuses another user than in id_token_hint")
    func expectsUserOfHint() async throws {
        try await withFixture { fixture in
            let tokens = try await fixture.tokens()
            let hint = try #require(tokens["id_token"]?.string)
            let browser = fixture.browser()
            _ = try await fixture.signIn(browser, as: "ben@contoso.example")
            let page = try await browser.get(fixture.authorize(["id_token_hint": hint]))
            #expect(try page.form().fields["signInName"] == "ana@contoso.example")
            let filled = ["signInName": "ben@contoso.example", "password": "Passw0rd!"]
            #expect(try await browser.submit(page, filled).redirect["error"] == "access_denied")
            _ = try await fixture.signIn(browser, ["id_token_hint": hint, "prompt": "login"])
            fixture.emulator.clock.advance(by: 10_000)
            // A hint may have expired, but not been modified.
            #expect(try await !isAsked(fixture, browser, ["id_token_hint": hint]))
            let modified = try await browser.get(fixture.authorize(["id_token_hint": hint + "A"]))
            #expect(try modified.redirect["error_description"]?.hasPrefix("AADB2C90233: ") == true)
            let access = tokens["access_token"]?.string
            let other = try await browser.get(fixture.authorize(["id_token_hint": access]))
            #expect(try other.redirect["error"] == "invalid_request")
        }
    }

    @Test("issues the policy's parameters as claims and ignores others")
    func issuesParametersAsClaims() async throws {
        try await withFixture({ $0.claimedParameters = ["campaign", "ui_locales", "domain_hint"] }) { fixture in
            let json = try await fixture.tokens([
                "campaign": "spring & <sun>", "ui_locales": "ja en", "domain_hint": "contoso.example", "other": "x",
            ])
            let claims = try json.claims("id_token")
            #expect(claims["campaign"] == "spring & <sun>")
            #expect(claims["ui_locales"] == "ja en")
            #expect(claims["domain_hint"] == "contoso.example")
            #expect(claims["other"] == nil)
            let refreshed = try await fixture.refresh(json["refresh_token"]?.string).json
            #expect(try refreshed.claims("id_token")["campaign"] == "spring & <sun>")
        }
    }

    @Test("asks the user for a requested authentication context and issues it")
    func issuesRequestedContext() async throws {
        try await withFixture { fixture, browser in
            _ = try await fixture.signIn(browser)
            let asked = #"{"access_token":{"acrs":{"essential":true,"value":"c1"},"name":{"value":"Eve"}}}"#
            try await browser.get(fixture.authorize(["claims": asked])).expecting(200)
            let json = try await fixture.tokens(["claims": asked])
            #expect(try json.claims("access_token")["acrs"] == ["c1"])
            #expect(try json.claims("access_token")["name"] == "Ana Lima")
            #expect(try json.claims("id_token")["acrs"] == nil)
            let again = try await fixture.refresh(json["refresh_token"]?.string, ["claims": asked]).json
            #expect(try again.claims("access_token")["acrs"] == ["c1"])
            let plain = try await fixture.tokens()["refresh_token"]?.string
            let refused = try await fixture.refresh(plain, ["claims": asked])
            #expect(try refused.json["error"] == "interaction_required")
            for wrong in ["[]", "{", "acrs"] {
                let response = try await fixture.ask(["claims": wrong])
                #expect(try response.redirect["error"] == "invalid_request")
            }
        }
    }

    @Test("sends the issuer in the redirect, announced or not", arguments: [true, false])
    func sendsIssuerInRedirect(isAnnounced: Bool) async throws {
        try await withFixture({ $0.issuerParameter = isAnnounced ? .announced : .unannounced }) { fixture in
            let metadata = try await Door(fixture, "/contoso.onmicrosoft.com/b2c_1_susi/v2.0").metadata
            let announced = metadata["authorization_response_iss_parameter_supported"]?.boolean ?? false
            #expect(announced == isAnnounced)
            for mode in ["query", "fragment"] {
                let redirect = try await fixture.signIn(fixture.browser(), ["response_mode": mode]).redirect
                #expect(redirect["iss"] == metadata["issuer"]?.string)
            }
            let form = try await fixture.signIn(fixture.browser(), ["response_mode": "form_post"]).form()
            #expect(form.fields["iss"] == metadata["issuer"]?.string)
        }
    }

    @Test("silently withholds scopes that the tenant declines")
    func withholdsDeclinedScopes() async throws {
        let other = "https://contoso.onmicrosoft.com/hello/demo.write"
        try await withFixture {
            $0.apis[0].scopes.append("demo.write")
            $0.declines = [other, "\(other)d"]
        } _: { fixture in
            let json = try await fixture.tokens(["scope": "openid \(EmulatorFixture.scope) \(other)"])
            #expect(json["scope"] == .string("\(EmulatorFixture.scope) openid"))
            #expect(try json.claims("access_token")["scp"] == "demo.read")
            let none = try await fixture.tokens(["scope": "openid \(other)"])
            #expect(none["access_token"] == nil && none["scope"] == "openid")
            // Mistyped: it is not registered.
            let mistyped = try await fixture.tokens(["scope": "openid \(other)d"])
            #expect(mistyped["access_token"] == nil && mistyped["id_token"] != nil)
        }
    }

    @Test("writes numbers as strings, and refreshes without an ID token")
    func writesNumbersAsStrings() async throws {
        try await withFixture {
            $0.numbersAsStrings = true
            $0.refreshGivesIDToken = false
            $0.lifetimes.refreshIn = 1_800
        } _: { fixture in
            let json = try await fixture.tokens()
            #expect(json["expires_in"] == "3600")
            #expect(json["expires_on"] == .string("\(EmulatorFixture.start + 3_600)"))
            #expect(json["refresh_in"] == "1800")
            #expect(json["id_token"] != nil)
            let refreshed = try await fixture.refresh(json["refresh_token"]?.string).json
            #expect(refreshed["id_token"] == nil && refreshed["access_token"] != nil)
        }
    }

    @Test("serves every endpoint in the third form of the address")
    func servesQueryForm() async throws {
        try await withFixture { fixture in
            let door = try await Door(fixture, "/contoso.onmicrosoft.com/v2.0", query: "?p=b2c_1_susi")
            let browser = fixture.browser()
            #expect(try door.endpoint("token_endpoint").hasSuffix("/oauth2/v2.0/token?p=b2c_1_susi"))
            #expect(try await door.redeem(try await door.signIn(browser, "openid")).status == 200)
            let out = try await browser.get(try door.endpoint("end_session_endpoint"))
            #expect(out.text.contains("You have signed out"))
        }
    }
}
