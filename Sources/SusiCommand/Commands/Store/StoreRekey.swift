import ArgumentParser
import Susi

extension StoreCommand {
    /// `susi store rekey`.
    struct Rekey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rekey", abstract: "Seal everything with a new key, and put that key elsewhere.",
            discussion: """
                susi store rekey                           a new key in the same place
                susi store rekey --to passphrase --lifetime 30m
                susi store rekey --to secret-service

                It is one transaction: should the machine stop in the middle, the store opens with the old key or with the
                new one. The old key is forgotten afterwards, and what it sealed is overwritten in the store's files.
                """)

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: JSONOption

        @Option(
            help: ArgumentHelp(
                "Where the key goes.",
                valueName: "source"))
        var to: KeySourceName?

        @Option(
            help: ArgumentHelp(
                "How long the kernel keeps the key after it was asked for; 0 means without an end (default 8h).",
                valueName: "time"))
        var lifetime: Seconds?

        @Flag(help: "Remove what does not open; all of it, when the old key is lost.")
        var dropDamaged = false

        @Flag(help: "Answer yes to what --drop-damaged asks.")
        var yes = false

        func validate() throws {
            if let to = to?.value, !to.isSupported { throw ValidationError("There is no \(to.name) on this system.") }
        }

        func run() async throws {
            let context = try StoreContext(options)
            if dropDamaged {
                try await context.console.confirm(
                    "Accounts and tokens that do not open are removed. Go on?", otherwise: "Nothing was changed",
                    yes: yes, noInput: context.noInput, command: SuggestedCommand("store rekey").flag("--drop-damaged"))
            }
            let (source, change) = try await context.keys.rekey(
                to: to?.value, lifetime: lifetime?.value, droppingDamaged: dropDamaged)
            try context.console.show(RekeyReport(source, change), json: output.json)
        }
    }
}

/// What a change of the key did.
struct RekeyReport: CommandResult {
    let schemaVersion = 1
    let keySource: String
    let resealed: Int
    let dropped: Int
    let droppedNames: [String]
    let isErased: Bool
    private let source: KeySource

    init(_ source: KeySource, _ change: KeyChange) {
        self.source = source
        keySource = source.rawValue
        resealed = change.resealed
        dropped = change.dropped
        droppedNames = change.droppedNames
        isErased = change.isErased
    }

    private enum CodingKeys: CodingKey { case schemaVersion, keySource, resealed, dropped, droppedNames, isErased }

    func lines(_ style: Style) -> [String] {
        var lines = [
            "\(style.good("Sealed anew")): \(resealed) values, key in: \(style.strong(source.name))",
            style.faint("  protects against \(source.protection.against)"),
            style.faint("  not against \(source.protection.notAgainst)"),
        ]
        lines += droppedNames.map { style.warning("  removed: \(Terminal.safe($0))") }
        if dropped > droppedNames.count { lines.append("  and \(dropped - droppedNames.count) more") }
        if !isErased {
            lines.append(
                style.warning("  another process was reading: what the old key sealed is overwritten a little later"))
        }
        return lines
    }
}
