import ArgumentParser
import Susi

/// `susi store`.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Manage the store: its key, checks and backups.",
        subcommands: [
            Status.self, Unlock.self, Lock.self, Rekey.self, Check.self, Repair.self, Backup.self,
        ], defaultSubcommand: Status.self)
}

/// The options of commands about the store itself, whatever the application.
struct StoreOptions: ParsableArguments {
    @Flag(help: "Never ask on the terminal.")
    var noInput = false

    @Flag(help: "Print without colors.")
    var noColor = false

    @OptionGroup var rehearsal: RehearsalOption
}

/// What a command about the store works with.
struct StoreContext {
    let keys: StoreKeys
    let paths: Paths
    let console: Console
    let now: Int64
    let noInput: Bool

    init(_ options: StoreOptions) throws {
        let surroundings = Surroundings.current
        let paths = Paths(config: nil, rehearses: options.rehearsal.isOn, in: surroundings)
        let console = Console.standard
        let choices = KeyChoices(paths: paths, surroundings: surroundings, noInput: options.noInput)
        self.paths = paths
        self.console = console
        now = surroundings.now()
        noInput = options.noInput
        keys = StoreKeys(folder: paths.store, keeper: choices.keeper(console), clock: { surroundings.now() })
    }
}

/// A key source by its name.
struct KeySourceName: ExpressibleByArgument {
    let value: KeySource

    init?(argument: String) {
        guard let value = KeySource(rawValue: argument) else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { KeySource.allCases.filter(\.isSupported).map(\.rawValue) }
}
