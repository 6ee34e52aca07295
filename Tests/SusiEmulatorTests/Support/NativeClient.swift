import SusiBase
import SusiPolicies
import Testing

@testable import SusiEmulator

/// A client with its own sign-in screens (native authentication).
struct NativeClient {
    let fixture: EmulatorFixture
    var client = EmulatorFixture.client
    let base: String

    init(_ fixture: EmulatorFixture, tenant: String = Kinds.external.name) {
        self.fixture = fixture
        base = "\(fixture.emulator.origin)/\(tenant)"
    }

    func post(_ path: String, _ fields: [String: String?]) async throws -> Received {
        var form = ["client_id": client]
        for (name, value) in fields { form[name] = value }
        return try await fixture.browser().post("\(base)/\(path)", form)
    }

    /// Posts a request that must succeed and returns the response.
    func go(
        _ path: String, _ fields: [String: String?], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSON {
        let response = try await post(path, fields)
        try #require(response.status == 200, "\(path): \(response.text)", sourceLocation: sourceLocation)
        return try response.json
    }

    func token(_ token: String?, _ fields: [String: String?]) async throws -> Received {
        let scope = ["continuation_token": token, "scope": "openid offline_access \(Kinds.scope)"]
        return try await post("oauth2/v2.0/token", scope.merging(fields) { $1 })
    }

    /// Posts a request that must be refused; see `expectNative`.
    func refuses(
        _ path: String, _ fields: [String: String?], _ error: String, _ suberror: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try expectNative(try await post(path, fields), error, suberror, sourceLocation: sourceLocation)
    }

    /// Returns the message that was sent last.
    func code() throws -> OutboxMessage {
        try #require(try fixture.emulator.site.tenants[0].database.outbox(limit: 1).first)
    }

    /// Begins a sign-up or a reset of a password, and returns the response to its code, or to `code`.
    func prove(_ flow: String, _ fields: [String: String?], code given: String? = nil) async throws -> Received {
        let begun = try await go("\(flow)/v1.0/start", fields)
        let sent = try await go("\(flow)/v1.0/challenge", ["continuation_token": begun.next])
        let code = try given ?? code().code
        return try await post(
            "\(flow)/v1.0/continue", ["continuation_token": sent.next, "grant_type": "oob", "oob": code])
    }

    /// Begins a sign-in and returns the response with the challenge.
    func challenged(_ types: String, as name: String = "ana@contoso.example") async throws -> JSON {
        let begun = try await go("oauth2/v2.0/initiate", ["username": name, "challenge_type": types])
        return try await go("oauth2/v2.0/challenge", ["continuation_token": begun.next])
    }
}

extension JSON {
    /// The token for the next request.
    var next: String? { self["continuation_token"]?.string }
}

/// Runs an emulator of an external tenant with a native client.
func withNativeClient(
    _ change: (inout TenantConfiguration) -> Void = { _ in }, _ body: (NativeClient) async throws -> Void
) async throws {
    var tenant = Kinds.external
    change(&tenant)
    try await withFixture(tenants: [tenant]) { try await body(NativeClient($0)) }
}

/// Expects an error in the service's format.
func expectNative(
    _ response: Received, _ error: String, _ suberror: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let json = try response.json
    #expect(response.status == 400, sourceLocation: sourceLocation)
    #expect(json["error"] == .string(error), "\(response.text)", sourceLocation: sourceLocation)
    #expect(json["suberror"]?.string == suberror, sourceLocation: sourceLocation)
    let number = json["error_description"]?.string?.prefixMatch(of: #/AADSTS(\d+): /#).flatMap { Int64($0.1) }
    #expect(json["error_codes"] == number.map { [.integer($0)] }, sourceLocation: sourceLocation)
    for name in ["timestamp", "trace_id", "correlation_id"] {
        #expect(json[name] != nil, "\(name)", sourceLocation: sourceLocation)
    }
}
