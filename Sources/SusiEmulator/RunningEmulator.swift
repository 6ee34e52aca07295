import FoundationEssentials
import NIOPosix
import SusiBase
import SusiPolicies
public import SystemPackage

/// An emulator that listens until it is stopped.
public struct RunningEmulator: Sendable {
    /// The ports on which it listens, with their actual numbers.
    public let ports: [EmulatorPort]
    /// The folder of its users, keys and grants.
    public let folder: FilePath
    /// The clock of its tokens; tests set it forward or stop it.
    public let clock: EmulatorClock
    /// The issuer of its certificate; nil without an https port, and for a certificate of the user's own.
    public let authority: CertificateAuthority?
    let site: Site

    /// The origin of the first port: `http://localhost:PORT`, without a trailing slash.
    public var origin: String { ports.first?.origin ?? "" }

    /// A `policies.json` for the applications of its tenants, the first of which is the current one; nil without applications.
    public var policies: String? {
        TenantConfiguration.policies(of: site.tenants.map(\.configuration), at: origin)
    }

    package var port: UInt16 { ports.first?.number ?? 0 }

    /// The bearer token for the admin API at `/admin/v1`. It is created at the first start and stored in `admin-secret` in the
    /// emulator's folder.
    public var adminSecret: String { site.secret?.text ?? "" }

    /// The address of the admin API.
    public var adminAddress: String { origin + AdminAPI.base }

    /// The injected faults.
    public var faults: Faults { site.faults }

    /// The latest requests, newest first, except those of the admin API. The emulator keeps the last thousand.
    public func requests(_ count: Int = 1_000) -> [AuditEntry] { site.audit.latest(count) }

    /// Signs with new keys from now on. The older keys are kept published, as services do, unless they are withdrawn: then the
    /// tokens that they signed can no longer be verified.
    public func rotateKeys(withdrawing: Bool = false) throws {
        for tenant in site.tenants { try tenant.rotateKeys(withdrawing: withdrawing) }
    }

    /// Makes the first signing keys in the background: the first token need not wait for them.
    package func prepareKeys() {
        let tenants = site.tenants
        // A failure is reported by the request that needs the key.
        NIOThreadPool.singleton.submit { _ in for tenant in tenants { try? tenant.prepareKeys() } }
    }

    /// Publishes the keys that sign after the next rotation, as services do some days before.
    public func announceKeys() throws {
        for tenant in site.tenants { try tenant.announceKeys() }
    }

    /// Creates a token without a sign-in, valid or with chosen flaws. Throws `TokenOrderError` for an invalid order.
    package func forge(_ order: TokenOrder) throws -> String {
        try site.forge(order, origin: site.reach.publicOrigins.first ?? origin).text
    }

    /// Resets everything except the signing keys to the state of the first start: users, sessions, grants, messages, faults,
    /// the audit trail and the clock.
    public func reset() throws { try site.reset() }
}

/// Runs an emulator with one tenant on one port while `body` runs; see
/// `withEmulator(_:folder:ports:reach:clock:requestLog:arrived:trace:_:)` for several of both.
package func withEmulator<T: Sendable>(
    _ configuration: TenantConfiguration, folder: FilePath, port: UInt16 = 0, clock: EmulatorClock,
    requestLog: (@Sendable (String) -> Void)? = nil, _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    try await withEmulator(
        [configuration], folder: folder, ports: [EmulatorPort(port)], clock: clock, requestLog: requestLog, body)
}

/// Runs an emulator for a test: at a free port while `body` runs, in a folder that is removed afterwards, by default with the
/// tenant ``TenantConfiguration/builtIn()``. `now` returns the time in epoch seconds.
public func withEmulator<T: Sendable>(
    _ configurations: [TenantConfiguration]? = nil, now: @escaping @Sendable () -> Int64,
    _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    let folder = FileManager.default.temporaryDirectory.appending(path: "susi-emulator-\(RandomBytes.text())")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await withEmulator(
        try configurations ?? [.builtIn()], folder: FilePath(folder.path(percentEncoded: false)),
        clock: EmulatorClock(now), body)
}

/// Runs an emulator with some tenants while `body` runs, and stops it when `body` returns or throws.
///
/// It listens on 127.0.0.1, on ::1 if the machine has it, because browsers resolve `localhost` to either, and on the address in
/// `reach`. Each port serves all tenants under its own origin; port 0 picks a free one. `emulator.sqlite` in `folder` contains
/// users, keys and grants; with an https port a ``CertificateAuthority`` is next to it. `requestLog` gets a line for each
/// request: status, method, path, and why it was refused, without secrets. `arrived` is awaited with method and path before a request is processed, so that a test can
/// synchronize requests. `trace` gets a line for each step of a custom policy's journey. Throws `EmulatorError` if the emulator cannot start.
public func withEmulator<T: Sendable>(
    _ configurations: [TenantConfiguration], folder: FilePath, ports: [EmulatorPort] = [EmulatorPort(0)],
    reach: ListenOptions = .loopback, clock: EmulatorClock, requestLog: (@Sendable (String) -> Void)? = nil,
    arrived: (@Sendable (String) async -> Void)? = nil, trace: (@Sendable (String) -> Void)? = nil,
    _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    let configurations = try configurations.map { (tenant) throws(EmulatorError) in
        try tenant.includingCustomPolicies()
    }
    for configuration in configurations { try configuration.checkTemplates() }
    let file = try DatabaseFile(folder: folder)
    try file.removeExpired(now: clock.now())
    let secret = try AdminSecret(folder: folder, file: file)
    return try await CalloutClient.running(for: configurations, log: requestLog) { callouts in
        let tenants = try configurations.map { try Tenant($0, file: file, clock: clock, callouts: callouts) }
        let site = Site(tenants: tenants, clock: clock, secret: secret, reach: reach)
        try await NIOThreadPool.singleton.runIfActive { try site.seed() }
        let isSecure = ports.contains(where: \.isSecure)
        let tls =
            isSecure ? try ServerTLS(folder: folder, file: file, reach: reach, now: clock.realTime) : nil
        var listeners: [Listener] = []
        let result: Result<T, any Error>
        do {
            var bound: [EmulatorPort] = []
            for port in ports {
                let responder = SiteResponder(
                    site: site, isSecure: port.isSecure, log: requestLog, arrived: arrived, trace: trace)
                let started = try await [Listener](
                    reach, port: port.number, tls: port.isSecure ? tls : nil, responder: responder)
                listeners += started
                bound.append(EmulatorPort(started.first?.port ?? port.number, isSecure: port.isSecure))
            }
            let authority = tls == nil || reach.certificate != nil ? nil : try CertificateAuthority.existing(in: folder)
            result = .success(
                try await body(
                    RunningEmulator(ports: bound, folder: folder, clock: clock, authority: authority, site: site)))
        } catch { result = .failure(error) }
        // A request may wait for the developer's code.
        await callouts.stop()
        await listeners.stop()
        return try result.get()
    }
}
