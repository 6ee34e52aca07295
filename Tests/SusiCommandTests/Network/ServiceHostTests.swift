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

    private func withTenant(
        at host: String, path: String = "", _ body: (SusiBinary, PublicClient) async throws -> Void
    ) async throws {
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
        let reach = try ListenOptions(address: nil, publicAddresses: [try WebAddress("https://\(host)")])
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
                        let network = NetworkSettings(
                            gateway: .proxy(try Proxy("http://127.0.0.1:\(proxy.port)")),
                            roots: NetworkSettings.Roots(file: authority.certificate.string))
                        let application = try #require(
                            try PoliciesFile(path: home.policiesFile.string).application(nil))
                        let client = PublicClient(
                            application: application, folder: StoreFolder(home.susiHome.string),
                            clock: TestEnvironment.realTime, network: network)
                        try await body(susi, client)
                    }
                }
            }
        }
    }

    private func signIn(_ client: PublicClient) async throws -> SignInResult {
        let ana = LocalTenant.Person.ana
        return try await client.signIn(
            SignInRequest(), credentials: ana.credentials)
    }

    @Test("a custom domain with the tenant's GUID has the issuer of the service")
    func acceptsIssuerUnderCustomDomain() async throws {
        try await withTenant(at: Self.domain, path: "/\(Self.id)") { _, client in
            #expect(try await client.check().allSatisfy { $0.problems.isEmpty })
            #expect(try await signIn(client).account.account.person.tenant.id == Self.id)
            let token = try await client.refreshed()
            let issuer = try SignedToken(parsing: token.secret).claims["iss"]?.string
            #expect(issuer == "https://\(Self.id).ciamlogin.com/\(Self.id)/v2.0")
        }
    }

    @Test("a sign-in on another device names the page for local accounts")
    func namesDevicePageOfLocalAccounts() async throws {
        try await withTenant(at: "fabrikam.ciamlogin.com") { susi, _ in
            let outcome = try await susi.run("sign-in", "--device", "--timeout", "1s").exits(3)
            let page =
                "Local accounts of the tenant enter it at\n  https://fabrikam.ciamlogin.com/common/oauth2/deviceauth\n"
            #expect(outcome.standardError.contains(page), "\(outcome)")
        }
    }
}
