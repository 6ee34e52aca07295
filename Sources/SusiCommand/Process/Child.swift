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

/// A command that runs beside this process, with its streams and in its process group, so that the terminal is its own.
enum Child {
    // The process that gets our signals; 0 where there is none.
    private static let running = Mutex<pid_t>(0)

    /// Runs a command, looked up on `PATH`, to its end and gives the status as shells count it: 128 and the signal's number
    /// when a signal ended it. Variables that are nil are taken away from it.
    ///
    /// It gets the signals that ask this process to end, which then goes on until the command has ended.
    static func run(_ words: [String], adding variables: [String: String?]) async throws -> Int32 {
        guard let name = words.first else { return 0 }
        let changes = variables.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        let sources = [SIGHUP, SIGQUIT].map(passing)
        defer {
            running.withLock { $0 = 0 }
            for source in sources { source.cancel() }
        }
        do {
            let ended = try await Subprocess.run(
                name.contains("/") ? .path(FilePath(name)) : .name(name),
                arguments: Arguments(Array(words.dropFirst())),
                environment: .inherit.updating(Dictionary(uniqueKeysWithValues: changes)), input: .currentStandardInput,
                output: .currentStandardOutput, error: .currentStandardError
            ) { execution in
                running.withLock { $0 = execution.processIdentifier.value }
            }
            return switch ended.terminationStatus {
            case .exited(let code): code
            case .signaled(let number): 128 + number
            }
        } catch let error as SubprocessError where [.executableNotFound, .spawnFailed].contains(error.code) {
            let isThere = exists(name)
            let why = isThere ? "it cannot be executed" : "there is no such command"
            Console.standard.report(
                SusiError(.failed, "“\(name)” was not started", why: why, next: "check the command's name"))
            throw CommandEnded(code: isThere ? .notExecutable : .notFound)
        }
    }

    /// Whether a signal is the child's business. What the terminal sends, it sends to the child too.
    static func takes(_ number: Int32) -> Bool {
        running.withLock { child in
            guard child != 0 else { return false }
            if number == SIGTERM || !isInForeground { kill(child, number) }
            return true
        }
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
        let folders = (Surroundings.process["PATH"] ?? "").split(separator: ":")
        return folders.contains { SmallFile.exists("\($0)/\(name)") }
    }
}
