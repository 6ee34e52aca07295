import Susi
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Everything that the program takes from outside beside its arguments, and what it hands on there. It is read here and
/// nowhere else.
struct Surroundings: Sendable {
    /// Looks a variable of the environment up.
    var variable: @Sendable (String) -> String?
    /// The user who runs it.
    var user: UInt32
    /// Whether a person can answer on standard input.
    var canAsk: Bool
    /// A browser instead of the system's; the demonstration has one.
    var browser: (any Browser)?

    /// What a command sees; the demonstration sets its own.
    @TaskLocal static var current = Surroundings.process

    static let process = Surroundings(
        // One look-up at a time: a dictionary of them all is dear on the way to a cached token.
        variable: { name in unsafe getenv(name).map { unsafe String(cString: $0) } },
        user: getuid(), canAsk: isatty(0) == 1,
        browser: nil)

    /// Whether `SUSI_CLOCK` is absent or understood.
    var hasClock: Bool { self["SUSI_CLOCK"].map { Duration.clockOffset($0) != nil } ?? true }

    /// Seconds since 1970, whatever `SUSI_CLOCK` says: other programs judge certificates by it.
    func realTime() -> Int64 { Int64(time(nil)) }

    /// Seconds since 1970. `SUSI_CLOCK=+2h` shows what holds in two hours.
    func now() -> Int64 {
        realTime() + (Duration.clockOffset(self["SUSI_CLOCK"]) ?? 0)
    }

    /// A variable that is set and not empty.
    subscript(name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
}

extension Surroundings {
    /// Replaces this process by a command, looked up on `PATH`, whose environment has `variables` beside ours. The command
    /// has our streams, our process id and our terminal, so that signals and its exit status need nobody in between.
    ///
    /// Returns only when the command cannot be started, with the reason.
    static func become(_ words: [String], adding variables: [TokenVariable]) -> Errno {
        for variable in variables { _ = unsafe setenv(variable.name, variable.value, 1) }
        // What we ignore and block for ourselves would last in the command.
        for number in [SIGINT, SIGTERM, SIGPIPE] { _ = signal(number, SIG_DFL) }
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        _ = unsafe execvp(words[0], arguments)
        return Errno(rawValue: errno)
    }
}

/// The terminal at standard input, not showing what is typed until it is ended.
struct HiddenInput {
    private let before: termios

    /// Nil when there is no terminal.
    init?() {
        var state = termios()
        guard unsafe tcgetattr(0, &state) == 0 else { return nil }
        before = state
        state.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(0, TCSAFLUSH, &state) == 0 else { return nil }
    }

    /// Shows again what is typed.
    func end() {
        var state = before
        _ = unsafe tcsetattr(0, TCSAFLUSH, &state)
    }
}

extension Duration {
    /// Seconds with a sign before them.
    fileprivate static func clockOffset(_ text: String?) -> Int64? {
        guard let text, let sign = text.first else { return nil }
        switch sign {
        case "-": return seconds(in: String(text.dropFirst())).map(-)
        case "+": return seconds(in: String(text.dropFirst()))
        default: return nil
        }
    }
}
