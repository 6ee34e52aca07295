import Susi

extension ExportCommand {
    /// Exports the whole store, encrypted with a passphrase. Writes to standard output if `destination` is `nil`.
    func exportSealed(_ context: Context, to destination: OutputFile?) async throws {
        let passphrase = try await passphrase.new(context, command: command)
        let console = context.console
        let export = try await context.client.exportSealed(passphrase: passphrase) { bytes in
            if let destination { try destination.write(bytes) } else { console.out(bytes: bytes) }
        }
        try destination?.keep()
        try printSummary(export, console)
    }

    private func printSummary(_ export: SealedExport, _ console: Console) throws {
        for what in export.leftOut.prefix(100) {
            console.err("\(console.errStyle.bad("left out")) \(Terminal.safe(what))")
        }
        let destination = isToStandardOutput ? "" : " to \(output ?? "")"
        console.err(
            "Exported \(Count.text(export.accounts, "account"))\(Terminal.safe(destination)) with "
                + "\(Count.text(export.tokens, "token")), encrypted with the passphrase")
        let file = isToStandardOutput ? "FILE" : (output ?? "").shellWord
        console.advise("susi import \(file)    (on the other machine)")
        if export.leftOutCount > 0 { throw CommandEnded(code: .store) }
    }
}
