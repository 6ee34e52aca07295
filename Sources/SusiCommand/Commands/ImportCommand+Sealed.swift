import Susi

extension ImportCommand {
    /// Whether the file is an encrypted export. Standard input and pipes cannot be read twice; they need `--from susi`.
    var isSealed: Bool {
        switch from {
        case .susi: true
        case .msal, .adal: false
        case .auto: SmallFile.kind(file) == .file && SealedImport.isExport(SmallFile.read(file, limit: 16) ?? [])
        }
    }

    private var isInput: Bool { file == InputFile.standardInput }

    func importSealed(_ context: Context, _ name: String) async throws {
        let input: FileStream
        do { input = try FileStream(isInput ? "/dev/stdin" : file) } catch { throw UsageError.unreadable(name) }
        let command = SuggestedCommand("import", file).option("--from", "susi")
        let passphrase = try await passphrase.existing(context, command: command)
        let result = try await context.client.importSealed(name, passphrase: passphrase, isDryRun: dryRun) { count in
            try input.next(count)
        }
        let shown = SealedImportResult(result: result, file: isInput ? nil : file, isDryRun: dryRun)
        try context.show(shown, json: output.json)
    }
}

struct SealedImportResult: CommandResult {
    let result: SealedImport
    /// The name of the file; `nil` for standard input.
    let file: String?
    let isDryRun: Bool

    private func count(_ outcome: SealedImport.Outcome) -> Int { result.counts[outcome] ?? 0 }

    var json: JSONObject {
        let entries: [JSONObject] = result.entries.map {
            ["label": $0.label, "policy": $0.policy.spelling, "outcome": $0.outcome.rawValue]
        }
        return [
            "schemaVersion": 1, "format": "susi", "isDryRun": isDryRun, "file": file,
            "exportedOn": Timestamp(result.exportedOn), "accounts": result.accounts, "added": count(.added),
            "updated": count(.updated), "unchanged": count(.unchanged), "tokens": result.tokens,
            "skipped": result.skipped, "names": result.names, "current": result.current, "entries": entries,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let verb = { (outcome: SealedImport.Outcome) in
            switch outcome {
            case .added: style.good(isDryRun ? "Would import" : "Imported")
            case .updated: style.good(isDryRun ? "Would update" : "Updated")
            case .unchanged: style.faint("Unchanged")
            }
        }
        var lines = result.entries.map {
            "\(verb($0.outcome)) \(style.strong(Terminal.safe($0.label))) under \(Terminal.safe($0.policy.spelling))"
        }
        let hidden = result.accounts - result.entries.count
        if hidden > 0 { lines.append("  and \(hidden) more") }
        lines.append(
            "  \(count(.added)) added, \(count(.updated)) updated, \(count(.unchanged)) unchanged; "
                + Count.text(result.tokens, "token")
                + (isDryRun ? "; nothing was written" : ""))
        if result.skipped > 0 {
            let tokens = Count.text(result.skipped, "unused token")
            lines.append("  skipped: \(tokens) of other programs; import their cache")
        }
        return lines
    }
}
