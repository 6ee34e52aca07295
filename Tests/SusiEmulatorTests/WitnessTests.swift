import Foundation
import Subprocess
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiEmulator

/// Python clients with joserfc and Authlib, which share no code with this program.
@Suite("Independent clients", .inTurn, .timeLimit(.minutes(5)))
struct WitnessTests {
    @Test(
        "accepts tokens of Azure AD B2C with both issuers and each algorithm",
        .enabled("python3 with joserfc is missing", { await TestEnvironment.hasPython("joserfc") }),
        arguments: [
            (TenantConfiguration.IssuerForm.tenant, SigningAlgorithm.rs256), (.policy, .ps256), (.tenant, .es256),
        ])
    func acceptsB2CTokens(form: TenantConfiguration.IssuerForm, algorithm: SigningAlgorithm) async throws {
        try await withFixture {
            $0.issuerForm = form
            $0.algorithm = algorithm
        } _: { fixture in
            try await Self.judge("b2c", "\(fixture.tenant)/B2C_1_susi/v2.0", EmulatorFixture.scope)
        }
    }

    @Test(
        "accepts tokens of the other kinds",
        .enabled("python3 with joserfc is missing", { await TestEnvironment.hasPython("joserfc") }),
        arguments: [
            ("external", "/fabrikam.onmicrosoft.com/v2.0"), ("entra", "/tailspin.onmicrosoft.com/v2.0"),
            ("entra", "/common/v2.0"), ("openid", "/login"),
        ])
    func acceptsTokensOfOtherKinds(kind: String, path: String) async throws {
        try await withFixture(tenants: [Kinds.external, Kinds.entra, Kinds.openid]) { fixture in
            try await Self.judge(kind, fixture.emulator.origin + path, kind == "openid" ? "items.read" : Kinds.scope)
        }
    }

    @Test(
        "accepts an independent client library at a plain provider over https",
        .enabled(
            "python3 with Authlib is missing",
            { await TestEnvironment.hasPython("authlib.integrations.requests_client") }))
    func acceptsIndependentClient() async throws {
        try await withFixture(tenants: [Kinds.openid], ports: [EmulatorPort(0, isSecure: true)]) { fixture in
            try await Self.run(
                "client.py", "\(fixture.emulator.origin)/login", EmulatorFixture.client, "http://localhost:8400/",
                "items.read",
                "\(EmulatorFixture.start)", trusting: fixture.emulator.authority, says: "Authlib: signed in")
        }
    }

    @Test(
        "accepts unmodified MSAL",
        .enabled("python3 with MSAL is missing", { await TestEnvironment.hasPython("msal") }),
        arguments: ["b2c", "interactive", "confidential", "external"])
    func acceptsMSAL(mode: String) async throws {
        var b2c = try tenantOfTests()
        b2c.redirectPorts = .any
        b2c.register("web", secret: "a secret & more")
        let tenants = [b2c, Kinds.external]
        try await withFixture(tenants: tenants, ports: [EmulatorPort(0, isSecure: true)]) { fixture in
            let (tenant, scope) =
                mode == "external"
                ? ("\(fixture.emulator.origin)/fabrikam.onmicrosoft.com", Kinds.scope)
                : (fixture.tenant, EmulatorFixture.scope)
            try await Self.run(
                "msal_client.py", mode, tenant, mode == "confidential" ? "web" : EmulatorFixture.client, scope,
                trusting: fixture.emulator.authority, says: "MSAL")
        }
    }

    // MSAL requests the user's realm from the host without the port, so only the default port can respond.
    @Test(
        "accepts unmodified MSAL with a password",
        .enabled("python3 with MSAL is missing, or port 443 is not for us", { await mayHavePassword() }))
    func acceptsMSALWithPassword() async throws {
        var b2c = try tenantOfTests()
        b2c.addPasswordPolicy()
        try await withFixture(tenants: [b2c], ports: [EmulatorPort(443, isSecure: true)]) { fixture in
            #expect(fixture.emulator.origin == "https://localhost")
            try await Self.run(
                "msal_client.py", "password", fixture.tenant, EmulatorFixture.client, EmulatorFixture.scope,
                trusting: fixture.emulator.authority, says: "MSAL")
        }
    }

    private static func mayHavePassword() async -> Bool {
        guard await TestEnvironment.hasPython("msal") else { return false }
        if ProcessInfo.processInfo.environment["SUSI_DEMAND_WITNESS"] != nil { return true }
        let listener = try? await SusiEmulator.Listener(
            host: "127.0.0.1", port: 443, tls: nil,
            responder: SiteResponder(
                site: Site(tenants: [], clock: EmulatorClock { 0 }), isSecure: false, log: nil, arrived: nil))
        await listener?.stop()
        return listener?.port == 443
    }

    private static func judge(_ kind: String, _ address: String, _ scope: String) async throws {
        try await run(
            "witness.py", kind, address, EmulatorFixture.client, "http://localhost:8400/", scope,
            "\(EmulatorFixture.start)",
            says: "witness: keys, signatures, claims")
    }

    private static func run(
        _ script: String, _ arguments: String..., trusting authority: CertificateAuthority? = nil, says line: String
    ) async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(script).path
        let result = try await Subprocess.run(
            .path(try #require(TestEnvironment.program("python3"))), arguments: Arguments([path] + arguments),
            environment: .inherit.updating(["REQUESTS_CA_BUNDLE": authority?.path.string]),
            output: .string(limit: 10_000),
            error: .string(limit: 10_000))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        #expect(result.standardOutput.hasPrefix(line), "\(result.standardOutput)")
    }
}
