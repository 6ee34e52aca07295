import ArgumentParser
import Susi

/// `susi store`.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "The store of all accounts: is it sound, repair it, copy it.",
        subcommands: [Check.self, Repair.self, Backup.self])
}

/// The options of commands about the store itself, whatever the application.
struct StoreOptions: ParsableArguments {
    @Flag(help: "Never ask on the terminal.")
    var noInput = false

    @Flag(help: "No colours.")
    var noColor = false
}

/// What a command about the store works with.
struct StoreContext {
    let paths: Paths
    let console: Console
    let now: Int64
    let noInput: Bool

    init(_ options: StoreOptions) throws {
        let surroundings = Surroundings.current
        paths = Paths(config: nil, in: surroundings)
        console = Console.standard
        now = surroundings.now()
        noInput = options.noInput
    }
}
