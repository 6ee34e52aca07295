import Susi
import SusiBase
import SusiStartup
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension ProcessEnvironment {
    /// Returns whether a program exists, by its path or on `PATH`.
    func hasProgram(_ name: String) -> Bool {
        if name.contains("/") { return SmallFile.exists(name) }
        return (self["PATH"] ?? "").split(separator: ":").contains { SmallFile.exists("\($0)/\(name)") }
    }

    /// Replaces this process by a command found on `PATH`, with `variables` added to the environment. The command keeps
    /// the streams, the process id and the terminal, so that no process has to forward signals and the exit status.
    ///
    /// Returns only if the command cannot be started, with the reason.
    static func become(_ words: [String], adding variables: [TokenVariable]) -> Errno {
        for variable in variables { _ = unsafe setenv(variable.name, variable.value, 1) }
        // The command would inherit ignored and blocked signals.
        EndingSignal.reset()
        _ = signal(SIGPIPE, SIG_DFL)
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        _ = unsafe execvp(words[0], arguments)
        return Errno(rawValue: errno)
    }
}
