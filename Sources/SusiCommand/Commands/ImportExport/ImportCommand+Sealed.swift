import Susi

extension ImportCommand {
    func importSealed(_ file: [UInt8], _ context: Context, _ name: String) async throws {
        let command = SuggestedCommand("import", self.file).option("--from", "susi")
        let passphrase = try await passphrase.existing(context, command: command)
        let copy = try await context.client.importSealed(file, name: name, passphrase: passphrase, isDryRun: dryRun)
        let isInput = self.file == InputFile.standardInput
        let shown = SealedImportResult(copy: copy, file: isInput ? nil : self.file, isDryRun: dryRun)
        try context.show(shown, json: output.json)
    }
}

struct SealedImportResult: CommandResult {
    let copy: AccountCopy
    /// The name of the file; `nil` for standard input.
    let file: String?
    let isDryRun: Bool

    private static let maximumShown = 100

    var json: JSONObject {
        let entries: [JSONObject] = copy.entries.map {
            ["label": $0.label, "policy": $0.policy.spelling, "outcome": $0.outcome.rawValue]
        }
        return [
            "schemaVersion": 1, "format": "susi", "isDryRun": isDryRun, "file": file, "accounts": entries.count,
            "added": copy.count(.added), "updated": copy.count(.updated), "unchanged": copy.count(.unchanged),
            "tokens": copy.tokens, "current": copy.current, "entries": entries,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let verb = { (outcome: AccountCopy.Outcome) in
            switch outcome {
            case .added: style.good(isDryRun ? "Would import" : "Imported")
            case .updated: style.good(isDryRun ? "Would update" : "Updated")
            case .unchanged: style.faint("Unchanged")
            }
        }
        var lines = copy.entries.prefix(Self.maximumShown).map {
            "\(verb($0.outcome)) \(style.strong(Terminal.safe($0.label))) under \(Terminal.safe($0.policy.spelling))"
        }
        let hidden = copy.entries.count - lines.count
        if hidden > 0 { lines.append("  and \(hidden) more; --json lists all") }
        lines += copy.leftOut.prefix(Self.maximumShown).map { "\(style.bad("left out")) \(Terminal.safe($0))" }
        lines.append(
            "  \(copy.count(.added)) added, \(copy.count(.updated)) updated, \(copy.count(.unchanged)) unchanged; "
                + Count.text(copy.tokens, "token") + (isDryRun ? "; nothing was written" : ""))
        return lines
    }
}
