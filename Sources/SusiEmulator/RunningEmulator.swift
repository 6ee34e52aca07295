import NIOPosix
import SusiPolicies
public import SystemPackage

/// An emulator that is running.
public struct RunningEmulator: Sendable {
    /// `http://localhost:PORT`, without a slash at the end.
    public let origin: String
    /// The port that it listens on.
    public let port: UInt16
    /// Its time.
    public let clock: EmulatorClock
    let site: Site

    /// Lets every tenant sign with a new key from now on. The older keys stay published, as services do it, unless they
    /// are withdrawn; then tokens that they signed cannot be checked any longer.
    public func rotateKeys(withdrawing: Bool = false) throws {
        for tenant in site.tenants { try tenant.keys.rotate(withdrawing: withdrawing) }
    }
}

/// Runs an emulator of one tenant while `body` runs; see `withEmulator(_:folder:port:clock:requestLog:_:)` for several.
public func withEmulator<T: Sendable>(
    _ configuration: TenantConfiguration, folder: FilePath, port: UInt16 = 0, clock: EmulatorClock,
    requestLog: (@Sendable (String) -> Void)? = nil, _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    try await withEmulator([configuration], folder: folder, port: port, clock: clock, requestLog: requestLog, body)
}

/// Runs an emulator of some tenants while `body` runs, and stops listening when `body` returns or throws.
///
/// It listens on 127.0.0.1 and, where the machine has it, on ::1, because browsers resolve `localhost` to either. Port 0
/// takes a free port. Users, keys and grants are kept in `emulator.sqlite` in `folder`. `requestLog` gets one line for
/// each request, with nothing secret in it. Before anything is done about a request, `arrived` is awaited with its method
/// and path: a test can hold requests there until others have come. Throws `EmulatorError` when the emulator cannot start.
public func withEmulator<T: Sendable>(
    _ configurations: [TenantConfiguration], folder: FilePath, port: UInt16 = 0, clock: EmulatorClock,
    requestLog: (@Sendable (String) -> Void)? = nil, arrived: (@Sendable (String) async -> Void)? = nil,
    _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    let heir = configurations.first { $0.kind == .b2c }?.key ?? ""
    let file = try DatabaseFile(folder: folder, heir: heir)
    try file.removeExpired(now: clock.now())
    let site = Site(tenants: configurations.map { Tenant($0, file: file, clock: clock) }, clock: clock)
    try await NIOThreadPool.singleton.runIfActive { try site.seed() }
    let responder = SiteResponder(site: site, log: requestLog, arrived: arrived)
    return try await withLoopbackListeners(port: port, responder: responder) { port in
        try await body(RunningEmulator(origin: "http://localhost:\(port)", port: port, clock: clock, site: site))
    }
}

// A free port of 127.0.0.1 can be taken on ::1; then another one is tried.
private func withLoopbackListeners<T: Sendable>(
    port: UInt16, responder: SiteResponder, _ body: (UInt16) async throws -> T
) async throws -> T {
    for attempt in 1...10 {
        do {
            return try await withListener(host: "127.0.0.1", port: port, responder: responder) { bound in
                do {
                    return try await withListener(host: "::1", port: bound, responder: responder, body)
                } catch let failure as ListenFailure where failure.isUnavailable {
                    return try await body(bound)
                }
            }
        } catch let failure as ListenFailure {
            guard failure.isTaken else { throw EmulatorError.cannotListen(port: port, reason: failure.reason) }
            if port != 0 || attempt == 10 { throw EmulatorError.portTaken(port) }
        }
    }
    throw EmulatorError.portTaken(port)
}
