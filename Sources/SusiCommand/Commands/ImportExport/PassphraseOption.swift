import ArgumentParser
import Susi
import SusiStartup

/// `--passphrase-file`: the passphrase of an encrypted export.
struct PassphraseOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File with the passphrase of the export in its first line (SUSI_EXPORT_PASSPHRASE_FILE)",
            valueName: "file"), completion: .file())
    var passphraseFile: String?

    /// The minimum length; shorter passphrases are quickly found by brute force.
    private static let minimumLength = 8

    /// Returns the passphrase for a new file; a prompt asks for it twice.
    func new(_ context: Context, command: SuggestedCommand) async throws -> String {
        let passphrase: String
        if let file {
            passphrase = try read(file)
        } else {
            passphrase = try await ask("Passphrase for the export: ", for: command, in: context)
            guard try await ask("Repeat the passphrase: ", for: command, in: context) == passphrase else {
                throw UsageError("the two passphrases differ", why: "nothing was written", next: "\(command)")
            }
        }
        guard passphrase.count >= Self.minimumLength else {
            throw UsageError(
                "the passphrase is too short", why: "a thief of the file can try any number of passphrases",
                next: "use at least \(Self.minimumLength) characters")
        }
        return passphrase
    }

    /// Returns the passphrase of an existing file.
    func existing(_ context: Context, command: SuggestedCommand) async throws -> String {
        if let file { return try read(file) }
        return try await ask("Passphrase for the export: ", for: command, in: context)
    }

    private static let variable = "SUSI_EXPORT_PASSPHRASE_FILE"
    private var file: String? { passphraseFile ?? ProcessEnvironment.current[Self.variable] }

    private func read(_ file: String) throws -> String {
        try PassphraseFile.read(file, passphraseFile == nil ? Self.variable : "--passphrase-file")
    }

    private func ask(_ question: String, for command: SuggestedCommand, in context: Context) async throws -> String {
        guard ProcessEnvironment.current.canAsk, !context.noInput else {
            throw UsageError(
                "no passphrase", why: "standard input is not a terminal", next: "\(command) --passphrase-file FILE")
        }
        guard let line = try await StandardInput.secret(question, context.console) else {
            throw UsageError("no passphrase", why: "standard input ended")
        }
        return line
    }
}
