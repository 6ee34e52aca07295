import SusiBase
import SusiPolicies
import Testing

@testable import SusiEmulator

extension Scenarios {
    static let entra: [String: Scenario] = [
        "entra.metadata.common": { try await document("/common/v2.0/.well-known/openid-configuration") },
        "entra.metadata.organizations": { try await document("/organizations/v2.0/.well-known/openid-configuration") },
        "entra.metadata.consumers": { try await document("/consumers/v2.0/.well-known/openid-configuration") },
        "entra.metadata.tenant": { try await document("/\(Kinds.entra.id)/v2.0/.well-known/openid-configuration") },
        "entra.keys": { try await document("/common/discovery/v2.0/keys") },
        "entra.userrealm": { try await document("/common/userrealm/ana@contoso.example?api-version=1.0") },
        "entra.instance-discovery": {
            try await at(tailspin) { door in
                let origin = door.fixture.emulator.origin
                let address = PercentEncoding.encode("\(origin)/common/oauth2/v2.0/authorize")
                return try Sent(
                    try await door.fixture.browser().get(
                        "/common/discovery/instance?api-version=1.1&authorization_endpoint=\(address)"))
            }
        },
        "entra.id": { try await tokens(tailspin) { try Sent(token: "id_token", of: $0) } },
        "entra.id.password": { try await passwordTokens { try Sent(token: "id_token", of: $0.json) } },
        "entra.id.refresh": {
            try await at(tailspin) { door in
                let first = try await door.tokens("openid profile offline_access \(Kinds.scope)")
                return try Sent(token: "id_token", of: try await door.refresh(first).json)
            }
        },
        "entra.access": { try await tokens(tailspin) { try Sent(token: "access_token", of: $0) } },
        "entra.access.client-credentials": {
            try await application { try Sent(token: "access_token", of: $0.json) }
        },
        "entra.tokens": { try await tokens(tailspin, ["client_info": "1"]) { Sent($0) } },
        "entra.tokens.password": { try await passwordTokens { try Sent($0) } },
        "entra.tokens.refresh": {
            try await at(tailspin) { door in
                let first = try await door.tokens("openid profile offline_access \(Kinds.scope)")
                return try Sent(try await door.refresh(first, ["client_info": "1", "scope": "api://reports/.default"]))
            }
        },
        "entra.tokens.client-credentials": { try await application { try Sent($0) } },
        "entra.tokens.device": { try await device("openid profile offline_access User.Read") { try Sent($1) } },
        "entra.tokens.device.default": {
            try await device("api://reports/.default openid profile offline_access") { try Sent($1) }
        },
        "entra.device": { try await device("openid") { response, _ in Sent(response) } },
        "entra.error.70016": { try await pending(after: 0) },
        "entra.error.70020": { try await pending(after: 3_600) },
        "entra.error.90002.discovery": { try await document("/unknown.example/v2.0/.well-known/openid-configuration") },
        "entra.error.90002.token": {
            try await at(tailspin) { door in
                let address = "\(door.fixture.emulator.origin)/unknown.example/oauth2/v2.0/token"
                return try Sent(
                    try await door.fixture.browser().post(
                        address,
                        ["grant_type": "refresh_token", "client_id": EmulatorFixture.client, "refresh_token": "x"]))
            }
        },
        "entra.error.7000215": { try await application(secret: "another") { try Sent($0) } },
        "entra.error.7000218": { try await application(secret: nil) { try Sent($0) } },
        "entra.error.50126": { try await passwordTokens("no") { try Sent($0) } },
        "entra.error.501481": { try await redeemed(["code_verifier": String(repeating: "a", count: 43)]) },
        "entra.error.700016": { try await redeemed(["client_id": "33333333-3333-3333-3333-333333333333"]) },
        "entra.error.700025": { try await redeemed(["client_secret": "a secret"]) },
        "entra.error.900144": {
            try await at(tailspin) { try Sent(try await $0.token(["grant_type": "refresh_token"])) }
        },
        "entra.error.50173": {
            try await at(tailspin) { door in
                let first = try await door.tokens("openid offline_access \(Kinds.scope)")
                _ = try door.fixture.emulator.site.tenants[0].database.revokeGrants(of: EmulatorFixture.ana)
                return try Sent(try await door.refresh(first))
            }
        },
        "entra.redirect.login-required": {
            try await at(tailspin) {
                let address = try $0.authorize("openid", ["prompt": "none", "response_mode": "fragment"])
                return try Sent(redirect: try await $0.fixture.browser().get(address))
            }
        },
    ]

    static let tailspin = "/\(Kinds.entra.name)/v2.0"

    static func at(_ path: String, _ body: (Door) async throws -> Sent) async throws -> Sent {
        var found: Sent?
        var tenant = path.hasPrefix("/\(Kinds.external.name)") ? Kinds.external : Kinds.entra
        tenant.register("22222222-2222-2222-2222-222222222222", secret: "its secret")
        try await withFixture(tenants: [tenant]) { found = try await body(try await Door($0, path)) }
        return try #require(found)
    }

    private static func document(_ path: String) async throws -> Sent {
        try await at(tailspin) { try Sent(try await $0.fixture.browser().get($0.fixture.emulator.origin + path)) }
    }

    static func tokens(
        _ path: String, scope: String = "openid profile offline_access \(Kinds.scope)", _ form: [String: String] = [:],
        _ message: (JSON) throws -> Sent
    ) async throws -> Sent {
        try await at(path) { door in
            let redirect = try await door.signIn(door.fixture.browser(), scope)
            return try message(try await door.redeem(redirect, form).json)
        }
    }

    private static func redeemed(_ changed: [String: String]) async throws -> Sent {
        try await at(tailspin) { door in
            let redirect = try await door.signIn(door.fixture.browser(), "openid \(Kinds.scope)")
            return try Sent(try await door.redeem(redirect, changed))
        }
    }

    private static func passwordTokens(
        _ password: String = "Passw0rd!", _ message: (Received) throws -> Sent
    ) async throws -> Sent {
        try await at(tailspin) {
            try message(
                try await $0.token([
                    "grant_type": "password", "username": "ana@contoso.example", "password": password,
                    "scope": "openid profile offline_access \(Kinds.scope)", "client_info": "1",
                ]))
        }
    }

    private static func application(
        secret: String? = "its secret", _ message: (Received) throws -> Sent
    ) async throws -> Sent {
        try await at(tailspin) {
            var form = [
                "grant_type": "client_credentials", "client_id": "22222222-2222-2222-2222-222222222222",
                "scope": "api://reports/.default",
            ]
            form["client_secret"] = secret
            return try message(try await $0.token(form))
        }
    }

    static func device(
        _ scope: String, at path: String = tailspin, _ message: (JSON, Received) throws -> Sent
    ) async throws -> Sent {
        try await at(path) { door in
            let browser = door.fixture.browser()
            let form = ["client_id": EmulatorFixture.client, "scope": scope]
            let response = try await browser.post(try door.endpoint("device_authorization_endpoint"), form).json
            let page = try await browser.get(response["verification_uri"]?.string ?? "")
            let signIn = try await browser.submit(page, ["user_code": response["user_code"]?.string])
            _ = try await browser.submit(try await browser.submit(signIn, EmulatorFixture.answers), [:])
            return try message(response, try await poll(door, response))
        }
    }

    private static func pending(after seconds: Int64) async throws -> Sent {
        try await at(tailspin) { door in
            let form = ["client_id": EmulatorFixture.client, "scope": "openid"]
            let address = try door.endpoint("device_authorization_endpoint")
            let response = try await door.fixture.browser().post(address, form).json
            door.fixture.emulator.clock.advance(by: seconds)
            return try Sent(try await poll(door, response))
        }
    }

    private static func poll(_ door: Door, _ response: JSON) async throws -> Received {
        try await door.token([
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": response["device_code"]?.string ?? "", "client_info": "1",
        ])
    }
}
