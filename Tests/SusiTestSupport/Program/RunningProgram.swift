import Subprocess

/// A program that runs while a closure does; it is killed when the closure ends.
public struct RunningProgram: Sendable {
    let program: Program
    let transcript: Transcript

    /// One of a program's two outputs.
    public enum Stream: Sendable { case output, error }

    /// Waits until a whole line with this text has been written on either stream and returns the first such line.
    ///
    /// With `times` it waits until so many lines of one stream have the text, and returns the last of them.
    /// Throws when the program ends without it; the program's time limit makes sure that it does end.
    @discardableResult
    public func waitForLine(containing text: String, times: Int = 1) async throws -> String {
        let found = await transcript.wait { transcript in
            [transcript.text(.output), transcript.text(.error)].lazy
                .compactMap { Self.wholeLine(containing: text, times, in: $0) }.first
        }
        if let found { return found }
        throw await failure("ended before it wrote a line with “\(text)”")
    }

    /// Waits until this text has been written on either stream, as a question is that ends no line.
    public func waitForText(_ text: String) async throws {
        let isThere = await transcript.wait { transcript in
            [transcript.text(.output), transcript.text(.error)].contains { $0.contains(text) } ? true : nil
        }
        if isThere == nil { throw await failure("ended before it wrote “\(text)”") }
    }

    /// All that was written on a stream so far.
    public func text(_ stream: Stream) async -> String {
        await transcript.text(stream == .output ? .output : .error)
    }

    /// Writes to the program's standard input; the program was started with `.open` input or under a terminal.
    public func type(_ text: String) async throws { try await control().write(text) }

    /// Ends the program's standard input.
    public func closeInput() async throws { try await control().closeInput() }

    /// Sends what Ctrl-C sends.
    public func interrupt() async throws { try await control().send(.interrupt) }

    /// Asks it to end (SIGTERM).
    public func terminate() async throws { try await control().send(.terminate) }

    /// Kills it and waits until it is gone: a crash, as far as others can tell.
    public func kill() async throws {
        try await control().send(.kill)
        _ = try await waitUntilExit()
    }

    /// Kills it, and waits for nothing.
    public func killAtOnce() async throws { try await control().send(.kill) }

    /// Waits until the program has ended by itself or by a signal; its time limit bounds this.
    public func waitUntilExit() async throws -> ProgramOutcome {
        let end = await transcript.wait { $0.end }
        guard case .exited(let status) = end else {
            if case .failed(let what) = end { throw await failure(what) }
            throw await failure("was not started")
        }
        return ProgramOutcome(
            status: status, standardOutput: await text(.output), standardError: await text(.error))
    }

    private func control() async throws -> Transcript.Control {
        guard let control = await transcript.wait(for: { $0.control }) else { throw await failure("has ended") }
        return control
    }

    private func failure(_ what: String) async -> ProgramError {
        let output = await text(.output)
        let error = await text(.error)
        let reason = if case .failed(let reason) = await transcript.end { " (\(reason))" } else { "" }
        return ProgramError(
            program: program, what: what + reason,
            transcript: "--- standard output\n\(output)\n--- standard error\n\(error)")
    }

    private static func wholeLine(containing text: String, _ times: Int, in all: String) -> String? {
        let lines = all.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast()
        return lines.filter { $0.contains(text) }.dropFirst(times - 1).first.map(String.init)
    }
}
