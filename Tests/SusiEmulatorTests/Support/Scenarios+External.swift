import SusiBase
import SusiPolicies
import Testing

@testable import SusiEmulator

extension Scenarios {
    static let external: [String: Scenario] = [
        "external.metadata": { try await at(fabrikam) { Sent($0.metadata) } },
        "external.access": { try await tokens(fabrikam) { try Sent(token: "access_token", of: $0) } },
        "external.id": { try await tokens(fabrikam) { try Sent(token: "id_token", of: $0) } },
        "external.id.openid-only": {
            try await tokens(fabrikam, scope: "openid") { try Sent(token: "id_token", of: $0) }
        },
        "external.device": { try await device("openid", at: fabrikam) { response, _ in Sent(response) } },
        "external.redirect.code": {
            try await at(fabrikam) { try Sent(redirect: try await $0.signIn($0.fixture.browser(), "openid")) }
        },
    ]

    /// Native authentication, step by step.
    static let native: [String: Scenario] = [
        "native.initiate": {
            try await native { try await $0.post("oauth2/v2.0/initiate", ana("oob password redirect")) }
        },
        "native.challenge.oob": {
            try await native {
                let begun = try await $0.go("oauth2/v2.0/initiate", ana("oob redirect"))
                return try await $0.post("oauth2/v2.0/challenge", ["continuation_token": begun.next])
            }
        },
        "native.challenge.password": {
            try await native {
                let begun = try await $0.go("oauth2/v2.0/initiate", ana("password redirect"))
                return try await $0.post("oauth2/v2.0/challenge", ["continuation_token": begun.next])
            }
        },
        "native.token": { try await native { try await signedIn($0, "Passw0rd!") } },
        "native.redirect": { try await native { try await $0.post("oauth2/v2.0/initiate", ana("redirect")) } },
        "native.error.password": { try await native { try await signedIn($0, "no") } },
        "native.error.token": {
            try await native { try await $0.token("nonsense", ["grant_type": "oob", "oob": "1"]) }
        },
        "native.signup.start": { try await native { try await $0.post("signup/v1.0/start", eva) } },
        "native.error.exists": {
            try await native { try await $0.post("signup/v1.0/start", ana("oob password redirect")) }
        },
        "native.signup.challenge": {
            try await native {
                let begun = try await $0.go("signup/v1.0/start", eva)
                return try await $0.post("signup/v1.0/challenge", ["continuation_token": begun.next])
            }
        },
        "native.error.code": {
            try await native { try await $0.prove("signup", eva, code: "x") }
        },
        "native.error.credential": { try await native { try await $0.prove("signup", eva) } },
        "native.error.weak": { try await native { try await signedUp($0, password: "nothingelse") } },
        "native.error.attributes": {
            try await native(required: true) { try await signedUp($0, password: "Evas-Passw0rd") }
        },
        "native.signup.continue": { try await native { try await signedUp($0, password: "Evas-Passw0rd") } },
        "native.reset.start": { try await reset(0) },
        "native.reset.challenge": { try await reset(1) },
        "native.reset.continue": { try await reset(2) },
        "native.reset.submit": { try await reset(3) },
        "native.reset.poll": { try await reset(4) },
    ]

    private static let fabrikam = "/\(Kinds.external.name)/v2.0"
    private static let eva: [String: String?] = [
        "username": "eva@contoso.example", "challenge_type": "oob password redirect",
    ]

    private static func ana(_ types: String) -> [String: String?] {
        ["username": "ana@contoso.example", "challenge_type": types]
    }

    private static func native(
        required: Bool = false, _ body: (NativeClient) async throws -> Received
    ) async throws -> Sent {
        var found: Sent?
        try await withNativeClient {
            guard required else { return }
            $0.settings[PolicyName("default"), default: PolicySettings()].attributes = [
                PolicySettings.Attribute("displayName", isRequired: true)
            ]
        } _: {
            found = try Sent(try await body($0))
        }
        return try #require(found)
    }

    private static func signedIn(_ client: NativeClient, _ password: String) async throws -> Received {
        let asked = try await client.challenged("password redirect")
        return try await client.token(asked.next, ["grant_type": "password", "password": password])
    }

    private static func signedUp(_ client: NativeClient, password: String) async throws -> Received {
        let proved = try await client.prove("signup", eva).json
        let asked = try await client.go("signup/v1.0/challenge", ["continuation_token": proved.next])
        return try await client.post(
            "signup/v1.0/continue",
            ["continuation_token": asked.next, "grant_type": "password", "password": password])
    }

    // Returns the response of one step of a password reset.
    private static func reset(_ step: Int) async throws -> Sent {
        try await native { client in
            let ben = ["username": "ben@contoso.example", "challenge_type": "oob redirect"]
            var response = try await client.post("resetpassword/v1.0/start", ben)
            for path in ["challenge", "continue", "submit", "poll_completion"].prefix(step) {
                var form = ["continuation_token": try response.json.next]
                if path == "continue" { form["grant_type"] = "oob"; form["oob"] = try client.code().code }
                if path == "submit" { form["new_password"] = "Bens-Passw0rd" }
                response = try await client.post("resetpassword/v1.0/\(path)", form)
            }
            return response
        }
    }
}
