import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL
import SusiPolicies
import SusiTestSupport
import Synchronization
import SystemPackage

@testable import SusiEmulator

/// A running emulator with everything that a test needs.
struct EmulatorFixture: Sendable {
    static let start: Int64 = 1_800_000_000
    static let client = "11111111-1111-1111-1111-111111111111"
    static let scope = "https://contoso.onmicrosoft.com/hello/demo.read"
    static let ana = "a0a0a0a0-0000-4000-8000-000000000001"
    /// What Ana types on the sign-in page.
    static let answers = ["signInName": "ana@contoso.example", "password": "Passw0rd!"]

    let emulator: RunningEmulator
    let folder: FilePath
    let http: HTTPClient
    let log: Log

    var tenant: String { "\(emulator.origin)/contoso.onmicrosoft.com" }

    /// Returns a browser without cookies.
    func browser() -> Browser { Browser(http: http, origin: emulator.origin) }
}

final class Log: Sendable {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }
    func add(_ line: String) { kept.withLock { $0.append(line) } }
}

/// Returns the tenant of the tests: three policies, one client, two APIs.
func tenantOfTests() throws -> TenantConfiguration {
    let base = try WebAddress("http://localhost:8480/contoso.onmicrosoft.com")
    let application = Application(
        name: "local", kind: .b2c, authority: base, clientID: EmulatorFixture.client, redirectPorts: [8_400, 8_401],
        policies: [
            Policy(name: PolicyName("B2C_1_susi"), kind: .signUpOrSignIn, isDefault: true),
            Policy(name: PolicyName("B2C_1_edit_profile"), kind: .editProfile),
            Policy(name: PolicyName("B2C_1_reset"), kind: .passwordReset),
        ],
        knownAuthorities: KnownAuthorities([]),
        apis: [
            API(name: "hello", baseURL: try WebAddress("http://localhost:8480/api"), scopes: [EmulatorFixture.scope]),
            API(
                name: "other", baseURL: try WebAddress("http://localhost:8480/other"),
                scopes: ["https://contoso.onmicrosoft.com/other/items.write"]),
        ])
    return TenantConfiguration(application: application)
}

/// Runs an emulator in a temporary folder, or in `folder` if one is given.
func withFixture(
    folder given: FilePath? = nil, ports: [EmulatorPort] = [EmulatorPort(0)],
    _ change: (inout TenantConfiguration) throws -> Void = { _ in },
    _ body: (EmulatorFixture) async throws -> Void
) async throws {
    var configuration = try tenantOfTests()
    try change(&configuration)
    try await withFixture(folder: given, tenants: [configuration], ports: ports, body)
}

/// Runs such an emulator, with a browser.
func withFixture(
    folder: FilePath? = nil, _ change: (inout TenantConfiguration) throws -> Void = { _ in },
    _ body: (EmulatorFixture, Browser) async throws -> Void
) async throws { try await withFixture(folder: folder, change) { try await body($0, $0.browser()) } }

/// Runs an emulator of these tenants. Its certificates use the real time, because other programs check them.
func withFixture(
    folder given: FilePath? = nil, tenants: [TenantConfiguration], ports: [EmulatorPort] = [EmulatorPort(0)],
    reach: ListenOptions = .loopback, _ body: (EmulatorFixture) async throws -> Void
) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("emulator-\(UUID().uuidString)").path
    let folder = given ?? FilePath(path)
    defer { if given == nil { try? FileManager.default.removeItem(atPath: path) } }
    if given == nil {
        // Tests share what is prepared, so it must not depend on the files of one of them.
        let plain = tenants.map { tenant in
            var plain = tenant
            plain.policyFolder = nil
            return plain
        }
        try await PreparedDatabases.shared.put(plain, into: folder, at: EmulatorFixture.start)
    }
    let log = Log()
    let clock = EmulatorClock({ EmulatorFixture.start }, realTime: { Int64(Date().timeIntervalSince1970) })
    try await withEmulator(
        tenants, folder: folder, ports: ports, reach: reach, clock: clock, requestLog: { log.add($0) }
    ) { emulator in
        try await withHTTP(trusting: emulator.authority) { http in
            try await body(EmulatorFixture(emulator: emulator, folder: folder, http: http, log: log))
        }
    }
}

private func withHTTP(
    trusting authority: CertificateAuthority?, _ body: (HTTPClient) async throws -> Void
) async throws {
    var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
    settings.connectionPool.retryConnectionEstablishment = false
    // As many browsers as a test needs.
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 100
    if let authority {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(authority.path.string)
        settings.tlsConfiguration = tls
    }
    let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    let result: Result<Void, any Error>
    do { result = .success(try await body(http)) } catch { result = .failure(error) }
    try await http.shutdown()
    try result.get()
}
