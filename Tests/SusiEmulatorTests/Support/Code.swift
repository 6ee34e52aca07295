import Crypto
import CryptoExtras
import Foundation
import SusiBase
import SusiPolicies
import SusiTestSupport
import Synchronization
import Testing

@testable import SusiEmulator

/// The developer's code of a test: it answers each step as the test says, else with `usual`.
final class Code: Sendable {
    typealias Response = @Sendable (ScriptedServer.Request) throws -> ScriptedServer.Response

    private let answers = Mutex<[Callout.Step: Response]>([:])

    subscript(step: Callout.Step) -> Response? {
        get { answers.withLock { $0[step] } }
        set { answers.withLock { $0[step] = newValue } }
    }

    static let headers = ["Content-Type: application/json"]

    static func step(_ request: ScriptedServer.Request) -> Callout.Step? {
        let path = request.head.split(separator: " ").dropFirst().first?.prefix { $0 != "?" }
        return path.flatMap { Callout.Step(rawValue: String($0.dropFirst())) }
    }

    /// The response with one action of an extension.
    static func action(_ action: String, _ members: String = "", nonce: String? = nil) -> ScriptedServer.Response {
        let nonce = nonce.map { ",\"nonce\":\"\($0)\"" } ?? ""
        return .status(
            "200 OK", "{\"data\":{\"actions\":[{\"@odata.type\":\"microsoft.graph.x.\(action)\"\(members)}]\(nonce)}}",
            headers: headers)
    }

    private static func usual(_ step: Callout.Step?) -> ScriptedServer.Response {
        switch step {
        case .tokenIssuanceStart: action("provideClaimsForToken", ",\"claims\":{}")
        case .attributeCollectionStart, .attributeCollectionSubmit: action("continueWithDefaultBehavior")
        default: .status("200 OK", "{\"version\":\"1.0.0\",\"action\":\"Continue\"}", headers: headers)
        }
    }

    func response(_ request: ScriptedServer.Request) -> ScriptedServer.Response {
        let step = Self.step(request)
        do { return try step.flatMap { self[$0] }?(request) ?? Self.usual(step) } catch {
            return .status("500 Internal Server Error", "\(error)")
        }
    }
}

/// An emulator whose policies call a test's code.
struct CodeStage: Sendable {
    let fixture: EmulatorFixture
    let code: Code
    let server: ScriptedServer

    /// The bodies of the requests of a step.
    func bodies(_ step: Callout.Step) throws -> [JSON] {
        try server.requests.filter { Code.step($0) == step }.map { try JSON(parsing: $0.body.utf8) }
    }

    func signUp(_ page: Received, _ browser: Browser, _ more: [String: String?] = [:]) async throws -> Received {
        let fields: [String: String?] = [
            "email": "\(UUID().uuidString.lowercased())@mail.example", "newPassword": "Passw0rd!",
            "reenterPassword": "Passw0rd!", "displayName": "Pat", "city": "Kyoto",
        ]
        return try await browser.submit(page, fields.merging(more) { $1 })
    }
}

/// Runs an emulator with a tenant, in whose `policy` the steps of a group call the code of a test.
func withCode(
    _ tenant: TenantConfiguration, policies: [String: Callout.Group],
    _ change: @escaping (inout Callout, Callout.Step) -> Void = { _, _ in }, _ body: (CodeStage) async throws -> Void
) async throws {
    let code = Code()
    try await ScriptedServer.with({ code.response($0) }) { server in
        var tenant = tenant
        tenant.attributeTypes["extension_Level"] = .integer
        for (policy, group) in policies {
            tenant.change(policy) { settings in
                settings.attributes = [.init("displayName"), .init("city"), .init("extension_Level")]
                for step in Callout.Step.allCases where step.group == group && step != .passwordSubmit {
                    var callout = Callout()
                    callout.url = "\(server.origin)/\(step.rawValue)?code=hidden"
                    change(&callout, step)
                    settings.callouts[step] = callout
                }
            }
        }
        try await withFixture(tenants: [tenant]) { try await body(CodeStage(fixture: $0, code: code, server: server)) }
    }
}
