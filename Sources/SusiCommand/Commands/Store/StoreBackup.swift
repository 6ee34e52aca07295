import ArgumentParser
import Susi
import SystemPackage

extension StoreCommand {
    /// `susi store backup`.
    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Copy the store into one file, while others use it.",
            discussion: """
                susi store backup /media/stick/store.sqlite

                What is sealed stays sealed, and the key is not in the copy: without the key of this machine nothing in it
                opens. To move to another machine: susi export --format susi.
                """)

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: JSONOption

        @Argument(help: "The file to write.")
        var file: String

        @Flag(help: "Replace the file when it exists.")
        var force = false

        func run() async throws {
            let context = try StoreContext(options)
            let made: StoreBackup.Made
            do {
                made = try StoreBackup.make(of: context.paths.store, at: FilePath(file), replaces: force)
            } catch  where error.path == FilePath(file) && error.kind == .notOurs {
                throw UsageError(
                    "“\(file)” cannot be written", why: "it exists", next: "name a new file, or add --force")
            } catch { throw SusiError(error) }
            try context.console.show(StoreBackupReport(made, file), json: output.json)
        }
    }
}

/// What was copied.
struct StoreBackupReport: CommandResult {
    let schemaVersion = 1
    let file: String
    let bytes: Int64
    let accounts: Int
    let holdsKey = false

    init(_ made: StoreBackup.Made, _ file: String) {
        self.file = file
        bytes = made.size
        accounts = made.accounts
    }

    func lines(_ style: Style) -> [String] {
        [
            "\(style.good("Copied")) \(Count.text(accounts, "account")) to \(Terminal.safe(file)), \(bytes >> 10) KiB",
            "  the key is not in it: without this machine's key nothing in it opens",
        ]
    }
}
