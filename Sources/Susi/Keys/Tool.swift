import Subprocess
import SusiHTTP
import SystemPackage

/// A program of the machine that is asked something and has a limited time to answer.
struct Tool {
    /// The program and its arguments; no secret is among them.
    let words: [String]
    let limit: Duration
    /// Whether what it writes on standard error goes to ours.
    var showsErrors = false

    /// The longest answer, in bytes.
    private static let longest = 64 << 10

    /// How it ended.
    struct Outcome {
        let isSuccess: Bool
        let output: [UInt8]
        /// What it complained about; empty when it did so on our standard error.
        let complaint: String
    }

    /// Why there is no outcome.
    enum Failure: Error {
        case notFound
        case late
        case failed(String)
    }

    /// Runs it with something to read, which must be short. It is killed when its time is over, with all that it started.
    func run(reading input: String = "") async throws -> Outcome {
        guard let program = words.first else { throw Failure.notFound }
        let executable: Executable = program.contains("/") ? .path(.init(program)) : .name(program)
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(100))
        ]
        let (arguments, platform, showsErrors) = (Arguments(Array(words.dropFirst())), options, showsErrors)
        let end = try Self.pipe(holding: input)
        defer { try? end.close() }
        do {
            return try await withDeadline(limit) {
                let read = FileDescriptorInput.fileDescriptor(end, closeAfterSpawningProcess: false)
                guard showsErrors else {
                    let result = try await Subprocess.run(
                        executable, arguments: arguments, platformOptions: platform, input: read,
                        output: .bytes(limit: Self.longest), error: .string(limit: Self.longest))
                    return Outcome(
                        isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput,
                        complaint: result.standardError)
                }
                let result = try await Subprocess.run(
                    executable, arguments: arguments, platformOptions: platform, input: read,
                    output: .bytes(limit: Self.longest), error: .currentStandardError)
                return Outcome(
                    isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput, complaint: "")
            }
        } catch is DeadlineExceeded {
            throw Failure.late
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw Failure.notFound
        } catch let error as SubprocessError {
            throw Failure.failed("\(error)")
        }
    }

    // A pipe that holds all there is to read, and then ends. Whoever writes while the program runs is at its mercy: one that
    // goes without reading would end us too.
    private static func pipe(holding input: String) throws(Failure) -> FileDescriptor {
        do {
            let ends = try FileDescriptor.pipe()
            try ends.writeEnd.closeAfter { _ = try ends.writeEnd.writeAll(input.utf8) }
            return ends.readEnd
        } catch { throw Failure.failed("\(error)") }
    }
}
