import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Native authentication", .inTurn, .timeLimit(.minutes(5)))
struct NativeTests {
    @Test("signs in with a password after a wrong one; a token is valid for one step")
    func signsInWithPassword() async throws {
        try await withNativeClient { client in
            let begun = try await client.go(
                "oauth2/v2.0/initiate", ["username": "ana@contoso.example", "challenge_type": "password redirect"])
            // The password challenge was not requested yet.
            try expectNative(
                try await client.token(begun.next, ["grant_type": "password", "password": "Passw0rd!"]),
                "invalid_grant")
            let asked = try await client.go("oauth2/v2.0/challenge", ["continuation_token": begun.next])
            #expect(asked["challenge_type"] == "password")
            try await client.refuses("oauth2/v2.0/challenge", ["continuation_token": begun.next], "invalid_grant")
            let wrong = ["grant_type": "password", "password": "no"]
            try expectNative(try await client.token(asked.next, wrong), "invalid_grant")
            let right = ["grant_type": "password", "password": "Passw0rd!"]
            let tokens = try await client.token(asked.next, right).json
            let door = try await Door(client.fixture, "/fabrikam.onmicrosoft.com/v2.0")
            #expect(try await door.verified(tokens["id_token"])["name"] == "Ana Lima")
            #expect(try await door.verified(tokens["access_token"])["scp"] == "items.read")
            #expect(try await door.refresh(tokens).status == 200)
            try expectNative(try await client.token(asked.next, right), "invalid_grant")
        }
    }

    @Test("signs in with a code by email; an older code and a fifth wrong code are void")
    func signsInWithCode() async throws {
        try await withNativeClient { client in
            let first = try await client.challenged("oob redirect")
            #expect(first["challenge_type"] == "oob" && first["binding_method"] == "prompt")
            #expect(first["challenge_channel"] == "email" && first["code_length"] == .integer(8))
            #expect(first["challenge_target_label"] == "a***@contoso.example")
            let old = try client.code()
            #expect(old.recipient == "ana@contoso.example" && old.code.count == 8)
            let second = try await client.go("oauth2/v2.0/challenge", ["continuation_token": first.next])
            let new = try client.code()
            let grant = ["grant_type": "oob", "oob": old.code]
            if old.code != new.code {
                try expectNative(try await client.token(second.next, grant), "invalid_grant", "invalid_oob_value")
            }
            try await client.token(second.next, ["grant_type": "oob", "oob": new.code]).expecting(200)
            let third = try await client.challenged("oob redirect")
            let guess = ["grant_type": "oob", "oob": "x"]
            for _ in 1...5 {
                try expectNative(try await client.token(third.next, guess), "invalid_grant", "invalid_oob_value")
            }
            let right = ["grant_type": "oob", "oob": try client.code().code]
            try expectNative(try await client.token(third.next, right), "invalid_grant", "invalid_oob_value")
            let log = client.fixture.log.lines.joined()
            for secret in [old.code, new.code, second.next ?? "?"] { #expect(!log.contains(secret)) }
        }
    }

    @Test("locks the account after wrong codes; a blocked account cannot reset")
    func locksAccountAfterWrongCodes() async throws {
        try await withNativeClient {
            $0.change("default") { $0.lockoutFailures = 3 }
            $0.add(1, email: "old@contoso.example") { $0.isBlocked = true }
        } _: { client in
            for expected in ["invalid_oob_value", "invalid_oob_value", nil] {
                let begun = try await client.challenged("oob redirect")
                let response = try await client.token(begun.next, ["grant_type": "oob", "oob": "x"])
                #expect(try response.json["suberror"]?.string == expected, "\(response.text)")
            }
            let begun = try await client.challenged("oob redirect")
            let right = ["grant_type": "oob", "oob": try client.code().code]
            #expect(try await client.token(begun.next, right).text.contains("AADSTS50053"))
            let blocked = try await client.post(
                "resetpassword/v1.0/start", ["username": "old@contoso.example", "challenge_type": "oob redirect"])
            #expect(blocked.status == 400 && blocked.text.contains("AADSTS50057"))
        }
    }

    @Test("signs up with code, password and attributes, and signs in again")
    func signsUpStepByStep() async throws {
        try await withNativeClient {
            var settings = PolicySettings()
            settings.attributes = [
                PolicySettings.Attribute("displayName", isRequired: true), PolicySettings.Attribute("city"),
                PolicySettings.Attribute("extension_Tier", isRequired: true, choices: ["gold", "silver"]),
            ]
            $0.settings[PolicyName("default")] = settings
        } _: { client in
            let eva = "eva@contoso.example"
            let types = "oob password redirect"
            let begun = try await client.go("signup/v1.0/start", ["username": eva, "challenge_type": types])
            let sent = try await client.go("signup/v1.0/challenge", ["continuation_token": begun.next])
            #expect(sent["challenge_type"] == "oob" && sent["interval"] == .integer(300))
            let continuePath = "signup/v1.0/continue"
            var fields = ["continuation_token": sent.next, "grant_type": "oob", "oob": "x"]
            try await client.refuses(continuePath, fields, "invalid_grant", "invalid_oob_value")
            fields["oob"] = try client.code().code
            let credential = try await client.post(continuePath, fields)
            try expectNative(credential, "credential_required")
            let asked = try await client.go("signup/v1.0/challenge", ["continuation_token": try credential.json.next])
            #expect(asked["challenge_type"] == "password")
            fields = ["continuation_token": asked.next, "grant_type": "password", "password": "Evas-Passw0rd"]
            let missing = try await client.post(continuePath, fields)
            try expectNative(missing, "attributes_required")
            let required: JSON = [
                ["name": "displayName", "type": "string", "required": .bool(true)],
                ["name": "extension_Tier", "type": "string", "required": .bool(true)],
            ]
            #expect(try missing.json["required_attributes"] == required)
            fields = ["continuation_token": try missing.json.next, "grant_type": "attributes"]
            fields["attributes"] = #"{"displayName":"Eva","extension_Tier":"tin"}"#
            let invalid = try await client.post(continuePath, fields)
            try expectNative(invalid, "invalid_grant", "attribute_validation_failed")
            #expect(try invalid.json["invalid_attributes"] == [["name": "extension_Tier"]])
            fields["attributes"] = #"{"displayName":"Eva","extension_Tier":"gold","oid":"x"}"#
            let done = try await client.go(continuePath, fields)
            let tokens = try await client.token(done.next, ["grant_type": "continuation_token"])
            #expect(try tokens.json.claims("id_token")["name"] == "Eva")
            let again = try await client.challenged("password redirect", as: eva)
            let grant = ["grant_type": "password", "password": "Evas-Passw0rd"]
            #expect(try await client.token(again.next, grant).status == 200)
            let user = try client.fixture.database.user(email: eva)
            #expect(user?.attributes == ["extension_Tier": "gold"])
        }
    }

    @Test("signs up with everything in one request, and without a password")
    func signsUpAtOnce() async throws {
        try await withNativeClient { client in
            let long = "Aa1-" + String(repeating: "x", count: 252)
            try await client.refuses(
                "signup/v1.0/start",
                [
                    "username": "fay@contoso.example", "challenge_type": "oob password redirect",
                    "password": long + "x",
                ], "invalid_grant", "password_too_long")
            let done = try await client.prove(
                "signup",
                [
                    "username": "fay@contoso.example", "challenge_type": "oob password redirect", "password": long,
                    "attributes": #"{"displayName":"Fay"}"#,
                ]
            ).json
            let tokens = try await client.token(done.next, ["grant_type": "continuation_token"])
            #expect(try tokens.json.claims("id_token")["name"] == "Fay")
            _ = try await client.prove("signup", ["username": "gus@contoso.example", "challenge_type": "oob redirect"])
            // A user without a password gets a code, whatever the client supports.
            let asked = try await client.challenged("oob password redirect", as: "gus@contoso.example")
            #expect(asked["challenge_type"] == "oob")
            let grant = ["grant_type": "oob", "oob": try client.code().code]
            let gus = try await client.token(asked.next, grant).json
            #expect(try gus.claims("id_token")["preferred_username"] == "gus@contoso.example")
            #expect(try gus.claims("id_token")["name"] == "unknown")
            #expect(try gus.claims("id_token")["idp"] == "mail" && gus.claims("access_token")["idp"] == nil)
            #expect(try tokens.json.claims("id_token")["idp"] == nil)
            let only = ["username": "gus@contoso.example", "challenge_type": "password redirect"]
            #expect(try await client.go("oauth2/v2.0/initiate", only) == ["challenge_type": "redirect"])
            try await client.refuses(
                "signup/v1.0/start", ["username": "GUS@contoso.example", "challenge_type": "oob redirect"],
                "user_already_exists")
        }
    }

    @Test("resets the password with code and poll; the old password is void")
    func resetsPassword() async throws {
        try await withNativeClient { client in
            let begun = try await client.go(
                "resetpassword/v1.0/start", ["username": "ben@contoso.example", "challenge_type": "oob redirect"])
            let sent = try await client.go("resetpassword/v1.0/challenge", ["continuation_token": begun.next])
            let code = try client.code()
            #expect(code.purpose == .resetPassword && code.recipient == "ben@contoso.example")
            var fields = ["continuation_token": sent.next, "grant_type": "oob", "oob": "x"]
            try await client.refuses("resetpassword/v1.0/continue", fields, "invalid_grant", "invalid_oob_value")
            // The code cannot be skipped.
            let early = ["continuation_token": sent.next, "new_password": "Bens-Passw0rd"]
            try await client.refuses("resetpassword/v1.0/submit", early, "invalid_request")
            fields["oob"] = code.code
            let known = try await client.go("resetpassword/v1.0/continue", fields)
            #expect(known["expires_in"] == .integer(600))
            let weak = [("Short1!", "password_too_short"), ("nothingelse", "password_too_weak")]
            for (password, suberror) in weak {
                let fields = ["continuation_token": known.next, "new_password": password]
                try await client.refuses("resetpassword/v1.0/submit", fields, "invalid_grant", suberror)
            }
            let new = ["continuation_token": known.next, "new_password": "Bens-Passw0rd"]
            let submitted = try await client.go("resetpassword/v1.0/submit", new)
            #expect(submitted["poll_interval"] == .integer(2))
            let done = try await client.go("resetpassword/v1.0/poll_completion", ["continuation_token": submitted.next])
            #expect(done["status"] == "succeeded")
            let tokens = try await client.token(done.next, ["grant_type": "continuation_token"])
            #expect(try tokens.json.claims("id_token")["name"] == "Ben Okoro")
            let asked = try await client.challenged("password redirect", as: "ben@contoso.example")
            let old = ["grant_type": "password", "password": "Passw0rd!"]
            try expectNative(try await client.token(asked.next, old), "invalid_grant")
        }
    }

    @Test func refusesInvalidRequests() async throws {
        try await withNativeClient {
            var other = RegisteredApplication(clientID: "another", redirectAddresses: [])
            other.allowsNativeAuthentication = false
            $0.applications += [other, RegisteredApplication(clientID: "third", redirectAddresses: [])]
        } _: { client in
            let ana = ["username": "ana@contoso.example", "challenge_type": "password redirect"]
            let initiate = "oauth2/v2.0/initiate"
            for (changed, error) in [
                (["challenge_type": "password"], "unsupported_challenge_type"),
                (["challenge_type": "sms redirect"], "invalid_request"), (["challenge_type": nil], "invalid_request"),
                (["username": nil], "invalid_request"), (["username": "unknown@contoso.example"], "user_not_found"),
                (["client_id": "unknown"], "unauthorized_client"), (["client_id": nil], "invalid_request"),
            ] as [([String: String?], String)] {
                let fields = (ana as [String: String?]).merging(changed) { $1 }
                let response = try await client.post(initiate, fields)
                #expect(try response.json["error"] == .string(error), "\(changed)")
            }
            var other = client
            other.client = "another"
            try expectNative(try await other.post(initiate, ana), "invalid_client", "nativeauthapi_disabled")
            // Tokens of another flow or another client, and an unknown one.
            let begun = try await client.go(initiate, ana)
            other.client = "third"
            for path in ["oauth2/v2.0/challenge", "signup/v1.0/challenge"] {
                let sender = path.hasPrefix("oauth2") ? other : client
                try expectNative(try await sender.post(path, ["continuation_token": begun.next]), "invalid_grant")
            }
            let nobodys = ["continuation_token": "nonsense"]
            try await client.refuses("resetpassword/v1.0/challenge", nobodys, "invalid_request")
            try expectNative(try await client.token("nonsense", ["grant_type": "oob", "oob": "1"]), "invalid_grant")
            try expectNative(
                try await client.token(begun.next, ["grant_type": "authorization_code"]), "unsupported_grant_type")
            client.fixture.emulator.clock.advance(by: 600)
            try await client.refuses("oauth2/v2.0/challenge", ["continuation_token": begun.next], "expired_token")
        }
    }
}
