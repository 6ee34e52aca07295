public import SystemPackage

/// An emulator that is running.
public struct RunningEmulator: Sendable {
    /// `http://localhost:PORT`, without a slash at the end.
    public let origin: String
    /// The port that it listens on.
    public let port: UInt16
    /// Its time.
    public let clock: EmulatorClock
}

/// Runs an emulator while `body` runs, and stops listening when `body` returns or throws.
///
/// It listens on 127.0.0.1 and, where the machine has it, on ::1, because browsers resolve `localhost` to either. Port 0
/// takes a free port. Users, keys and grants are kept in `emulator.sqlite` in `folder`. `requestLog` gets one line for
/// each request, with nothing secret in it. Throws `EmulatorError` when the emulator cannot start.
public func withEmulator<T: Sendable>(
    _ configuration: TenantConfiguration, folder: FilePath, port: UInt16 = 0, clock: EmulatorClock,
    requestLog: (@Sendable (String) -> Void)? = nil, _ body: (RunningEmulator) async throws -> T
) async throws -> T {
    let database = try Database(folder: folder)
    let now = clock.now()
    try database.removeExpired(now: now)
    try database.seed(configuration.users)
    let tenant = Tenant(
        configuration: configuration, database: database, key: try database.signingKey(now: now), clock: clock)
    let responder = TenantResponder(tenant: tenant, log: requestLog)
    return try await withLoopbackListeners(port: port, responder: responder) { port in
        try await body(RunningEmulator(origin: "http://localhost:\(port)", port: port, clock: clock))
    }
}

// A free port of 127.0.0.1 can be taken on ::1; then another one is tried.
private func withLoopbackListeners<T: Sendable>(
    port: UInt16, responder: TenantResponder, _ body: (UInt16) async throws -> T
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
