import ArgumentParser
import Susi
import SusiStartup

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Manage the store: key, sharing, checks, backups.",
        subcommands: [
            Status.self, Unlock.self, Lock.self, Rekey.self, Share.self, Unshare.self, Check.self, Repair.self,
            Backup.self,
        ], defaultSubcommand: Status.self)
}

/// The options of commands about the store itself, whatever the application.
struct StoreOptions: ParsableArguments {
    @Flag(help: "Never ask on the terminal")
    var noInput = false

    @Flag(help: "Print without colors")
    var noColor = false
}

protocol StoreSubcommand: ParsableCommand {
    var options: StoreOptions { get }
}

struct StoreContext {
    let keys: StoreKeys
    let paths: Paths
    let console: Console
    let now: Int64
    let noInput: Bool
    /// The options of this command, for the commands that it suggests.
    let given: GivenOptions

    init(_ command: some StoreSubcommand) throws {
        try self.init(noInput: command.options.noInput, GivenOptions(named: command))
    }

    init(noInput: Bool, _ given: GivenOptions) throws {
        let surroundings = ProcessEnvironment.current
        let paths = try Paths(config: nil, in: surroundings)
        let console = Console.standard
        let choices = KeyChoices(paths: paths, surroundings: surroundings, noInput: noInput)
        self.paths = paths
        self.console = console
        now = surroundings.now()
        self.noInput = noInput
        self.given = given
        keys = StoreKeys(folder: paths.store, keeper: choices.keeper(console), clock: { surroundings.now() })
    }
}

struct KeySourceName: ExpressibleByArgument {
    let name: String
    /// The source; `nil` for one that earlier versions had.
    var value: KeySource? { KeySource(rawValue: name) }

    init?(argument: String) {
        name = argument
        if value == nil, KeySource.instead(of: argument) == nil { return nil }
    }

    static var allValueStrings: [String] { KeySource.allCases.filter(\.isSupported).map(\.rawValue) }
}
