import Dispatch
import Susi
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals that ask this process to end. It cleans up first, then ends by the same signal: a shell stops its loop only if
/// the command that it waits for was ended by Ctrl-C.
enum EndingSignal {
    private static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM]

    private struct State {
        var handled: [Int32] = []
        var received: Int32?
    }

    private static let state = Mutex(State())

    /// Makes such signals wait for ``handle(_:)``, which takes effect later, on another thread. Other threads inherit this.
    static func hold() { ProcessSignal.block(all) }

    /// Calls `body` for each such signal, unless a child process receives it. Under `nohup`, signals are still ignored.
    static func handle(_ body: @escaping @Sendable () -> Void) {
        // Shells let a command in the background ignore SIGINT, but it is the documented way to stop an emulator.
        for number in all where number == SIGINT || !ProcessSignal.isIgnored(number) {
            state.withLock { $0.handled.append(number) }
            #if canImport(Darwin)
                // On Linux this would drop a signal that waits.
                _ = signal(number, SIG_IGN)
            #endif
            ProcessSignal.handle(number, on: .global()) {
                if Child.forward(number) { return }
                record(number)
                body()
            }
        }
    }

    /// Makes the process end by this signal, if it is such a signal and no other came before.
    static func record(_ number: Int32) {
        guard all.contains(number) else { return }
        state.withLock { $0.received = $0.received ?? number }
    }

    /// Ends the process normally after all: for a command whose work ends with the signal.
    static func complete() { state.withLock { $0.received = nil } }

    /// Restores the usual effect of the handled signals, for a command that replaces this process.
    static func reset() { for number in state.withLock(\.handled) { _ = signal(number, SIG_DFL) } }

    /// The exit status that shells show for the received signal; `nil` if there was none.
    static var status: Int32? { state.withLock(\.received).map { 128 + $0 } }

    /// Ends the process by the signal that it received. Returns if there was none.
    static func end() {
        if let number = state.withLock(\.received) { ProcessSignal.end(by: number) }
    }
}
