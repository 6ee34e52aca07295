import HTTPTypes
import SusiBase
import SusiPolicies
import Testing

@testable import SusiEmulator

extension Scenarios {
    static let b2c: [String: Scenario] = [
        "b2c.metadata": { try await metadata("/B2C_1_susi/v2.0/.well-known/openid-configuration") },
        "b2c.metadata.query": { try await metadata("/v2.0/.well-known/openid-configuration?p=B2C_1_susi") },
        "b2c.metadata.custom": { try await metadata("/B2C_1A_susi/v2.0/.well-known/openid-configuration") },
        "b2c.metadata.query.custom": { try await metadata("/v2.0/.well-known/openid-configuration?p=B2C_1A_susi") },
        "b2c.keys": { try await metadata("/B2C_1_susi/discovery/v2.0/keys") },
        "b2c.access": { try await code(access) },
        "b2c.access.tfp-issuer": { try await code(access, configured: { $0.issuerForm = .policy }) },
        "b2c.access.acr": { try await code(access, configured: namesPolicyByACR) },
        "b2c.access.own-scope": { try await code(access, ownScope) { $0.issuerForm = .policy } },
        "b2c.access.own-scope.no-policy": {
            try await code(access, ownScope) {
                $0.issuerForm = .policy
                namesNoPolicy(&$0)
            }
        },
        "b2c.access.password": {
            try await password("openid offline_access \(EmulatorFixture.scope)") {
                try Sent(token: "access_token", of: $1.json)
            }
        },
        "b2c.access.client-credentials": { try await application { try Sent(token: "access_token", of: $0.json) } },
        "b2c.access.client-credentials.object-id": {
            try await application(configured: namesNoPolicy) { try Sent(token: "access_token", of: $0.json) }
        },
        "b2c.id": { try await code(id, ["nonce": nil]) },
        "b2c.id.no-resource": { try await code(id, noResource) },
        "b2c.id.no-resource.refresh": { try await refreshed(id, noResource) },
        "b2c.id.acr.refresh": { try await refreshed(id, configured: namesPolicyByACR) },
        "b2c.id.tfp-issuer": { try await code(id, ["nonce": nil], configured: { $0.issuerForm = .policy }) },
        "b2c.client-info": { try await code(info, form: clientInfo) },
        "b2c.tokens.no-resource.client-info": { try await code(Sent.init, noResource, form: clientInfo) },
        "b2c.tokens.no-resource.client-info.refresh": { try await refreshed(Sent.init, noResource, form: clientInfo) },
        "b2c.tokens.no-resource.refresh": { try await refreshed(Sent.init, noResource) },
        "b2c.tokens.client-info": { try await code(Sent.init, form: clientInfo) },
        "b2c.tokens.client-info.refresh": { try await refreshed(Sent.init, form: clientInfo) },
        "b2c.tokens.refresh": { try await refreshed(Sent.init) },
        "b2c.tokens.resource-only": { try await code(Sent.init, ["scope": EmulatorFixture.scope]) },
        "b2c.tokens.openid-only": { try await code(Sent.init, ["scope": "openid"]) },
        "b2c.tokens.password": { try await password(ownTokens) { try Sent($1) } },
        "b2c.tokens.password.access-only": { try await password(EmulatorFixture.scope) { try Sent($1) } },
        "b2c.tokens.password.refresh": {
            try await password(ownTokens) { fixture, first in
                try Sent(try await fixture.refresh(first.json["refresh_token"]?.string, policy: "B2C_1_ropc"))
            }
        },
        "b2c.tokens.client-credentials": { try await application { try Sent($0) } },
        "b2c.redirect.code": { try await redirect(["client_info": "1"]) },
        "b2c.redirect.id-token": {
            try await redirect(["response_type": "id_token", "client_info": "1"]) {
                $0.applications[0].allowsImplicit = true
            }
        },
        "b2c.redirect.code-id-token": {
            try await redirect(["response_type": "code id_token"]) { $0.applications[0].allowsImplicit = true }
        },
    ]

    /// Errors come from the requests of the table of all errors.
    static let b2cErrors: [String: Scenario] = {
        var all: [String: Scenario] = [:]
        for number in [90006, 90079, 90080, 90081, 90085, 90088, 90129, 90146, 90225] {
            all["b2c.error.\(number)"] = { try await error(number, ofToken: true) }
        }
        for number in [90006, 90055, 90057, 90077, 90091, 90117, 90118, 90205, 99002] {
            all["b2c.redirect.\(number)"] = { try await error(number, ofToken: false) }
        }
        return all
    }()

    private typealias Change = @Sendable (inout TenantConfiguration) -> Void

    @Sendable private static func access(_ response: JSON) throws -> Sent {
        try Sent(token: "access_token", of: response)
    }

    @Sendable private static func id(_ response: JSON) throws -> Sent { try Sent(token: "id_token", of: response) }

    @Sendable private static func info(_ response: JSON) throws -> Sent {
        let text = try #require(response["client_info"]?.string)
        return Sent(try JSON(parsing: try #require(Base64URL.decode(text))))
    }

    private static let ownScope: [String: String?] = ["scope": "openid \(EmulatorFixture.client)", "nonce": nil]
    private static let ownTokens = "openid offline_access \(EmulatorFixture.client)"
    private static let noResource: [String: String?] = ["scope": "openid offline_access profile"]
    private static let clientInfo: [String: String?] = ["client_info": "1"]

    private static let namesPolicyByACR: Change = {
        $0.settings[PolicyName("B2C_1_susi"), default: PolicySettings()].policyClaim = .acr
    }

    private static let namesNoPolicy: Change = {
        var settings = PolicySettings()
        settings.policyClaim = .absent
        settings.applicationSubject = .objectID
        $0.settings[PolicyName("B2C_1_susi")] = settings
    }

    private static func metadata(_ path: String) async throws -> Sent {
        try await sent(configured: {
            $0.policies.append(Policy(name: PolicyName("B2C_1A_susi"), kind: .signUpOrSignIn))
        }) {
            try Sent(try await $0.browser().get($0.tenant + path))
        }
    }

    private static func sent(
        configured change: @escaping Change = { _ in }, _ body: (EmulatorFixture) async throws -> Sent
    ) async throws -> Sent {
        var found: Sent?
        try await withFixture {
            change(&$0)
        } _: {
            found = try await body($0)
        }
        return try #require(found)
    }

    private static func code(
        _ message: (JSON) throws -> Sent, _ asked: [String: String?] = [:], form: [String: String?] = [:],
        configured: @escaping Change = { _ in }
    ) async throws -> Sent {
        try await sent(configured: configured) { fixture in
            let redirect = try await fixture.signIn(fixture.browser(), asked)
            return try message(try await fixture.redeem(try redirect.redirect["code"], form).json)
        }
    }

    private static func refreshed(
        _ message: (JSON) throws -> Sent, _ asked: [String: String?] = [:], form: [String: String?] = [:],
        configured: @escaping Change = { _ in }
    ) async throws -> Sent {
        try await sent(configured: configured) { fixture in
            let redirect = try await fixture.signIn(fixture.browser(), asked)
            let first = try await fixture.redeem(try redirect.redirect["code"], form).json
            return try message(try await fixture.refresh(first["refresh_token"]?.string, form).json)
        }
    }

    private static func password(
        _ scope: String, _ message: (EmulatorFixture, Received) async throws -> Sent
    ) async throws -> Sent {
        try await sent(configured: { $0.addPasswordPolicy() }) {
            try await message(
                $0, try await $0.password(policy: "B2C_1_ropc", ["scope": scope, "response_type": "token id_token"]))
        }
    }

    private static func application(
        configured change: @escaping Change = { _ in }, _ message: (Received) throws -> Sent
    ) async throws -> Sent {
        let configured: Change = {
            change(&$0)
            $0.register("22222222-2222-2222-2222-222222222222", secret: "its secret")
        }
        return try await sent(configured: configured) { fixture in
            let form = [
                "grant_type": "client_credentials", "client_id": "22222222-2222-2222-2222-222222222222",
                "client_secret": "its secret", "scope": "https://contoso.onmicrosoft.com/hello/.default",
            ]
            return try message(try await fixture.browser().post("\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token", form))
        }
    }

    private static func redirect(
        _ asked: [String: String?], configured: @escaping Change = { _ in }
    ) async throws -> Sent {
        try await sent(configured: configured) { fixture in
            try Sent(redirect: try await fixture.signIn(fixture.browser(), asked))
        }
    }

    private static func error(_ number: Int, ofToken: Bool) async throws -> Sent {
        if number == 90085 { return try await internalError() }
        let all = try await ErrorTableTests.answers.value.filter { $0.row.number == number }
        let one = try #require(all.first { ($0.row.channel == .json) == ofToken } ?? all.first)
        return try one.row.channel == .json ? Sent(one.response) : Sent(redirect: one.response)
    }

    private static func internalError() async throws -> Sent {
        try await sent { fixture in
            let policy = try #require(fixture.emulator.site.tenants[0].configuration.policies.first)
            let tenant = fixture.emulator.site.tenants[0]
            let place = tenant.configuration.kind.dialect.endpoint(
                of: policy, in: tenant, origin: fixture.emulator.origin)
            let response = try place.json(Refusal(CancellationError()), now: EmulatorFixture.start)
            var sent = Sent(try JSON(parsing: response.body))
            sent.status = Int64(response.status.code)
            return sent
        }
    }
}
