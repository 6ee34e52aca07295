import Subprocess
import Susi
import SusiStartup
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A child process with the streams and the process group of this process, so that it can use the terminal.
enum Child {
    private enum State {
        case none
        /// Starting; contains the signals received so far.
        case starting([Int32])
        case running(pid_t)
    }

    private static let state = Mutex(State.none)

    /// Runs a command found on `PATH` until it ends. Returns its exit status as shells do: 128 plus the signal number
    /// if a signal ended it. If that signal asks processes to end, it ends this process too. Variables with the value `nil` are removed from its environment.
    ///
    /// The child receives the signals that ask this process to end, and this process waits until the child has ended.
    /// If this process is killed, `watchdog` ends the child.
    static func run(
        _ words: [String], adding variables: [String: String?], _ watchdog: CleanupWatchdog
    ) async throws -> Int32 {
        guard let name = words.first else { return 0 }
        let changes = variables.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        state.withLock { $0 = .starting([]) }
        defer { state.withLock { $0 = .none } }
        do {
            // Subprocess would start a process for each folder of `PATH` until one works.
            let path = ProcessEnvironment.process.executable(name)
            let ended = try await Subprocess.run(
                Executable(program: path ?? name),
                arguments: Arguments(executablePathOverride: name, remainingValues: Array(words.dropFirst())),
                environment: .inherit.updating(Dictionary(uniqueKeysWithValues: changes)), input: .currentStandardInput,
                output: .currentStandardOutput, error: .currentStandardError
            ) { execution in
                await watchdog.watch(execution.processIdentifier.value)
                started(execution.processIdentifier.value)
            }
            switch ended.terminationStatus {
            case .exited(let code): return code
            case .signaled(let number):
                EndingSignal.record(number)
                return 128 + number
            }
        } catch let error as SubprocessError where [.executableNotFound, .spawnFailed].contains(error.code) {
            let isThere = ProcessEnvironment.process.hasProgram(name)
            let why = isThere ? "it cannot be executed" : "no such command"
            throw StartFailure(name, why: why, isThere: isThere)
        }
    }

    /// Forwards a signal to the child, unless the terminal has sent it to the child too. Returns `false` if no child
    /// runs.
    static func forward(_ number: Int32) -> Bool {
        state.withLock { state in
            switch state {
            case .none: return false
            case .starting(let earlier): state = .starting(earlier + [number])
            case .running(let child): send(number, to: child)
            }
            return true
        }
    }

    private static func started(_ child: pid_t) {
        state.withLock { state in
            if case .starting(let earlier) = state { for number in earlier { send(number, to: child) } }
            state = .running(child)
        }
    }

    private static func send(_ number: Int32, to child: pid_t) {
        if number == SIGTERM || !isInForeground { kill(child, number) }
    }

    private static var isInForeground: Bool { (0...2).contains { tcgetpgrp($0) == getpgrp() } }
}
