import ArgumentParser
import Susi
import SusiTools

extension StoreCommand {
    struct Unlock: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "unlock", abstract: "Load the key and keep it in the kernel.",
            discussion: """
                  susi store unlock
                  susi store unlock --lifetime 30m
                  SUSI_PASSPHRASE_FILE=/run/secrets/susi susi store unlock
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        @Option(
            help: ArgumentHelp("Time to keep the key, for example 30m; 0 has no limit", valueName: "time"),
            transform: Seconds.parse)
        var lifetime: Seconds?

        func run() async throws {
            let context = try StoreContext(self)
            _ = try await context.keys.unlock(lifetime: lifetime?.value)
            let status = try context.keys.status()
            try context.console.show(StoreReport(status, context), json: output.json)
        }
    }

    struct Lock: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "lock", abstract: "Remove the key from the kernel, for all processes at once.",
            discussion: """
                  susi store lock
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        func run() async throws {
            let context = try StoreContext(self)
            let (source, wasOpen) = try context.keys.lock()
            try context.console.show(LockReport(source: source, wasOpen: wasOpen), json: output.json)
        }
    }
}

struct LockReport: CommandResult {
    let source: KeySource
    /// Whether the kernel kept the key.
    let wasOpen: Bool

    var json: JSONObject { ["schemaVersion": 1, "keySource": source.rawValue, "wasOpen": wasOpen] }

    func lines(_ style: Style) -> [String] {
        switch source {
        case .file: [style.warning("Not locked: the key is in a file, which any program that you run can read.")]
        case .command: ["\(style.good("Locked")). The next command runs the key command again."]
        case .passphrase: [wasOpen ? style.good("Locked") : "Already locked"]
        case .secretService, .keychain:
            ["\(style.good("Locked")). The next command loads the key again if \(source.name) is unlocked."]
        }
    }
}
