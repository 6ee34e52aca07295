import Susi
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension ProcessEnvironment {
    /// Replaces this process by a command found on `PATH`, with `variables` added to the environment. The command keeps the
    /// streams, the process id and the terminal, so that signals and its exit status need no process in between.
    ///
    /// Returns only if the command cannot be started, with the reason.
    static func become(_ words: [String], adding variables: [TokenVariable]) -> Errno {
        for variable in variables { _ = unsafe setenv(variable.name, variable.value, 1) }
        // Ignored and blocked signals stay so in the command.
        for number in [SIGINT, SIGTERM, SIGPIPE] { _ = signal(number, SIG_DFL) }
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        _ = unsafe execvp(words[0], arguments)
        return Errno(rawValue: errno)
    }
}

/// Disables the terminal's echo until `end()`.
struct HiddenInput {
    private let before: termios

    /// Returns `nil` if standard input is not a terminal.
    init?() {
        var state = termios()
        guard unsafe tcgetattr(0, &state) == 0 else { return nil }
        before = state
        state.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(0, TCSAFLUSH, &state) == 0 else { return nil }
    }

    /// Enables the terminal's echo.
    func end() {
        var state = before
        _ = unsafe tcsetattr(0, TCSAFLUSH, &state)
    }
}
