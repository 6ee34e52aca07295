import Foundation
package import Susi
package import SusiEmulator
import SusiTools
import Synchronization
package import SystemPackage

/// An emulator, and the built `susi` with a home whose policies name it.
package struct LocalTenant: Sendable {
    package let emulator: RunningEmulator
    package let susi: SusiBinary
    fileprivate let requests: RequestLog

    /// The lines of the emulator's log so far: status, method, path.
    package var requestLines: [String] { requests.lines }

    /// Counts the requests with that method whose path ends in `suffix`.
    package func requests(_ method: String, _ suffix: String) -> Int {
        requestLines.filter { line in
            let words = line.split(separator: " ")
            // The service's own addresses have policy names in lower case.
            return words.count > 2 && words[1] == method && words[2].lowercased().hasSuffix(suffix.lowercased())
        }.count
    }

    /// Runs `susi` with these arguments and fills in the pages that it opens; under a pseudo-terminal if that is asked.
    package func interact(
        _ arguments: [String], as person: Person, typing more: [String: String] = [:], presses: [String] = [],
        environment: [String: String] = [:], inTerminal: Bool = false
    ) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: susi.home.folder)
        let form = FormBrowser(answers: person.answers.merging(more) { $1 }, presses: presses, network: network)
        let command = susi.command(arguments + ["--browser", browser.command], environment: environment)
        return try await (inTerminal ? command.inTerminal(columns: 160) : command).start { run in
            let url = try await browser.nextURL()
            try await form.open(url)
            return try await run.waitUntilExit()
        }
    }

    /// Returns a client within this process, of one of the applications of the policies, by default the current one; it has the
    /// store of `susi`, or as another program the one in `folder`. It may be for another tenant, its clock may stand at a time or be
    /// ahead by so many seconds, and its network and its policies may be others.
    package func client(
        _ application: String? = nil, at tenant: String? = nil, in folder: FilePath? = nil, time: Int64? = nil,
        ahead seconds: Int64 = 0, network: NetworkSettings? = nil, policies edit: (String) -> String = { $0 }
    ) throws -> PublicClient {
        let text = edit(try susi.home.policiesFile.text())
        let file = try PoliciesFile(text: text.utf8, source: "the test's policies")
        guard let application = file.application(application) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        let there = try tenant.map { try application.at(try TenantName($0)) } ?? application
        return PublicClient(
            application: there, among: file.applications, folder: StoreFolder((folder ?? susi.home.susiHome).string),
            clock: { time ?? TestEnvironment.realTime() + seconds }, network: network ?? self.network)
    }

    /// Signs a person in with a client, whose request and pages may be the subject.
    @discardableResult
    package func signIn(
        _ person: Person, with client: PublicClient, _ request: SignInRequest = SignInRequest(),
        typing more: [String: String] = [:]
    ) async throws(SusiError) -> SignInResult {
        let browser = FormBrowser(answers: person.answers.merging(more) { $1 }, network: network)
        return try await client.signIn(request, through: SignInSurface(browser: browser))
    }

    /// Signs a person in within this process, into the store of `susi` or the one in `folder`: for tests whose subject comes after
    /// the sign-in.
    package func signIn(
        _ person: Person, under policy: String? = nil, of application: String? = nil, in folder: FilePath? = nil,
        api: String? = nil, scopes: [String] = []
    ) async throws {
        let request = SignInRequest(policy: policy.map { PolicyName($0) }, api: api, scopes: scopes)
        try await signIn(person, with: try client(application, in: folder), request)
    }

    /// Signs a person in by password within this process.
    package func signIn(_ person: Person, byPassword policy: String, of application: String? = nil) async throws {
        let request = SignInRequest(policy: PolicyName(policy))
        _ = try await client(application).signIn(request, credentials: person.credentials)
    }

    /// Makes the store of `susi` a shared one.
    package func share() throws {
        let folder = StoreFolder(susi.home.susiHome.string)
        try StoreKeys(folder: folder, keeper: KeyProvider(), clock: TestEnvironment.realTime).share(true)
    }

    private var network: NetworkSettings {
        NetworkSettings(gateway: .direct, loopbackRoots: emulator.authority?.path.string)
    }

    /// A seeded person.
    package enum Person: Int, Sendable {
        case ana, ben, chi

        package var user: User { User.standard[rawValue] }
        package var email: String { user.signInName }
        package var credentials: PasswordCredentials { .init(username: user.signInName, password: user.password) }
        package var answers: [String: String] { ["signInName": user.signInName, "password": user.password] }
    }
}

/// Runs an emulator of the built-in application, or of those that `policies` makes from it, each tenant changed by
/// `configure`, with a home whose `policies.json` names it.
///
/// The emulator's clock runs with the real time, or is `clock`, and a test can advance it; `home` and `port` continue an
/// earlier emulator. With `isSecure` it uses https, and so do the policies. `arrived` can hold a request, given as method
/// and path, before the emulator processes it. The `people` are signed in.
@discardableResult
package func withLocalTenant<T: Sendable>(
    in home: Home, port: UInt16 = 0, isSecure: Bool = false, policies edit: (String) -> String = { $0 },
    clock: EmulatorClock = EmulatorClock(TestEnvironment.realTime),
    arrived: (@Sendable (String) async -> Void)? = nil,
    configure: (inout TenantConfiguration) -> Void = { _ in }, signedIn people: [LocalTenant.Person] = [],
    _ body: (LocalTenant) async throws -> T
) async throws -> T {
    let text = edit(PoliciesFile.writtenOutText.replacing("[8400, 8401, 53682]", with: "[0]"))
    let applications = try PoliciesFile(text: text.utf8, source: "the test's policies").applications
    let tenants = TenantConfiguration.tenants(for: applications.filter(\.authority.isLoopback)).map { tenant in
        var tenant = tenant
        configure(&tenant)
        return tenant
    }
    let requests = RequestLog()
    // The certificate to trust is also at the path of `susi emulator run`.
    let folder = (isSecure ? home.susiHome : home.folder).appending("emulator")
    try await PreparedDatabases.shared.put(tenants, into: folder)
    return try await withEmulator(
        tenants, folder: folder, ports: [EmulatorPort(port, isSecure: isSecure)], clock: clock,
        requestLog: { requests.append($0) }, arrived: arrived,
        { emulator in
            try home.writePolicies(text.replacing("http://localhost:8480", with: emulator.origin))
            let tenant = LocalTenant(emulator: emulator, susi: try SusiBinary(home: home), requests: requests)
            for person in people { try await tenant.signIn(person) }
            return try await body(tenant)
        })
}

/// Runs such a tenant in a new home.
@discardableResult
package func withLocalTenant<T: Sendable>(
    policies edit: (String) -> String = { $0 }, arrived: (@Sendable (String) async -> Void)? = nil,
    configure: (inout TenantConfiguration) -> Void = { _ in }, signedIn people: [LocalTenant.Person] = [],
    _ body: (LocalTenant) async throws -> T
) async throws -> T {
    try await withHome { home in
        try await withLocalTenant(
            in: home, policies: edit, arrived: arrived, configure: configure, signedIn: people, body)
    }
}

/// Runs such a tenant, and passes its program too.
package func withLocalTenant(
    policies edit: (String) -> String = { $0 }, configure: (inout TenantConfiguration) -> Void = { _ in },
    signedIn people: [LocalTenant.Person] = [], _ body: (LocalTenant, SusiBinary) async throws -> Void
) async throws {
    try await withLocalTenant(policies: edit, configure: configure, signedIn: people) { try await body($0, $0.susi) }
}

/// Adds the policy `B2C_1_ropc`, which signs in by password, to the text of the built-in `policies.json`.
///
/// `scopes` are the policy's own; without any, it requests those of its API.
package func addingPasswordPolicy(to text: String, scopes: [String] = []) -> String {
    let own = scopes.isEmpty ? "" : ", \"scopes\": [\(scopes.map { "\"\($0)\"" }.joined(separator: ", "))]"
    let policy = "\"B2C_1_ropc\": { \"kind\": \"resourceOwner\"\(own) }"
    return text.replacing("\"B2C_1_reset\"", with: "\(policy),\n\"B2C_1_reset\"")
}

/// Adds the application `ciam` of an External ID tenant to the text of the built-in `policies.json`.
package func addingExternalApplication(to text: String) -> String {
    let external = """
        "applications": {
            "ciam": {
              "kind": "external", "authority": "http://localhost:8480/fabrikam.onmicrosoft.com",
              "clientId": "22222222-2222-2222-2222-222222222222", "redirectPorts": [0],
              "apis": { "hello": { "baseUrl": "http://localhost:8480/api/other", "scopes": ["api://hello/demo.read"] } }
            },
        """
    return text.replacing("\"applications\": {", with: external, maxReplacements: 1)
}

extension TenantConfiguration {
    /// Lets the sign-up or sign-in policy use the social provider, which knows the user Pat; alone or beside local accounts.
    package mutating func offerSocialProvider(alone: Bool = false) {
        var policy = PolicySettings()
        policy.identityProviders = alone ? [.social] : [.local, .social]
        settings[PolicyName("B2C_1_susi")] = policy
        var pat = User(
            objectID: "d0d0d0d0-0000-4000-8000-000000000009", email: "pat@mail.example", password: "",
            displayName: "Pat Orr", givenName: "Pat", surname: "Orr")
        pat.identityProvider = "social.example"
        users.append(pat)
    }
}

extension PublicClient {
    /// Returns a new token of the current account.
    package func refreshed(api: String? = nil) async throws(SusiError) -> IssuedToken {
        try await token(api: api, of: AccountSelection(), options: TokenRequestOptions(forcesRefresh: true))
    }
}

private final class RequestLog: Sendable {
    private let store = Mutex<[String]>([])
    var lines: [String] { store.withLock { $0 } }
    func append(_ line: String) { store.withLock { $0.append(line) } }
}
