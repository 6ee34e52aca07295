package import Subprocess
import SusiBase
import SusiHTTP
import SystemPackage

/// A program that runs with a time limit and returns its output.
struct Tool {
    /// The program and its arguments, without secrets.
    let words: [String]
    let limit: Duration
    /// Whether its standard error goes to ours.
    var showsErrors = false
    /// Whether it also ends if this process is killed. Needed for commands that may wait; a shell watches this process.
    var isWatched = false

    /// In bytes.
    private static let longest = 64 << 10

    struct Outcome {
        let isSuccess: Bool
        let output: [UInt8]
        /// The text on standard error; empty if that went to ours.
        let complaint: String

        /// The first line of the output; `nil` if it is empty or not a text.
        var firstLine: String? {
            let line = SmallFile.firstLine(of: output)
            return line.isEmpty ? nil : String(validating: line, as: UTF8.self)
        }
    }

    /// Why a program has no result, in words that follow its name.
    struct Failure: Error {
        let why: String

        static let notFound = Failure(why: "cannot be started")
    }

    /// Runs the program with a short input. After the time limit it is killed with its child processes.
    func run(reading input: String = "") async throws -> Outcome {
        guard isWatched else { return try await run(reading: input) { _ in } }
        return try await CleanupWatchdog.with { watchdog in
            try await run(reading: input) { await watchdog.watch(group: $0) }
        }
    }

    /// `started` gets the id of the program's process group.
    private func run(
        reading input: String, started: @escaping @Sendable (Int32) async -> Void
    ) async throws -> Outcome {
        guard let program = words.first else { throw Failure.notFound }
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(100))
        ]
        let (executable, arguments) = (Executable(program: program), Arguments(Array(words.dropFirst())))
        let (platform, showsErrors) = (options, showsErrors)
        let end = try Self.pipe(holding: input)
        defer { try? end.close() }
        do {
            return try await withDeadline(limit) {
                let read = FileDescriptorInput.fileDescriptor(end, closeAfterSpawningProcess: false)
                guard showsErrors else {
                    let result = try await Subprocess.run(
                        executable, arguments: arguments, platformOptions: platform, input: read,
                        output: .bytes(limit: Self.longest), error: .string(limit: Self.longest)
                    ) { execution in await started(execution.processIdentifier.value) }
                    return Outcome(
                        isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput,
                        complaint: result.standardError)
                }
                let result = try await Subprocess.run(
                    executable, arguments: arguments, platformOptions: platform, input: read,
                    output: .bytes(limit: Self.longest), error: .currentStandardError
                ) { execution in await started(execution.processIdentifier.value) }
                return Outcome(
                    isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput, complaint: "")
            }
        } catch is DeadlineExceeded {
            throw Failure(why: "did not finish within \(limit.components.seconds) s")
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw Failure.notFound
        } catch let error as SubprocessError {
            throw Failure(why: "failed\(error.underlyingError.map { ": \($0)" } ?? "")")
        }
    }

    /// Runs the program and returns the first line that it prints. `error` makes the error of a reason that follows the name of
    /// the program in a sentence.
    func firstLine(_ error: (_ why: String) -> SusiError) async throws -> String {
        let outcome: Outcome
        do { outcome = try await run() } catch let failure as Failure { throw error(failure.why) }
        guard outcome.isSuccess else { throw error("exited with an error") }
        guard let line = outcome.firstLine else { throw error("did not print a line of text") }
        return line
    }

    // The pipe contains the whole input before the program starts: writing later would end this process (SIGPIPE) if the
    // program exits without reading.
    private static func pipe(holding input: String) throws(Failure) -> FileDescriptor {
        do {
            let ends = try FileDescriptor.pipe()
            try ends.writeEnd.closeAfter { _ = try ends.writeEnd.writeAll(input.utf8) }
            return ends.readEnd
        } catch { throw Failure(why: "failed: \(error)") }
    }
}

extension Executable {
    /// Makes a program of its path, or of its name in PATH.
    package init(program: String) { self = program.contains("/") ? .path(FilePath(program)) : .name(program) }
}
