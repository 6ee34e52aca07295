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
        let shown = SealedImportResult(result, file: isInput ? nil : file, isDryRun: dryRun)
        try context.show(shown, json: output.json)
    }
}

/// The result of importing an encrypted export.
struct SealedImportResult: CommandResult {
    let schemaVersion = 1
    let format = "susi"
    let isDryRun: Bool
    let file: String?
    let exportedOn: Timestamp
    let accounts: Int
    let added: Int
    let updated: Int
    let unchanged: Int
    let tokens: Int
    let imported: Int
    let names: Int
    let current: Int
    /// The first accounts of the file.
    let entries: [Entry]

    /// An account in the file.
    struct Entry: Encodable {
        let label: String
        let policy: String
        let outcome: String
    }

    init(_ result: SealedImport, file: String?, isDryRun: Bool) {
        self.file = file
        self.isDryRun = isDryRun
        exportedOn = Timestamp(result.exportedOn)
        accounts = result.accounts
        added = result.counts[.added] ?? 0
        updated = result.counts[.updated] ?? 0
        unchanged = result.counts[.unchanged] ?? 0
        tokens = result.tokens
        imported = result.imported
        names = result.names
        current = result.current
        entries = result.entries.map {
            Entry(label: $0.label, policy: $0.policy.spelling, outcome: $0.outcome.rawValue)
        }
    }

    func lines(_ style: Style) -> [String] {
        let verb = { (outcome: String) in
            switch SealedImport.Outcome(rawValue: outcome) {
            case .added: style.good(isDryRun ? "Would import" : "Imported")
            case .updated: style.good(isDryRun ? "Would update" : "Updated")
            case .unchanged, nil: style.faint("Unchanged")
            }
        }
        var lines = entries.map {
            "\(verb($0.outcome)) \(style.strong(Terminal.safe($0.label))) under \(Terminal.safe($0.policy))"
        }
        if accounts > entries.count { lines.append("  and \(accounts - entries.count) more") }
        lines.append(
            "  \(added) added, \(updated) updated, \(unchanged) unchanged; \(Count.text(tokens, "token"))"
                + (imported == 0 ? "" : ", \(imported) imported") + (isDryRun ? "; nothing was written" : ""))
        return lines
    }
}
