import Foundation
import Subprocess
import SystemPackage
import Testing

@testable import SusiEmulator

/// The third witness: Python with joserfc, which shares no line with this program.
@Suite("Third witness", .timeLimit(.minutes(2)))
struct WitnessTests {
    /// Whether it can be asked, or must be: `SUSI_DEMAND_WITNESS` turns a skip into a failure.
    static func isWanted() async -> Bool {
        if ProcessInfo.processInfo.environment["SUSI_DEMAND_WITNESS"] != nil { return true }
        let result = try? await run(
            .name("python3"), arguments: ["-c", "import joserfc"], output: .discarded, error: .discarded)
        return result?.terminationStatus.isSuccess ?? false
    }

    @Test(
        "keys, signatures, at_hash and every claim", .enabled("python3 with joserfc is missing", isWanted),
        arguments: [TenantConfiguration.IssuerForm.tenant, .policy])
    func witness(form: TenantConfiguration.IssuerForm) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("witness.py")
        try await withScene {
            $0.issuerForm = form
        } _: { scene in
            let result = try await run(
                .name("python3"),
                arguments: [
                    script.path, scene.emulator.origin, "contoso.onmicrosoft.com", "B2C_1_susi", Scene.client,
                    "http://localhost:8400/", Scene.scope, "\(Scene.start)",
                ], output: .string(limit: 10_000), error: .string(limit: 10_000))
            #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
            #expect(result.standardOutput.hasPrefix("witness: keys, signatures, claims"))
        }
    }
}
