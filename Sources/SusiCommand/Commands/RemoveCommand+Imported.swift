import Susi

extension RemoveCommand {
    /// Removes the imported tokens that the argument names. Returns `false` if it names none.
    func removeImported(under policy: Policy?, _ context: Context) async throws -> Bool {
        let waiting = try await context.imported(named: account, under: policy, exactly: yes)
        if waiting.isEmpty { return false }
        guard waiting.count == 1 || person else {
            throw SusiError(
                .ambiguousAccount, "“\(account)” matches \(waiting.count) imported accounts",
                next: choosing(waiting[0].key.policy),
                candidates: waiting.map { "\($0.label)  \($0.key.policy)" })
        }
        if !dryRun {
            let names = waiting.map { "\(Terminal.safe($0.label)) under \($0.key.policy)" }.joined(separator: ", ")
            try await context.confirm(
                "Remove the imported token of \(names)?", yes: yes,
                command: SuggestedCommand("remove", waiting[0].key.home.description).flag("--person", person),
                otherwise: "not removed: the imported token of \(names)")
            for token in waiting { try await context.client.remove(token) }
        }
        try context.show(
            ImportedRemovalReport(isDryRun: dryRun, imported: waiting), json: output.json)
        return true
    }
}

/// The result of removing imported tokens.
struct ImportedRemovalReport: CommandResult {
    let isDryRun: Bool
    let imported: [ImportedToken]

    var json: JSONObject { ["schemaVersion": 1, "isDryRun": isDryRun, "imported": imported.map(\.json)] }

    func lines(_ style: Style) -> [String] {
        let verb = isDryRun ? style.warning("Would remove") : style.good("Removed")
        return imported.map { $0.removal(verb, style) } + [
            "  the cache that it came from is unchanged; its tokens stay valid until they expire"
        ]
    }
}
