import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import SystemPackage
import Testing

/// External ID at a host name of the service and at a custom domain. A proxy leads both to the emulator, which has the issuer
/// of the service: at the host of the tenant's GUID.
@Suite("Host names of External ID", .inTurn, .enabled(if: TestAuthority.isPossible), .timeLimit(.minutes(5)))
struct ServiceHostTests {
    private static let domain = "login.contoso.example"
    private static let id = TenantConfiguration(kind: .external, name: "fabrikam.onmicrosoft.com").id

    /// Runs `body` with one application for each authority, named by its number; the first is the current one.
    private func withTenant(
        at authorities: String..., known: [String] = [],
        _ body: (SusiBinary, _ client: (Int) throws -> PublicClient) async throws -> Void
    ) async throws {
        let policies = { (authorities: [String]) in
            let list = (authorities + known).map { "\"\($0)\"" }.joined(separator: ", ")
            let applications = authorities.enumerated().map { number, authority in
                """
                "\(number)": {
                    "kind": "external", "authority": "\(authority)", "redirectPorts": [0], "knownAuthorities": [\(list)],
                    "clientId": "11111111-1111-1111-1111-111111111111",
                    "apis": { "hello": { "baseUrl": "\(authority)/api/hello", "scopes": ["api://hello/demo.read"] } } }
                """
            }
            return
                "{ \"current\": \"0\", \"applications\": { \(applications.joined(separator: ",")) } }"
        }
        let local = policies(["http://localhost:8480/fabrikam.onmicrosoft.com"])
        var tenants = TenantConfiguration.tenants(
            for: try PoliciesFile(text: local.utf8, source: "the test's policies").applications)
        tenants[0].issuerForm = .tenantHost
        let hosts = try authorities.map { try WebAddress($0) }.map { try WebAddress($0.origin) }
        let reach = try ListenOptions(address: nil, publicAddresses: hosts)
        try await withHome { home in
            let authority = try await TestAuthority(in: home.folder)
            let identity = try await authority.issue(hosts.map { "DNS:\($0.host)" }.joined(separator: ","))
            try home.writePolicies(policies(authorities))
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
                        let file = try PoliciesFile(path: home.policiesFile.string)
                        try await body(susi) { number in
                            PublicClient(
                                application: try #require(file.application("\(number)")), among: file.applications,
                                folder: StoreFolder(home.susiHome.string), clock: TestEnvironment.realTime,
                                network: network)
                        }
                    }
                }
            }
        }
    }

    @discardableResult
    private func signIn(_ client: PublicClient, as person: LocalTenant.Person = .ana) async throws(SusiError)
        -> SignInResult
    {
        try await client.signIn(SignInRequest(), credentials: person.credentials)
    }

    private static let issuer = "https://\(id).ciamlogin.com/\(id)"
    private static let named = "https://\(domain)/fabrikam.onmicrosoft.com"

    @Test(
        "a custom domain has the issuer of the service, and its host is the origin of the tenant",
        arguments: [("https://\(domain)/\(id)", []), (named, [issuer])])
    func acceptsIssuerUnderCustomDomain(authority: String, known: [String]) async throws {
        try await withTenant(at: authority, known: known) { _, client in
            let client = try client(0)
            #expect(try await client.check().allSatisfy { $0.problems.isEmpty })
            let tenant = try await signIn(client).account.account.person.tenant
            #expect(tenant == Tenant(origin: "https://\(Self.domain)", id: Self.id))
            let token = try await client.refreshed()
            #expect(try SignedToken(parsing: token.secret).claims["iss"]?.string == "\(Self.issuer)/v2.0")
        }
    }

    @Test("the name of the tenant alone does not show the issuer of a custom domain")
    func demandsIssuerOfCustomDomain() async throws {
        try await withTenant(at: Self.named) { susi, _ in
            let check = try await susi.run("policies", "check").exits(7)
            let remedy = "write https://\(Self.domain)/\(Self.id), or add \"\(Self.issuer)\" to knownAuthorities"
            #expect(check.standardOutput.contains(remedy), "\(check)")
        }
    }

    /// The other host is the worst that a host can be: it serves the same persons with the same identifiers.
    @Test(
        "another host that repeats the tenant's GUID gets no token of the tenant, and replaces none",
        arguments: [("https://\(domain)/\(id)", []), (named, [issuer])])
    func isolatesHostThatRepeatsTenant(authority: String, known: [String]) async throws {
        let own = "https://fabrikam.ciamlogin.com"
        try await withTenant(at: own, authority, known: known) { _, client async throws in
            let (real, other) = (try client(0), try client(1))
            let ana = AccountSelection(text: LocalTenant.Person.ana.email)
            let mine = try await signIn(real).account
            let token = try await real.token().secret
            try await signIn(other, as: .ben)
            #expect(try await other.accounts().map(\.profile.hint) == [LocalTenant.Person.ben.email])
            await expectRefusal(.unknownAccount) { try await other.token(of: ana) }
            await expectRefusal(.unknownAccount) {
                try await other.token(of: ana, options: TokenRequestOptions(forcesRefresh: true))
            }
            let theirs = try await signIn(other).account
            #expect(theirs.account != mine.account)
            #expect(try await real.token().secret == token)
            #expect(try await real.accounts().map(\.account) == [mine.account])
            #expect(try await other.signOut(try await other.signingOut(ana)).removed.count == 1)
            #expect(try await real.token().secret == token)
        }
    }

    @Test("the person of a shared store is not the same person at another host")
    func refusesHostInSharedStore() async throws {
        let (own, other) = ("https://fabrikam.ciamlogin.com", "https://\(Self.domain)/\(Self.id)")
        try await withTenant(at: own, other) { susi, client async throws in
            let folder = StoreFolder(susi.home.susiHome.string)
            try StoreKeys(folder: folder, keeper: KeyProvider(), clock: TestEnvironment.realTime).share(true)
            try await signIn(try client(0))
            await expectRefusal(.differentPerson) { try await signIn(try client(1)) }
        }
    }

    @Test("a sign-in on another device names the page for local accounts")
    func namesDevicePageOfLocalAccounts() async throws {
        try await withTenant(at: "https://fabrikam.ciamlogin.com") { susi, _ in
            let outcome = try await susi.run("sign-in", "--device", "--timeout", "1s").exits(3)
            let page =
                "Local accounts of the tenant enter it at\n  https://fabrikam.ciamlogin.com/common/oauth2/deviceauth\n"
            #expect(outcome.standardError.contains(page), "\(outcome)")
        }
    }
}
