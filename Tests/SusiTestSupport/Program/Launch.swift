import Foundation
import Subprocess

extension Program {
    package func run() async throws -> ProgramOutcome {
        try await start { program in try await program.waitUntilExit() }
    }

    /// Runs the command while `body` runs; afterwards kills it with its process group.
    @discardableResult
    package func start<T>(_ body: (RunningProgram) async throws -> T) async throws -> T {
        let transcript = Transcript()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await launch(transcript) }
            defer { group.cancelAll() }
            return try await body(RunningProgram(program: self, transcript: transcript))
        }
    }

    /// Runs the process within its time limit, which ends every wait in a test. Never throws: waiting tests read the end
    /// from the transcript.
    private func launch(_ transcript: Transcript) async {
        do {
            let end = try await withThrowingTaskGroup(of: TerminationStatus.self) { group in
                group.addTask { try await supervise(transcript) }
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw ProgramError(program: self, what: "still ran after \(limit) and was killed")
                }
                defer { group.cancelAll() }
                return try await group.next() ?? .exited(0)
            }
            switch end {
            case .exited(let code): await transcript.ended(.exited(code))
            case .signaled(let signal): await transcript.ended(.exited(128 + signal), by: signal)
            }
        } catch {
            await transcript.ended(.failed("\(error)"))
        }
    }

    private func supervise(_ transcript: Transcript) async throws -> TerminationStatus {
        Self.ignoreBrokenPipes
        // A separate process group, so that the children of a killed program end with it.
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(200))
        ]
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        let result = try await Subprocess.run(
            .path(path), arguments: Arguments(arguments),
            environment: .custom(Dictionary(uniqueKeysWithValues: variables)), workingDirectory: workingFolder,
            platformOptions: options, input: .inputWriter, output: .sequence, error: .sequence
        ) { execution in
            await transcript.started(
                Transcript.Control(
                    send: { try execution.send(signal: $0) },
                    write: { _ = try await execution.standardInputWriter.write($0) },
                    closeInput: { try await execution.standardInputWriter.finish() }))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await transcript.read(execution.standardOutput, as: .output) }
                group.addTask { try await transcript.read(execution.standardError, as: .error) }
                group.addTask { try await feed(execution.standardInputWriter) }
                try await group.waitForAll()
            }
        }
        return result.terminationStatus
    }

    private func feed(_ writer: StandardInputWriter) async throws {
        switch input {
        case .open: return
        case .none: break
        case .text(let text):
            // A program may end without reading its input; that does not fail the test.
            _ = try? await writer.write(text)
        }
        try await writer.finish()
    }

    /// Makes writing to a program that has ended an error, not the end of the whole test run.
    private static let ignoreBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
}

extension Transcript {
    func read(_ bytes: SubprocessOutputSequence, as stream: Stream) async throws {
        for try await buffer in bytes {
            append(unsafe buffer.withUnsafeBytes { unsafe Array($0) }, to: stream)
        }
    }
}
