import Subprocess

/// A program that runs during a closure; it is killed when the closure ends.
package struct RunningProgram: Sendable {
    let program: Program
    let transcript: Transcript

    package enum Stream: Sendable { case output, error }

    /// Waits until a complete line with this text is on either stream and returns the first such line.
    ///
    /// With `times`, waits until this number of lines of one stream have the text, and returns the last of them.
    /// Throws if the program ends without it; the program's time limit ends the wait.
    @discardableResult
    package func waitForLine(containing text: String, times: Int = 1) async throws -> String {
        let found = await transcript.wait { transcript in
            [transcript.text(.output), transcript.text(.error)].lazy
                .compactMap { Self.wholeLine(containing: text, times, in: $0) }.first
        }
        if let found { return found }
        throw await failure("ended before it wrote a line with “\(text)”")
    }

    /// Waits until this text is on either stream, also within a line, such as a question. With `times`, waits until one
    /// stream has it this number of times.
    package func waitForText(_ text: String, times: Int = 1) async throws {
        let isThere = await transcript.wait { transcript in
            [transcript.text(.output), transcript.text(.error)].contains { $0.ranges(of: text).count >= times }
                ? true : nil
        }
        if isThere == nil { throw await failure("ended before it wrote “\(text)”") }
    }

    /// Returns the output of a stream so far.
    package func text(_ stream: Stream) async -> String {
        await transcript.text(stream == .output ? .output : .error)
    }

    /// Writes to the program's standard input, which must be `.open` or a terminal.
    package func type(_ text: String) async throws { try await control().write(text) }

    /// Writes it as soon as this question is on either stream.
    package func type(_ text: String, at question: String) async throws {
        try await waitForText(question)
        try await type(text)
    }

    package func closeInput() async throws { try await control().closeInput() }

    package func interrupt() async throws { try await control().send(.interrupt) }

    /// Asks it to end (SIGTERM).
    package func terminate() async throws { try await control().send(.terminate) }

    package func send(_ number: Int32) async throws { try await control().send(Signal(rawValue: number)) }

    /// Kills it and waits until it has ended, as after a crash.
    package func kill() async throws {
        try await control().send(.kill)
        _ = try await waitUntilExit()
    }

    package func killAtOnce() async throws { try await control().send(.kill) }

    /// Waits until the program ends by itself or by a signal; its time limit ends the wait.
    package func waitUntilExit() async throws -> ProgramOutcome {
        let end = await transcript.wait { $0.end }
        guard case .exited(let status) = end else {
            if case .failed(let what) = end { throw await failure(what) }
            throw await failure("was not started")
        }
        return ProgramOutcome(
            command: program.line, status: status, signal: await transcript.signal,
            standardOutput: await text(.output), standardError: await text(.error))
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
