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
    func hasProgram(_ name: String) -> Bool { program(name, where: SmallFile.exists) != nil }

    /// Returns the path of the first file with a program's name on `PATH` that may be executed; `nil` if there is none.
    func executable(_ name: String) -> String? {
        program(name) { path in unsafe access(path, X_OK) == 0 && SmallFile.kind(path) == .file }
    }

    private func program(_ name: String, where isMeant: (String) -> Bool) -> String? {
        if name.contains("/") { return isMeant(name) ? name : nil }
        return (self["PATH"] ?? "").split(separator: ":").lazy.map { "\($0)/\(name)" }.first(where: isMeant)
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
