import FoundationEssentials
import NIOPosix
import SusiPolicies
public import SystemPackage

/// An emulator that is running.
public struct RunningEmulator: Sendable {
    /// What it listens on, with the ports that it got.
    public let ports: [EmulatorPort]
    /// Where its users, keys and grants are.
    public let folder: FilePath
    /// Its time.
    public let clock: EmulatorClock
    /// Who signed its certificate; nil where no port speaks https.
    public let authority: CertificateAuthority?
    let site: Site

    /// The first port's origin: `http://localhost:PORT`, without a slash at the end.
    public var origin: String { ports.first?.origin ?? "" }

    /// A `policies.json` for the applications of its tenants; nil where there is none. The tenants' first application is the
    /// current one.
    public var policies: String? {
        TenantConfiguration.policies(of: site.tenants.map(\.configuration), at: origin)
    }

    /// The number of the first port.
    public var port: UInt16 { ports.first?.number ?? 0 }

    /// What the admin API at `/admin/v1` asks for: `Authorization: Bearer` and this. It is made at the first start
    /// and stands in `admin-secret` in the emulator's folder.
    public var adminSecret: String { site.secret?.text ?? "" }

    /// Where the admin API answers.
    public var adminAddress: String { origin + AdminAPI.base }

    /// What goes wrong on purpose.
    public var faults: Faults { site.faults }

    /// What became of the latest requests, the newest first; at most the last thousand are kept. Those of the admin API are
    /// not among them.
    public func requests(_ count: Int = 1_000) -> [AuditEntry] { site.audit.latest(count) }

    /// Lets every tenant sign with a new key from now on. The older keys stay published, as services do it, unless they
    /// are withdrawn; then tokens that they signed cannot be checked any longer.
    public func rotateKeys(withdrawing: Bool = false) throws {
        for tenant in site.tenants { try tenant.keys.rotate(withdrawing: withdrawing) }
    }

    /// Publishes the keys with which the tenants will sign after the next rotation, as services do it some days before.
    public func announceKeys() throws {
        for tenant in site.tenants { try tenant.keys.announce() }
    }

    /// Makes a token without a sign-in, right or with chosen flaws. Throws `TokenOrderError` for an order that cannot be met.
    public func forge(_ order: TokenOrder) throws -> String {
        try site.forge(order, origin: site.reach.publicOrigin ?? origin).text
    }

    /// Brings everything but the signing keys back to what it was at the first start: users, sessions, grants, messages,
    /// faults, the audit trail and the clock.
    public func reset() throws { try site.reset() }
}

/// Runs an emulator of one tenant on one port while `body` runs; see
/// `withEmulator(_:folder:ports:reach:clock:requestLog:arrived:_:)`, which takes several of both.
public func withEmulator<T: Sendable>(
    _ configuration: TenantConfiguration, folder: FilePath, port: UInt16 = 0, clock: EmulatorClock,
    requestLog: (@Sendable (String) -> Void)? = nil, _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    try await withEmulator(
        [configuration], folder: folder, ports: [EmulatorPort(port)], clock: clock, requestLog: requestLog, body)
}

/// Runs an emulator at a free port while `body` runs, in a folder that is removed afterwards: what a test needs. Without
/// tenants it is the one that ``TenantConfiguration/builtIn()`` gives. `now` tells the time in epoch seconds.
public func withEmulator<T: Sendable>(
    _ configurations: [TenantConfiguration]? = nil, now: @escaping @Sendable () -> Int64,
    _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    let folder = FileManager.default.temporaryDirectory.appending(path: "susi-emulator-\(randomSecret())")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await withEmulator(
        try configurations ?? [.builtIn()], folder: FilePath(folder.path(percentEncoded: false)),
        clock: EmulatorClock(now), body)
}

/// Runs an emulator of some tenants while `body` runs, and stops listening when `body` returns or throws.
///
/// It listens on 127.0.0.1 and, where the machine has it, on ::1, because browsers resolve `localhost` to either, and where
/// `reach` says so besides. All
/// tenants are served on each port, under that port's origin; port 0 takes a free one. Users, keys and grants are kept in
/// `emulator.sqlite` in `folder`, and a ``CertificateAuthority`` beside it once a port speaks https. `requestLog` gets one
/// line for each request, with nothing secret in it. Before anything is done about a request, `arrived` is awaited with its
/// method and path: a test can hold requests there until others have come. Throws `EmulatorError` when the emulator cannot
/// start.
public func withEmulator<T: Sendable>(
    _ configurations: [TenantConfiguration], folder: FilePath, ports: [EmulatorPort] = [EmulatorPort(0)],
    reach: ListenOptions = .loopback, clock: EmulatorClock, requestLog: (@Sendable (String) -> Void)? = nil,
    arrived: (@Sendable (String) async -> Void)? = nil,
    _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    for configuration in configurations { try configuration.checkTemplates() }
    let file = try DatabaseFile(folder: folder)
    try file.removeExpired(now: clock.now())
    let secret = try AdminSecret(folder: folder, file: file)
    let tenants = configurations.map { Tenant($0, file: file, clock: clock) }
    let site = Site(tenants: tenants, clock: clock, secret: secret, reach: reach)
    try await NIOThreadPool.singleton.runIfActive { try site.seed() }
    let isSecure = ports.contains(where: \.isSecure)
    let tls = isSecure ? try ServerTLS(folder: folder, file: file, now: clock.realTime) : nil
    let responder = SiteResponder(site: site, isSecure: false, log: requestLog, arrived: arrived)
    return try await withListeners(ports[...], tls: tls, responder: responder) { bound in
        let authority = tls == nil ? nil : try CertificateAuthority.existing(in: folder)
        return try await body(
            RunningEmulator(ports: bound, folder: folder, clock: clock, authority: authority, site: site))
    }
}

private func withListeners<T: Sendable>(
    _ ports: ArraySlice<EmulatorPort>, tls: ServerTLS?, responder: SiteResponder,
    _ body: ([EmulatorPort]) async throws -> T
) async throws -> T {
    guard let first = ports.first else { return try await body([]) }
    var responder = responder
    responder.isSecure = first.isSecure
    return try await withListeners(
        reach: responder.site.reach, port: first.number, tls: first.isSecure ? tls : nil, responder: responder
    ) { [responder] bound in
        try await withListeners(ports.dropFirst(), tls: tls, responder: responder) { others in
            try await body([EmulatorPort(bound, isSecure: first.isSecure)] + others)
        }
    }
}

// A free port of one address can be taken on the next; then another one is tried.
private func withListeners<T: Sendable>(
    reach: ListenOptions, port: UInt16, tls: ServerTLS?, responder: SiteResponder, _ body: (UInt16) async throws -> T
) async throws -> T {
    for attempt in 1...10 {
        do {
            return try await withListeners(reach.hosts[...], port: port, tls: tls, responder: responder, body)
        } catch let failure as ListenFailure {
            if failure.isUnavailable, failure.host == reach.address {
                throw EmulatorError.addressUnusable(failure.host, reason: "this machine has no such address")
            }
            guard failure.isTaken else { throw EmulatorError.cannotListen(port: port, reason: failure.reason) }
            if port != 0 || attempt == 10 { throw EmulatorError.portTaken(port) }
        }
    }
    throw EmulatorError.portTaken(port)
}

private func withListeners<T: Sendable>(
    _ hosts: ArraySlice<ListenedHost>, port: UInt16, tls: ServerTLS?, responder: SiteResponder,
    _ body: (UInt16) async throws -> T
) async throws -> T {
    guard let first = hosts.first else { return try await body(port) }
    do {
        return try await withListener(host: first.name, port: port, tls: tls, responder: responder) { bound in
            try await withListeners(hosts.dropFirst(), port: bound, tls: tls, responder: responder, body)
        }
    } catch let failure as ListenFailure where first.isOptional && failure.isUnavailable && failure.host == first.name {
        return try await withListeners(hosts.dropFirst(), port: port, tls: tls, responder: responder, body)
    }
}
