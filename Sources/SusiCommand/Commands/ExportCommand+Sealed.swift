import Susi
import SystemPackage

extension ExportCommand {
    /// Everything that is stored, sealed by a passphrase.
    func exportSealed(_ context: Context) async throws {
        let passphrase = try await passphrase.new(context, command: command)
        let console = context.console
        guard let output, !isToStandardOutput else {
            let export = try await context.client.exportSealed(passphrase: passphrase) { console.out(bytes: $0) }
            return try tell(export, console)
        }
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                FilePath(output), .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite)
        } catch {
            throw SusiError(.failed, "“\(output)” cannot be written", why: "\(error)", next: "name a new file with -o")
        }
        do {
            let export = try await context.client.exportSealed(passphrase: passphrase) { try file.writeAll($0) }
            try file.close()
            try tell(export, console)
        } catch let ended as CommandEnded {
            throw ended
        } catch {
            // A part of an export is none.
            try? file.close()
            SmallFile.remove(output)
            throw error
        }
    }

    private func tell(_ export: SealedExport, _ console: Console) throws {
        for what in export.leftOut.prefix(100) {
            console.err("\(console.errStyle.bad("left out")) \(Terminal.safe(what))")
        }
        let place = isToStandardOutput ? "" : " to \(output ?? "")"
        let imported = export.imported == 0 ? "" : " and \(export.imported) imported"
        console.err(
            "Exported \(Count.text(export.accounts, "account"))\(Terminal.safe(place)) with "
                + "\(Count.text(export.tokens, "token"))\(imported), sealed by the passphrase")
        let file = isToStandardOutput ? "FILE" : (output ?? "").shellWord
        console.advise("susi import \(file)    (on the other machine)")
        if export.leftOutCount > 0 { throw CommandEnded(code: .store) }
    }
}
