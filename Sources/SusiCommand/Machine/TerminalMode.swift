import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Changed settings of the terminal at standard input, until `end()`.
///
/// While this process is stopped or in the background, and after it has ended, the terminal belongs to the shell and has its
/// own settings again, whatever the signal was. `readpassphrase(3)` does the same.
final class TerminalMode: Sendable {
    /// What the user sees around a stop.
    struct Pause: Sendable {
        /// Clears what the shell does not expect on the screen.
        var leave: @Sendable () -> Void = {}
        /// Prints again what the user has to see.
        var back: @Sendable () -> Void
    }

    /// What happens to typed text that nothing has read when the settings change.
    enum TypedText: Sendable {
        case kept
        case dropped

        fileprivate var action: Int32 { self == .kept ? TCSADRAIN : TCSAFLUSH }
    }

    private let before: termios
    private let changed: termios
    private let typed: TypedText
    private let pause: Pause

    /// Changes the settings. In the background, the process first stops until it is in the foreground. Returns `nil` if
    /// standard input is not a terminal.
    init?(_ typed: TypedText, _ pause: Pause, change: (inout termios) -> Void) async {
        Self.handlesStops
        await ProcessSignal.areHandled()
        guard Self.waitForTerminal() else { return nil }
        var state = termios()
        guard unsafe tcgetattr(0, &state) == 0 else { return nil }
        before = state
        change(&state)
        changed = state
        (self.typed, self.pause) = (typed, pause)
        Self.current.withLock { current in
            current = self
            set(changed)
        }
    }

    func end() {
        Self.current.withLock { current in
            guard current === self else { return }
            current = nil
            set(before)
        }
    }

    /// Restores the settings before the process ends.
    static func restore() { current.withLock(\.self)?.end() }

    // Settings that are in force already are not set again: that would drop what was typed since the question.
    private func set(_ settings: termios) {
        var (settings, now) = (settings, termios())
        guard Self.ownsTerminal, unsafe tcgetattr(0, &now) == 0,
            (now.c_lflag, now.c_iflag) != (settings.c_lflag, settings.c_iflag)
        else { return }
        _ = unsafe tcsetattr(0, typed.action, &settings)
    }

    // MARK: Stops

    private static let current = Mutex<TerminalMode?>(nil)

    // They stay for the rest of the process: Dispatch does not restore the usual effect of a signal.
    private static let handlesStops: Void = {
        let queue = DispatchQueue(label: "terminal mode")
        for number in [SIGTSTP, SIGTTIN, SIGTTOU] where !ProcessSignal.isIgnored(number) {
            ProcessSignal.handle(number, on: queue) { stop(by: number) }
        }
        ProcessSignal.handle(SIGCONT, on: queue, resume)
    }()

    private static func stop(by number: Int32) {
        current.withLock { mode in
            guard let mode, ownsTerminal else { return }
            mode.pause.leave()
            mode.set(mode.before)
        }
        ProcessSignal.stop(by: number)
        change()
    }

    private static func resume() { change()?.pause.back() }

    /// Changes the settings again; in the background, after a stop.
    @discardableResult
    private static func change() -> TerminalMode? {
        guard current.withLock({ $0 != nil }), waitForTerminal() else { return nil }
        return current.withLock { mode in
            mode.map { $0.set($0.changed) }
            return mode
        }
    }

    // A terminal without job control belongs to every process.
    private static var ownsTerminal: Bool {
        let group = tcgetpgrp(0)
        return group < 0 || group == getpgrp()
    }

    // A shell may continue a process in the background again and again. Without a shell, the process does not stop.
    private static func waitForTerminal() -> Bool {
        for _ in 0..<100 {
            if ownsTerminal { return true }
            ProcessSignal.stop(by: SIGTTOU)
        }
        return false
    }
}
