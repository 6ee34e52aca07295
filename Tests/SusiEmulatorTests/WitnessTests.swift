import Foundation
import Subprocess
import SystemPackage
import Testing

@testable import SusiEmulator

/// The third witness: Python with joserfc and with Authlib, which share no line with this program.
@Suite("Third witness", .timeLimit(.minutes(2)))
struct WitnessTests {
    /// Whether a Python module is there, or must be: `SUSI_DEMAND_WITNESS` turns a skip into a failure.
    static func has(_ module: String) async -> Bool {
        if ProcessInfo.processInfo.environment["SUSI_DEMAND_WITNESS"] != nil { return true }
        let result = try? await Subprocess.run(
            .name("python3"), arguments: ["-c", "import \(module)"], output: .discarded, error: .discarded)
        return result?.terminationStatus.isSuccess ?? false
    }

    @Test(
        "keys, signatures, at_hash and every claim",
        .enabled("python3 with joserfc is missing", { await has("joserfc") }),
        arguments: [TenantConfiguration.IssuerForm.tenant, .policy])
    func witness(form: TenantConfiguration.IssuerForm) async throws {
        try await withScene {
            $0.issuerForm = form
        } _: { scene in
            try await Self.run(
                "witness.py", scene.emulator.origin, "contoso.onmicrosoft.com", "B2C_1_susi", Scene.client,
                "http://localhost:8400/", Scene.scope, "\(Scene.start)", says: "witness: keys, signatures, claims")
        }
    }

    @Test(
        "a client library that is not ours, at a plain provider",
        .enabled("python3 with Authlib is missing", { await has("authlib.integrations.requests_client") }))
    func client() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            try await Self.run(
                "client.py", "\(scene.emulator.origin)/login", Scene.client, "http://localhost:8400/", "items.read",
                "\(Scene.start)", says: "Authlib: signed in")
        }
    }

    private static func run(_ script: String, _ arguments: String..., says line: String) async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(script).path
        let result = try await Subprocess.run(
            .name("python3"), arguments: Arguments([path] + arguments), output: .string(limit: 10_000),
            error: .string(limit: 10_000))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        #expect(result.standardOutput.hasPrefix(line), "\(result.standardOutput)")
    }
}
