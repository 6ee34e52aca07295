import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// The request of a sign-in, an edit and a reset: its parameters, and what the store adds.
@Suite("Requests of sign-ins", .inTurn, .timeLimit(.minutes(5)))
struct SignInRequestTests {
    private static let ana = "ana@contoso.example"

    @Test("a sign-in offers a choice of accounts; a named person is hinted at, unless by an identifier")
    func hintsAtNamedPerson() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            let plain = try await client.asked(as: UUID().uuidString)
            #expect(plain["prompt"] == "select_account" && plain["response_mode"] == "query")
            for name in ["login_hint", "claims", "max_age", "ui_locales", "domain_hint"] { #expect(plain[name] == nil) }
            try await tenant.signIn(.ana)
            // A hint that was typed goes before the one of the expected person.
            for expected in [Self.ana, "unknown@contoso.example"] {
                let options = AuthorizationOptions(loginHint: "chi@contoso.example")
                #expect(try await client.asked(as: expected, options)["login_hint"] == "chi@contoso.example")
            }
            #expect(try await client.asked(as: Self.ana)["login_hint"] == Self.ana)
        }
    }

    @Test(
        "a login hint replaces the choice of accounts; a typed choice replaces the hint of an expected person",
        arguments: [
            ("b2c", "contoso.onmicrosoft.com", "login"), ("entra", "tailspin.onmicrosoft.com", nil),
            ("openid", "login", "login"),
        ] as [(String, String, String?)])
    func sendsHintOrChoice(kind: String, path: String, prompt: String?) async throws {
        let policies = kind == "b2c" ? { $0 } : onlyApplication(kind, path)
        try await withLocalTenant(policies: policies) { tenant in
            let client = try tenant.client()
            let choice = AuthorizationOptions(prompt: .selectAccount)
            for asked in [
                try await client.asked(as: Self.ana),
                await client.asked(SignInRequest(options: AuthorizationOptions(loginHint: Self.ana))),
                await client.asked(
                    SignInRequest(options: AuthorizationOptions(prompt: .selectAccount, loginHint: Self.ana))),
            ] { #expect(asked["login_hint"] == Self.ana && asked["prompt"] == prompt, "\(asked)") }
            let chosen = try await client.asked(as: Self.ana, choice)
            #expect(chosen["login_hint"] == nil && chosen["prompt"] == "select_account")
        }
    }

    @Test("a given hint is sent to its own policy, and replaces the stored token where a policy sends that")
    func sendsGivenHint() async throws {
        for sendsStored in [false, true] {
            let edit = { (text: String) in
                text.replacing("\"default\": true", with: "\"default\": true, \"idTokenHint\": \(sendsStored)")
            }
            try await withLocalTenant(policies: edit, signedIn: [.ana]) { tenant in
                let client = try tenant.client()
                let given = SignInRequest(options: AuthorizationOptions(idTokenHint: "a.b.c"))
                #expect(await client.asked(given)["id_token_hint"] == "a.b.c")
                #expect((try await client.asked(as: Self.ana)["id_token_hint"] != nil) == sendsStored)
            }
        }
    }

    @Test("the redirect address has the host of the application; the listener and the emulator expect it there")
    func redirectsToHostOfApplication() async throws {
        let edit = { (text: String) in
            text.replacing("\"redirectPorts\"", with: "\"redirectHost\": \"127.0.0.1\", \"redirectPorts\"")
        }
        try await withLocalTenant(policies: edit) { tenant in
            let client = try tenant.client()
            #expect(await client.asked()["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true)
            try await tenant.signIn(.ana, with: client)
        }
    }

    @Test("a sign-in that makes no account current leaves none current if none was")
    func makesNoAccountCurrent() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            for person in [LocalTenant.Person.ana, .ben] {
                let account = try await tenant.signIn(person, with: client, SignInRequest(makesCurrent: false)).account
                #expect(!account.isCurrent)
            }
        }
    }

    @Test("after the wrong account of a social provider, the next step leads to another one")
    func suggestsWayToOtherSocialAccount() async throws {
        try await withLocalTenant(configure: { $0.offerSocialProvider(alone: true) }) { tenant in
            let request = SignInRequest(expected: .named("sam@mail.example"))
            let error = await expectRefusal(.differentPerson) {
                try await tenant.signIn(.ana, with: try tenant.client(), request, typing: ["email": "pat@mail.example"])
            }
            #expect(error?.next.contains("sign out at social.example") == true, "\(String(describing: error))")
        }
    }

    @Test("an edit and a reset share the options of any page, and send no prompt; the policy can ask for a form")
    func otherPoliciesShareOptions() async throws {
        let edit = { (text: String) in
            text.replacing(
                "\"kind\": \"passwordReset\"", with: "\"kind\": \"passwordReset\", \"responseMode\": \"form_post\""
            ).replacing("\"kind\": \"editProfile\"", with: "\"kind\": \"editProfile\", \"scopes\": [\"own\"]")
        }
        try await withLocalTenant(policies: edit) { tenant in
            let client = try tenant.client()
            try await tenant.signIn(.ana)
            var adding = AuthorizationOptions(prompt: .login, domainHint: "d", uiLocales: "ja")
            try adding.add("a", "b")
            let options = adding
            let edited = await AddressProbe.parameters { try await client.editProfile(options: options, through: $0) }
            let reset = await AddressProbe.parameters { try await client.resetPassword(options: options, through: $0) }
            for asked in [edited, reset] {
                #expect(asked["ui_locales"] == "ja" && asked["a"] == "b" && asked["domain_hint"] == "d", "\(asked)")
                #expect(asked["prompt"] == nil && asked["max_age"] == nil && asked["claims"] == nil)
                // No refresh token that nothing keeps, and no scope of an API, not even the policy's own.
                #expect(asked["scope"] == "openid profile")
            }
            #expect(edited["login_hint"] == Self.ana && edited["response_mode"] == "query")
            #expect(reset["response_mode"] == "form_post")
            let query = await AddressProbe.parameters {
                var options = AuthorizationOptions()
                options.responseMode = .query
                try await client.resetPassword(options: options, through: $0)
            }
            #expect(query["response_mode"] == "query")
        }
    }

    @Test("the account's next sign-in sends a claims challenge beside the caller's claims; it is then removed")
    func sendsStoredClaimsChallengeOnce() async throws {
        try await withLocalTenant { tenant in
            let client = try tenant.client()
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person) }
            let challenge = #"{"access_token": {"acrs": {"essential": true, "value": "c1"}}}"#
            for (selection, label) in [
                (AccountSelection(), Self.ana), (AccountSelection(text: "ben@contoso.example"), "ben@contoso.example"),
            ] {
                let account = try await client.account(selection)
                let error = try await client.remember(claimsChallenge: challenge, for: account)
                #expect(error.code == .signInNeeded && error.next == "sign in as \(label) under B2C_1_susi")
            }
            let text = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
            #expect(await client.asked()["claims"] == text)
            var own = AuthorizationOptions()
            try own.request(claims: #"{"id_token":{"x":null}}"#)
            let merged = await client.asked(SignInRequest(options: own))["claims"]
            #expect(merged == String(text.dropLast() + #","id_token":{"x":null}}"#))
            #expect(await client.asked(SignInRequest(policy: PolicyName("B2C_1_partner")))["claims"] == nil)
            #expect(try await client.asked(as: "chi@contoso.example")["claims"] == nil)
            // A sign-in of another person does not meet a challenge of Ana's tokens.
            try await tenant.signIn(.chi, with: client, SignInRequest(makesCurrent: false))
            #expect(await client.asked()["claims"] == text)
            try await tenant.signIn(.ana)
            #expect(await client.asked()["claims"] == nil)
            #expect(try await client.asked(as: "ben@contoso.example")["claims"] == text)
        }
    }

    // MARK: An edit

    @Test("a policy with an authority of its own is not shown the ID token of another tenant")
    func hintsNoOtherAuthority() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try await withLocalTenant { other in
                for (origin, isHinted) in [(tenant.emulator.origin, true), (other.emulator.origin, false)] {
                    let more = "\"idTokenHint\": true, \"authority\": \"\(origin)/contoso.onmicrosoft.com\""
                    let client = try tenant.client { text in
                        ["editProfile", "passwordReset"].reduce(text) { text, kind in
                            text.replacing("\"kind\": \"\(kind)\"", with: "\"kind\": \"\(kind)\", \(more)")
                        }.replacing("\"knownAuthorities\": [", with: "\"knownAuthorities\": [\"\(origin)\", ")
                    }
                    let edit = await AddressProbe.parameters { try await client.editProfile(through: $0) }
                    let reset = await AddressProbe.parameters { try await client.resetPassword(through: $0) }
                    for asked in [edit, reset] {
                        #expect(
                            asked["client_id"] != nil && (asked["id_token_hint"] != nil) == isHinted, "\(asked.keys)")
                    }
                }
            }
        }
    }

    private static let other = """
        "apis": { "other": { "baseUrl": "http://localhost:8480/api/other",
          "scopes": ["https://contoso.onmicrosoft.com/other/use"] },
        """

    private static func name(_ client: PublicClient, _ api: String) async throws -> String? {
        let token = try await client.token(api: api)
        return try SignedToken(parsing: token.secret).claims["name"]?.string
    }

    @Test("after an edit no access token of the person has the old name")
    func editRemovesTokensWithOldName() async throws {
        try await withLocalTenant(policies: { $0.replacing("\"apis\": {", with: Self.other) }) { tenant in
            let client = try tenant.client()
            for api in ["hello", "other"] {
                try await tenant.signIn(.ana, with: client, SignInRequest(api: api))
                #expect(try await Self.name(client, api) == "Ana Lima")
            }
            for name in ["Ana M", "Ana N"] {
                let answers = LocalTenant.Person.ana.answers.merging(["displayName": name]) { $1 }
                let edited = try await client.editProfile(
                    of: AccountSelection(), policy: nil, through: SignInSurface(browser: FormBrowser(answers: answers)))
                #expect(edited.updated.map(\.account.policy.spelling) == ["B2C_1_susi"] && edited.stale.isEmpty)
                #expect(edited.updated.first?.tokens.count { $0.kind == .access } == 1)
                for api in ["hello", "other"] { #expect(try await Self.name(client, api) == name) }
            }
        }
    }
}
