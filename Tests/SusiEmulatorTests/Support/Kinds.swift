import SusiBase
import SusiPolicies
import Testing

@testable import SusiEmulator

/// Tenants of each kind other than B2C, for one emulator.
enum Kinds {
    static let scope = "api://reports/items.read"

    static let external = TenantConfiguration(
        kind: .external, name: "fabrikam.onmicrosoft.com", applications: [application], apis: [reports])
    static let entra = TenantConfiguration(
        kind: .entra, name: "tailspin.onmicrosoft.com", applications: [application], apis: [reports])
    static let openid = TenantConfiguration(
        kind: .openid, name: "login", applications: [application],
        apis: [RegisteredAPI(name: "reports", resource: "", scopes: ["items.read"], path: "/open/reports")])

    private static let application = RegisteredApplication(
        clientID: EmulatorFixture.client, redirectAddresses: ["http://localhost:8400/"])
    private static let reports = RegisteredAPI(
        name: "reports", resource: "api://reports", scopes: ["items.read"], path: "/api/reports")
}

/// An authority as a client sees it: by its metadata alone.
struct Door {
    let fixture: EmulatorFixture
    let metadata: JSON

    /// Reads the metadata below `path`.
    init(_ fixture: EmulatorFixture, _ path: String, query: String = "") async throws {
        self.fixture = fixture
        let response = try await fixture.browser().get(
            "\(fixture.emulator.origin)\(path)/.well-known/openid-configuration\(query)")
        try #require(response.status == 200, "\(response.text)")
        metadata = try response.json
    }

    func endpoint(_ name: String) throws -> String { try #require(metadata[name]?.string, "no \(name)") }

    /// Returns the authorization address; `changed` replaces parameters, nil removes them.
    func authorize(_ scope: String, _ changed: [String: String?] = [:]) throws -> String {
        var fields = [
            "client_id": EmulatorFixture.client, "response_type": "code", "redirect_uri": "http://localhost:8400/",
            "scope": scope, "state": "s", "nonce": "a-nonce", "code_challenge": vectorChallenge,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changed { fields[name] = value }
        let query = fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
        let endpoint = try endpoint("authorization_endpoint")
        return endpoint + (endpoint.contains("?") ? "&" : "?") + query
    }

    func signIn(
        _ browser: Browser, as email: String = "ana@contoso.example", _ scope: String,
        _ changed: [String: String?] = [:]
    ) async throws -> Received {
        let page = try await browser.get(try authorize(scope, changed))
        return try await browser.submit(page, ["signInName": email, "password": "Passw0rd!"])
    }

    /// Sends a token request of this client.
    func token(_ fields: [String: String], _ headers: [(String, String)] = []) async throws -> Received {
        try await fixture.browser().post(
            try endpoint("token_endpoint"), ["client_id": EmulatorFixture.client].merging(fields) { $1 }, headers)
    }

    func redeem(
        _ redirect: Received, _ more: [String: String] = [:], _ headers: [(String, String)] = []
    ) async throws -> Received {
        let code = try #require(try redirect.redirect["code"])
        return try await token(
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": "http://localhost:8400/",
                "code_verifier": vectorVerifier,
            ].merging(more) { $1 }, headers)
    }

    func refresh(
        _ tokens: JSON, _ more: [String: String] = [:], _ headers: [(String, String)] = []
    ) async throws -> Received {
        let token = try #require(tokens["refresh_token"]?.string)
        let fields = ["grant_type": "refresh_token", "refresh_token": token]
        return try await self.token(fields.merging(more) { $1 }, headers)
    }

    func tokens(
        as email: String = "ana@contoso.example", _ scope: String, _ changed: [String: String?] = [:],
        _ more: [String: String] = [:]
    ) async throws -> JSON {
        let response = try await redeem(try await signIn(fixture.browser(), as: email, scope, changed), more)
        try #require(response.status == 200, "\(response.text)")
        return try response.json
    }

    /// Returns the claims of a token after checking its signature against the published keys.
    func verified(_ token: JSON?) async throws -> JSON {
        let keys = try await fixture.browser().get(try endpoint("jwks_uri")).json
        return try TokenVerifier(keys: keys, now: fixture.emulator.clock.now()).claims(of: try #require(token?.string))
    }
}

/// Runs an emulator of a workforce tenant, which `change` can change.
func withTailspin(
    _ change: (inout TenantConfiguration) -> Void = { _ in }, _ body: (EmulatorFixture, Door) async throws -> Void
) async throws {
    var tenant = Kinds.entra
    change(&tenant)
    try await withDoor(tenant, "/\(tenant.name)/v2.0", body)
}

/// Runs an emulator of one tenant, and reads the metadata below `path`.
func withDoor(
    _ tenant: TenantConfiguration, _ path: String, _ body: (EmulatorFixture, Door) async throws -> Void
) async throws {
    try await withFixture(tenants: [tenant]) { try await body($0, try await Door($0, path)) }
}
