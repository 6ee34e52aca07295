import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// External ID at a host name of the service and at a custom domain. A proxy leads both to the emulator, which has the issuer
/// of the service: at the host of the tenant's GUID.
@Suite("Host names of External ID", .inTurn, .enabled(if: TestAuthority.isPossible), .timeLimit(.minutes(5)))
struct ServiceHostTests {
    private static let domain = "login.contoso.example"
    private static let id = TenantConfiguration(kind: .external, name: "fabrikam.onmicrosoft.com").id

    private func withTenant(at host: String, path: String = "", _ body: (SusiBinary) async throws -> Void) async throws
    {
        let policies = { (origin: String, path: String) in
            """
            { "applications": { "customers": {
                "kind": "external", "authority": "\(origin)\(path)", "redirectPorts": [0],
                "clientId": "11111111-1111-1111-1111-111111111111",
                "apis": { "hello": { "baseUrl": "\(origin)/api/hello", "scopes": ["api://hello/demo.read"] } } } } }
            """
        }
        let local = policies("http://localhost:8480", "/fabrikam.onmicrosoft.com")
        var tenants = TenantConfiguration.tenants(
            for: try PoliciesFile(text: local.utf8, source: "the test's policies").applications)
        tenants[0].issuerForm = .tenantHost
        let reach = try ListenOptions(address: nil, publicAddress: try WebAddress("https://\(host)"))
        try await withHome { home in
            let authority = try await TestAuthority(in: home.folder)
            let identity = try await authority.issue("DNS:\(host)")
            try home.writePolicies(policies("https://\(host)", path))
            try await withEmulator(
                tenants, folder: home.folder.appending("emulator"), reach: reach,
                clock: EmulatorClock(TestEnvironment.realTime)
            ) { emulator in
                try await SecureRelay.with(leadingTo: Int(emulator.port), showing: identity) { relay in
                    try await ConnectProxy.with(leadingTo: relay.port) { proxy in
                        var susi = try SusiBinary(home: home)
                        susi.environment = [
                            "HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)",
                            "SSL_CERT_FILE": authority.certificate.string,
                        ]
                        try await body(susi)
                    }
                }
            }
        }
    }

    private func signIn(_ susi: SusiBinary) async throws -> ProgramOutcome {
        try await susi.run(
            "sign-in", "--username", "ana@contoso.example", "--password-stdin",
            input: LocalTenant.Person.ana.user.password + "\n")
    }

    @Test("a custom domain with the tenant's GUID has the issuer of the service")
    func acceptsIssuerUnderCustomDomain() async throws {
        try await withTenant(at: Self.domain, path: "/\(Self.id)") { susi in
            let check = try await susi.run("policies", "check")
            #expect(check.status == 0, "\(check)")
            let signedIn = try await signIn(susi)
            #expect(signedIn.status == 0, "\(signedIn)")
            let token = try await susi.run("token", "--refresh")
            #expect(token.status == 0, "\(token)")
            let shown = try await susi.run("inspect", "-", input: token.standardOutput)
            #expect(shown.standardOutput.contains("https://\(Self.id).ciamlogin.com/\(Self.id)/v2.0"), "\(shown)")
            let list = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            #expect(list["accounts"]?.array?.map { $0["tenantId"]?.string } == [Self.id])
        }
    }

    @Test("under a custom domain a tenant's name proves no GUID; the error has the address to write")
    func asksForGUIDUnderCustomDomain() async throws {
        try await withTenant(at: Self.domain, path: "/fabrikam.onmicrosoft.com") { susi in
            let refused = try await signIn(susi)
            #expect(refused.status == 7, "\(refused)")
            #expect(refused.standardError.contains("write https://\(Self.domain)/\(Self.id)"), "\(refused)")
            #expect(try await susi.run("accounts").standardOutput.isEmpty)
        }
    }

    @Test("a sign-in on another device names the page for local accounts")
    func namesDevicePageOfLocalAccounts() async throws {
        try await withTenant(at: "fabrikam.ciamlogin.com") { susi in
            let outcome = try await susi.run("sign-in", "--device", "--timeout", "1s")
            #expect(outcome.status == 3, "\(outcome)")
            let page =
                "Local accounts of the tenant enter it at\n  https://fabrikam.ciamlogin.com/common/oauth2/deviceauth\n"
            #expect(outcome.standardError.contains(page), "\(outcome)")
        }
    }
}
