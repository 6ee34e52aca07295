import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Second factor in native authentication", .inTurn, .timeLimit(.minutes(5)))
struct NativeFactorTests {
    private static let ana = "ana@contoso.example"
    private static let able = "mfa_required registration_required"

    private func withFactor(
        _ factor: PolicySettings.MultiFactor = .always, _ body: (NativeClient) async throws -> Void
    ) async throws {
        try await withNativeClient({ $0.change("default") { $0.multiFactor = factor } }, body)
    }

    /// Sends a password and returns the response, which demands a second factor.
    private func demand(
        _ client: NativeClient, _ capabilities: String? = able, named parameter: String = "capabilities"
    ) async throws -> Received {
        let begun = try await client.go(
            "oauth2/v2.0/initiate",
            ["username": Self.ana, "challenge_type": "password oob redirect", parameter: capabilities])
        let asked = try await client.go("oauth2/v2.0/challenge", ["continuation_token": begun.next])
        return try await client.token(asked.next, ["grant_type": "password", "password": "Passw0rd!"])
    }

    @Test(
        "a method is registered: introspect lists it, a code goes there, and the code signs in",
        arguments: ["oob", "mfa_oob"])
    func asksForRegisteredFactor(grant: String) async throws {
        try await withFactor { client in
            try client.fixture.database.change(EmulatorFixture.ana) { ana in
                ana.phone = "+4930901820"
                ana.factorEmail = "ana@home.example"
            }
            let demanded = try await demand(client, named: grant == "oob" ? "capability" : "capabilities")
            try expectNative(demanded, "invalid_grant", "mfa_required")
            #expect(try demanded.json["error_codes"] == [.integer(50_076)])
            let token = try demanded.json.next
            // Several methods: the request has to name one.
            try await client.refuses(
                "oauth2/v2.0/challenge", ["continuation_token": token], "invalid_request",
                "introspect_required")
            let listed = try await client.go("oauth2/v2.0/introspect", ["continuation_token": token])
            try await client.refuses("oauth2/v2.0/introspect", ["continuation_token": token], "invalid_request")
            let methods = listed["methods"]?.elements ?? []
            #expect(methods.map { $0["challenge_channel"] } == ["sms", "email"])
            #expect(methods.map { $0["login_hint"] } == ["+******1820", "a***@home.example"])
            #expect(methods.allSatisfy { $0["challenge_type"] == "oob" })
            let id = try #require(methods.last?["id"]?.string)
            let nobodys = ["continuation_token": listed.next, "id": "another"]
            try await client.refuses("oauth2/v2.0/challenge", nobodys, "invalid_request")
            let sent = try await client.go("oauth2/v2.0/challenge", ["continuation_token": listed.next, "id": id])
            #expect(sent["challenge_type"] == "oob" && sent["binding_method"] == "prompt")
            #expect(sent["challenge_channel"] == "email" && sent["code_length"] == .integer(8))
            #expect(sent["challenge_target_label"] == "a***@home.example")
            let message = try client.code()
            #expect(message.recipient == "ana@home.example" && message.purpose == .secondFactor)
            try expectNative(
                try await client.token(sent.next, ["grant_type": grant, "oob": "x"]), "invalid_grant",
                "invalid_oob_value")
            // The password was sent before; now a code is required.
            let password = ["grant_type": "password", "password": "Passw0rd!"]
            try expectNative(try await client.token(sent.next, password), "invalid_grant")
            let tokens = try await client.token(sent.next, ["grant_type": grant, "oob": message.code])
            #expect(try tokens.json.claims("id_token")["name"] == "Ana Lima", "\(tokens.text)")
        }
    }

    @Test("registers an address with its code and uses it the next time")
    func registersEmail() async throws {
        try await withFactor { client in
            let demanded = try await demand(client)
            try expectNative(demanded, "invalid_grant", "registration_required")
            #expect(try demanded.json["error_codes"] == [.integer(50_079)])
            let token = try demanded.json.next
            // Without a second factor, no request returns a token.
            try expectNative(try await client.token(token, ["grant_type": "continuation_token"]), "invalid_grant")
            try await client.refuses("oauth2/v2.0/introspect", ["continuation_token": token], "invalid_request")
            let listed = try await client.go("register/v1.0/introspect", ["continuation_token": token])
            let methods = listed["methods"]?.elements ?? []
            #expect(methods.map { $0["id"] } == ["email", "sms"] && methods.first?["login_hint"] == .string(Self.ana))
            var asked: [String: String?] = ["continuation_token": listed.next, "challenge_type": "oob"]
            try await client.refuses("register/v1.0/challenge", asked, "invalid_request")
            for (channel, target) in [("email", "no address"), ("sms", "no number"), ("carrier pigeon", "x")] {
                let wrong = asked.merging(["challenge_channel": channel, "challenge_target": target]) { $1 }
                try await client.refuses("register/v1.0/challenge", wrong, "invalid_request")
            }
            asked["challenge_target"] = "ana@home.example"
            let sent = try await client.go("register/v1.0/challenge", asked)
            #expect(sent["challenge_target"] == "ana@home.example" && sent["challenge_channel"] == "email")
            #expect(sent["challenge_type"] == "oob" && sent["challenge_target_label"] == nil)
            var fields = ["continuation_token": sent.next, "grant_type": "oob", "oob": "x"]
            try await client.refuses("register/v1.0/continue", fields, "invalid_grant", "invalid_oob_value")
            #expect(try user(client).factorEmail == nil)
            fields["grant_type"] = "password"
            try await client.refuses("register/v1.0/continue", fields, "invalid_grant")
            fields["grant_type"] = "continuation_token"
            try await client.refuses("register/v1.0/continue", fields, "invalid_request")
            fields["grant_type"] = "oob"
            fields["oob"] = try client.code().code
            let done = try await client.go("register/v1.0/continue", fields)
            #expect(try user(client).factorEmail == "ana@home.example")
            let tokens = try await client.token(done.next, ["grant_type": "continuation_token"])
            #expect(try tokens.json.claims("id_token")["name"] == "Ana Lima", "\(tokens.text)")
            let next = try await demand(client)
            try expectNative(next, "invalid_grant", "mfa_required")
            // The only method is the default.
            let code = try await client.go("oauth2/v2.0/challenge", ["continuation_token": try next.json.next])
            #expect(code["challenge_target_label"] == "a***@home.example")
        }
    }

    private func user(_ client: NativeClient) throws -> User {
        try #require(try client.fixture.database.user(email: Self.ana))
    }

    @Test("refuses the mailbox of the first factor; a phone is accepted")
    func refusesSameMailbox() async throws {
        try await withFactor { client in
            try client.fixture.database.change(EmulatorFixture.ana) { $0.factorEmail = "ana@home.example" }
            let begun = try await client.go(
                "oauth2/v2.0/initiate",
                ["username": Self.ana, "challenge_type": "oob redirect", "capabilities": Self.able])
            let sent = try await client.go("oauth2/v2.0/challenge", ["continuation_token": begun.next])
            let demanded = try await client.token(sent.next, ["grant_type": "oob", "oob": try client.code().code])
            try expectNative(demanded, "invalid_grant", "registration_required")
            let listed = try await client.go("register/v1.0/introspect", ["continuation_token": try demanded.json.next])
            #expect(listed["methods"]?.elements.map { $0["id"] } == ["sms"])
            let asked = [
                "continuation_token": listed.next, "challenge_type": "oob", "challenge_channel": "sms",
                "challenge_target": "+49 30 901820",
            ]
            let code = try await client.go("register/v1.0/challenge", asked)
            let message = try client.code()
            #expect(message.channel == .phone && message.recipient == "+4930901820")
            let fields = ["continuation_token": code.next, "grant_type": "oob", "oob": message.code]
            let done = try await client.go("register/v1.0/continue", fields)
            #expect(try await client.token(done.next, ["grant_type": "continuation_token"]).status == 200)
            #expect(try user(client).phone == "+4930901820")
        }
    }

    @Test("accepts the address of the sign-up without another code")
    func acceptsVerifiedAddress() async throws {
        try await withFactor { client in
            let eva = "eva@contoso.example"
            let begun = try await client.go(
                "signup/v1.0/start",
                [
                    "username": eva, "challenge_type": "oob password redirect", "password": "Evas-Passw0rd",
                    "capabilities": Self.able,
                ])
            let sent = try await client.go("signup/v1.0/challenge", ["continuation_token": begun.next])
            let code = try client.code().code
            // The code of a sign-up cannot be used to sign in.
            try expectNative(try await client.token(sent.next, ["grant_type": "oob", "oob": code]), "invalid_grant")
            let made = try await client.go(
                "signup/v1.0/continue", ["continuation_token": sent.next, "grant_type": "oob", "oob": code])
            let demanded = try await client.token(made.next, ["grant_type": "continuation_token"])
            try expectNative(demanded, "invalid_grant", "registration_required")
            let asked = try await client.go(
                "register/v1.0/challenge",
                [
                    "continuation_token": try demanded.json.next, "challenge_type": "oob", "challenge_channel": "email",
                    "challenge_target": "EVA@contoso.example",
                ])
            #expect(asked["challenge_type"] == "preverified" && asked["code_length"] == nil)
            let done = try await client.go(
                "register/v1.0/continue", ["continuation_token": asked.next, "grant_type": "continuation_token"])
            let tokens = try await client.token(done.next, ["grant_type": "continuation_token"])
            #expect(try tokens.json.claims("id_token")["preferred_username"] == .string(eva), "\(tokens.text)")
        }
    }

    @Test("redirects a client without the capability to a browser")
    func redirectsIncapableClient() async throws {
        try await withFactor { client in
            for capabilities in [nil, "mfa_required", "other"] {
                let response = try await demand(client, capabilities).expecting(200)
                #expect(
                    try response.json == [
                        "challenge_type": "redirect",
                        "redirect_reason": "Client is missing registration_required capability",
                    ])
            }
            try await withFactor(.totp) { client in
                let reason = try await demand(client).json["redirect_reason"]
                #expect(reason == "An authenticator app needs a browser")
            }
            // The code of a password reset is valid only for the reset.
            let begun = try await client.go(
                "resetpassword/v1.0/start", ["username": "ben@contoso.example", "challenge_type": "oob redirect"])
            let sent = try await client.go("resetpassword/v1.0/challenge", ["continuation_token": begun.next])
            let grant = ["grant_type": "oob", "oob": try client.code().code]
            try expectNative(try await client.token(sent.next, grant), "invalid_grant")
        }
    }
}
