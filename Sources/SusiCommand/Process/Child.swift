import Dispatch
import Subprocess
import Susi
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A command that runs in this process's group with its streams, so that it can use the terminal.
enum Child {
    private enum State {
        case none
        /// It is being started; these signals have come meanwhile.
        case starting([Int32])
        case running(pid_t)
    }

    private static let state = Mutex(State.none)

    /// Runs a command, looked up on `PATH`, to its end and gives the status as shells count it: 128 and the signal's number
    /// when a signal ended it. Variables that are nil are taken away from it.
    ///
    /// It gets the signals that ask this process to end, which then goes on until the command has ended. Where this process is
    /// killed, `aftermath` ends it.
    static func run(
        _ words: [String], adding variables: [String: String?], _ aftermath: CleanupWatchdog
    ) async throws -> Int32 {
        guard let name = words.first else { return 0 }
        let changes = variables.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        state.withLock { $0 = .starting([]) }
        let sources = [SIGHUP, SIGQUIT].map(passing)
        defer {
            state.withLock { $0 = .none }
            for source in sources { source.cancel() }
        }
        do {
            let ended = try await Subprocess.run(
                name.contains("/") ? .path(FilePath(name)) : .name(name),
                arguments: Arguments(Array(words.dropFirst())),
                environment: .inherit.updating(Dictionary(uniqueKeysWithValues: changes)), input: .currentStandardInput,
                output: .currentStandardOutput, error: .currentStandardError
            ) { execution in
                await aftermath.covers(execution.processIdentifier.value)
                started(execution.processIdentifier.value)
            }
            return switch ended.terminationStatus {
            case .exited(let code): code
            case .signaled(let number): 128 + number
            }
        } catch let error as SubprocessError where [.executableNotFound, .spawnFailed].contains(error.code) {
            let isThere = exists(name)
            let why = isThere ? "it cannot be executed" : "no such command"
            Console.standard.report(
                SusiError(.failed, "“\(name)” cannot be started", why: why, next: "check the name of the command"))
            throw CommandEnded(code: isThere ? .notExecutable : .notFound)
        }
    }

    /// Whether a signal is the child's business. What the terminal sends, it sends to the child too.
    static func takes(_ number: Int32) -> Bool {
        state.withLock { state in
            switch state {
            case .none: return false
            case .starting(let earlier): state = .starting(earlier + [number])
            case .running(let child): pass(number, to: child)
            }
            return true
        }
    }

    private static func started(_ child: pid_t) {
        state.withLock { state in
            if case .starting(let earlier) = state { for number in earlier { pass(number, to: child) } }
            state = .running(child)
        }
    }

    private static func pass(_ number: Int32, to child: pid_t) {
        if number == SIGTERM || !isInForeground { kill(child, number) }
    }

    private static var isInForeground: Bool { (0...2).contains { tcgetpgrp($0) == getpgrp() } }

    private static func passing(_ number: Int32) -> any DispatchSourceSignal {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { _ = takes(number) }
        source.setCancelHandler { _ = signal(number, SIG_DFL) }
        source.resume()
        return source
    }

    private static func exists(_ name: String) -> Bool {
        guard !name.contains("/") else { return SmallFile.exists(name) }
        let folders = (ProcessEnvironment.process["PATH"] ?? "").split(separator: ":")
        return folders.contains { SmallFile.exists("\($0)/\(name)") }
    }
}
