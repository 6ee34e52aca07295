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
        "Azure AD B2C: both issuers, each algorithm", .enabled("python3 with joserfc is missing", isWanted),
        arguments: [
            (TenantConfiguration.IssuerForm.tenant, SigningAlgorithm.rs256), (.policy, .ps256), (.tenant, .es256),
        ])
    func b2c(form: TenantConfiguration.IssuerForm, algorithm: SigningAlgorithm) async throws {
        try await withScene {
            $0.issuerForm = form
            $0.algorithm = algorithm
        } _: { scene in
            try await witness("b2c", "\(scene.tenant)/B2C_1_susi/v2.0", Scene.scope)
        }
    }

    @Test(
        "the other kinds", .enabled("python3 with joserfc is missing", isWanted),
        arguments: [
            ("external", "/fabrikam.onmicrosoft.com/v2.0"), ("entra", "/tailspin.onmicrosoft.com/v2.0"),
            ("entra", "/common/v2.0"), ("openid", "/login"),
        ])
    func kinds(kind: String, path: String) async throws {
        try await withScene(tenants: [Kinds.external, Kinds.entra, Kinds.openid]) { scene in
            try await witness(kind, scene.emulator.origin + path, kind == "openid" ? "items.read" : Kinds.scope)
        }
    }

    private func witness(_ kind: String, _ address: String, _ scope: String) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("witness.py")
        let result = try await run(
            .name("python3"),
            arguments: [script.path, kind, address, Scene.client, "http://localhost:8400/", scope, "\(Scene.start)"],
            output: .string(limit: 10_000), error: .string(limit: 10_000))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        #expect(result.standardOutput.hasPrefix("witness: keys, signatures, claims"))
    }
}
