import ArgumentParser
import Susi
import SusiStartup
import SusiTools

/// `doctor --record`: a command runs as usual but for its result, and the messages that it receives from authorities are
/// written to a file and printed, without their values.
extension DoctorCommand {
    /// After an error, what was received is written, and the error is thrown.
    func record(to name: String) async throws {
        let isNamed = words.first.map { !$0.hasPrefix("-") } ?? false
        let named = isNamed ? words : ["sign-in"] + words
        let depth = max(1, Program.commands(in: named).count)
        let arguments = Array(named.prefix(depth) + own + named.dropFirst(depth))
        guard let command = try Program.parse(arguments) as? any GivenCommand,
            !(command is DoctorCommand || command is ExecCommand)
        else {
            throw UsageError(
                "“\(named[0])” cannot be recorded", why: "it contacts no authority, or runs another program",
                next: "\(SuggestedCommand("doctor").option("--record", name))")
        }
        let context = try Context(command)
        let file = try OutputFile(name)
        let date = String(Timestamp(context.now).rfc3339.prefix(10))
        // The result may be a token.
        var console = context.console
        console.write = { $1 == .output ? nil : $1.write($0) }
        let (outcome, recording) = await Console.$standard.withValue(console) {
            await Recording.make(of: context.application, date: date) { try await Program.execute(arguments) }
        }
        // After Ctrl-C, the same command is typed again.
        do { try Task.checkCancellation() } catch {
            file.discard()
            throw error
        }
        try Self.write(recording, to: file, context.console)
        try outcome.get()
    }

    // The options before the command are the command's too.
    private var own: [String] {
        let values = [("--application", global.application), ("--config", global.config)]
        let flags = [
            ("--no-input", global.noInput), ("--verbose", global.verbose),
            ("--debug", global.debug), ("--no-color", global.noColor),
        ]
        return values.compactMap { name, value in value.map { "\(name)=\($0)" } } + flags.filter(\.1).map(\.0)
    }

    private static func write(_ recording: Recording, to file: OutputFile, _ console: Console) throws {
        guard !recording.captures.isEmpty else {
            console.err("Nothing was received from an authority; no file was written")
            return file.discard()
        }
        console.out(bytes: Array(recording.text.utf8))
        try file.keep(recording.text.utf8)
        let count = Count.text(recording.captures.count, "capture")
        console.err("\(console.errStyle.good("Wrote")) \(count) to \(Terminal.safe(file.name)), as printed above")
        let names = recording.replacedNames.sorted().map { Terminal.safe($0) }
        if !names.isEmpty {
            console.err(console.errStyle.faint("  without the names \(names.joined(separator: ", "))"))
        }
    }
}
