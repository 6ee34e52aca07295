import Susi

extension ExportCommand {
    /// Exports everything that is stored, encrypted with a passphrase; to standard output without a `place`.
    func exportSealed(_ context: Context, to place: OutputFile?) async throws {
        let passphrase = try await passphrase.new(context, command: command)
        let console = context.console
        let export = try await context.client.exportSealed(passphrase: passphrase) { bytes in
            if let place { try place.write(bytes) } else { console.out(bytes: bytes) }
        }
        try place?.keep()
        try tell(export, console)
    }

    private func tell(_ export: SealedExport, _ console: Console) throws {
        for what in export.leftOut.prefix(100) {
            console.err("\(console.errStyle.bad("left out")) \(Terminal.safe(what))")
        }
        let place = isToStandardOutput ? "" : " to \(output ?? "")"
        let imported = export.imported == 0 ? "" : " (\(export.imported) imported)"
        console.err(
            "Exported \(Count.text(export.accounts, "account"))\(Terminal.safe(place)) with "
                + "\(Count.text(export.tokens, "token"))\(imported), encrypted with the passphrase")
        let file = isToStandardOutput ? "FILE" : (output ?? "").shellWord
        console.advise("susi import \(file)    (on the other machine)")
        if export.leftOutCount > 0 { throw CommandEnded(code: .store) }
    }
}
