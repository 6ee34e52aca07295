import ArgumentParser
import Susi

/// `doctor --record`: a command runs as usual, and the messages that it receives from authorities are written to a file,
/// without their values.
extension DoctorCommand {
    /// Runs the command, and writes the recording, which is printed first. After an error, what was received is written, and
    /// the error is thrown.
    func record(to name: String) async throws {
        let isNamed = words.first.map { !$0.hasPrefix("-") } ?? false
        let named = isNamed ? words : ["sign-in"] + words
        let depth = max(1, Program.commands(in: named).count)
        let arguments = named.prefix(depth) + own + named.dropFirst(depth)
        guard let command = try Program.parse(Array(arguments)) as? any GivenCommand,
            !(command is DoctorCommand || command is ExecCommand)
        else {
            throw UsageError(
                "“\(named[0])” cannot be recorded", why: "it contacts no authority, or runs another program",
                next: "\(SuggestedCommand("doctor").option("--record", name))")
        }
        let context = try Context(command)
        let file = try OutputFile(name)
        let date = String(Timestamp(context.now).rfc3339.prefix(10))
        let (outcome, recording) = await Recording.make(of: context.application, date: date) {
            try await Program.execute(Array(arguments))
        }
        do {
            // After Ctrl-C, the same command is typed again.
            try Task.checkCancellation()
            try Self.write(recording, to: file, context.console)
        } catch {
            file.discard()
            throw error
        }
        try outcome.get()
    }

    // The options before the command are the command's too.
    private var own: [String] {
        let values = [("--application", global.application), ("--config", global.config)]
        let flags = [
            ("--rehearse", global.rehearse), ("--no-input", global.noInput), ("--verbose", global.verbose),
            ("--debug", global.debug), ("--no-color", global.noColor),
        ]
        return values.compactMap { name, value in value.map { "\(name)=\($0)" } } + flags.filter(\.1).map(\.0)
    }

    private static func write(_ recording: Recording, to file: OutputFile, _ console: Console) throws {
        guard !recording.captures.isEmpty else {
            console.err("Nothing was received from an authority; no file was written")
            return file.discard()
        }
        let text = try recording.text()
        console.out(bytes: Array(text.utf8))
        try file.keep(text.utf8)
        let count = Count.text(recording.captures.count, "capture")
        console.err("\(console.errStyle.good("Wrote")) \(count) to \(Terminal.safe(file.name)), as printed above")
        let names = recording.replacedNames.sorted().map { Terminal.safe($0) }
        if !names.isEmpty {
            console.err(console.errStyle.faint("  without the names \(names.joined(separator: ", "))"))
        }
    }
}
