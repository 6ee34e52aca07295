import ArgumentParser
import Susi
import SusiTools

extension StoreCommand {
    struct Rekey: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "rekey", abstract: "Encrypt everything with a new key.",
            discussion: """
                  susi store rekey                           a new key, same source
                  susi store rekey --to passphrase --lifetime 30m
                  susi store rekey --to secret-service

                Runs as one transaction: if the machine stops, the store opens with the old key or with the new one. The old key is then \
                deleted, and the values that it encrypted are overwritten in the store's files.
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        @Option(
            help: ArgumentHelp(
                "New source of the key",
                valueName: "source"))
        var to: KeySourceName?

        @Option(
            help: ArgumentHelp(
                "Time that the kernel keeps the key; 0 has no limit (default: 8h)",
                valueName: "time"), transform: Seconds.parse)
        var lifetime: Seconds?

        @Flag(help: "Remove values that cannot be decrypted")
        var dropDamaged = false

        @Flag(help: "Do not ask for confirmation")
        var yes = false

        func validate() throws {
            guard let to else { return }
            if let instead = KeySource.instead(of: to.name) {
                throw ValidationError("the key source “\(to.name)” was removed\n\(instead)")
            }
            if let source = to.value, !source.isSupported { throw ValidationError("no \(source.name) on this system") }
        }

        func run() async throws {
            let context = try StoreContext(self)
            if dropDamaged {
                try await context.console.confirm(
                    "Accounts and tokens that cannot be decrypted will be removed. Continue?",
                    otherwise: "nothing was changed",
                    yes: yes, noInput: context.noInput, command: SuggestedCommand("store rekey").flag("--drop-damaged"))
            }
            let (source, change) = try await context.keys.rekey(
                to: to?.value, lifetime: lifetime?.value, droppingDamaged: dropDamaged)
            try context.console.show(RekeyReport(source: source, change: change), json: output.json)
        }
    }
}

struct RekeyReport: CommandResult {
    let source: KeySource
    let change: KeyChange

    var json: JSONObject {
        [
            "schemaVersion": 1, "keySource": source.rawValue, "resealed": change.resealed, "dropped": change.dropped,
            "droppedNames": change.droppedNames, "isErased": change.isErased,
        ]
    }

    func lines(_ style: Style) -> [String] {
        var lines = [
            "\(style.good("Re-encrypted")) \(Count.text(change.resealed, "value")); key: \(style.strong(source.name))",
            style.faint("  protects against \(source.protection.against)"),
            style.faint("  not against \(source.protection.notAgainst)"),
        ]
        lines += change.droppedNames.map { style.warning("  removed: \(Terminal.safe($0))") }
        let unnamed = change.dropped - change.droppedNames.count
        if unnamed > 0 { lines.append("  and \(unnamed) more") }
        if !change.isErased {
            lines.append(
                style.warning("  another process was reading; values of the old key will be overwritten later"))
        }
        return lines
    }
}
