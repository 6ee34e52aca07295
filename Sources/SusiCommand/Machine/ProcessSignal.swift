import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// System calls for signals. The threads of Dispatch block all signals; these functions change that for one call.
enum ProcessSignal {
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Glibc)
            let handler = unsafe action.__sigaction_handler.sa_handler
        #else
            let handler = unsafe action.__sigaction_u.__sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    static func block(_ numbers: [Int32]) {
        var signals = sigset_t()
        _ = unsafe sigemptyset(&signals)
        for number in numbers { _ = unsafe sigaddset(&signals, number) }
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls `body` on the queue for each such signal, for the rest of the process.
    static func handle(_ number: Int32, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler {
            // Keeps the source alive.
            _ = source
            body()
        }
        registrations.enter()
        source.setRegistrationHandler { registrations.leave() }
        source.resume()
    }

    /// Returns when no signal is lost any more: Dispatch registers a handler later, on another thread.
    static func areHandled() async {
        await withCheckedContinuation { handled in registrations.notify(queue: .global()) { handled.resume() } }
    }

    private static let registrations = DispatchGroup()

    /// Whether standard input is a terminal that another job uses.
    static var isInBackground: Bool { isatty(0) == 1 && tcgetpgrp(0) != getpgrp() }

    /// Runs `body` while this thread can receive the signal.
    static func receiving<T>(_ number: Int32, _ body: () -> T) -> T {
        var signals = sigset_t()
        var before = sigset_t()
        _ = unsafe sigemptyset(&signals)
        _ = unsafe sigaddset(&signals, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }

    /// Stops this process, as the signal usually does, until it is continued. The kernel ignores the signal if there is no
    /// shell that could continue the process.
    static func stop(by number: Int32) {
        var usual = sigaction()
        var before = sigaction()
        _ = unsafe sigaction(number, &usual, &before)
        receiving(number) { _ = raise(number) }
        _ = unsafe sigaction(number, &before, nil)
    }

    /// Ends this process, as the signal usually does, but without a core file: it would contain tokens.
    static func end(by number: Int32) {
        var limit = rlimit()
        if unsafe getrlimit(core, &limit) == 0 {
            // With 0, Linux still passes the core to a program that collects them; with 1 it does not.
            limit.rlim_cur = min(1, limit.rlim_max)
            _ = unsafe setrlimit(core, &limit)
        }
        _ = signal(number, SIG_DFL)
        receiving(number) { _ = raise(number) }
    }

    #if canImport(Glibc)
        private static let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    #else
        private static let core = RLIMIT_CORE
    #endif
}
