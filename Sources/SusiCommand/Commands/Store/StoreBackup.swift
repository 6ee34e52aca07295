import ArgumentParser
import Susi
import SusiStartup
import SystemPackage

extension StoreCommand {
    struct Backup: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Copy the store to a file while it is in use.",
            discussion: """
                  susi store backup /media/stick/store.sqlite

                The copy stays encrypted and does not contain the key: it opens only with the key of this machine. To move to another \
                machine, use susi export --format susi.
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        @Argument(help: "File to write", completion: .file())
        var file: String

        @Flag(help: "Replace an existing file")
        var force = false

        func run() async throws {
            let context = try StoreContext(self)
            let made: StoreBackup.Made
            do {
                made = try StoreBackup.make(of: context.paths.store, at: FilePath(file), replaces: force)
            } catch  where error.path == FilePath(file) && error.kind == .notOurs {
                throw UsageError(
                    "“\(file)” cannot be written", why: "the file exists", next: "name a new file, or add --force")
            } catch { throw SusiError(error) }
            try context.console.show(StoreBackupReport(file: file, made: made), json: output.json)
        }
    }
}

struct StoreBackupReport: CommandResult {
    let file: String
    let made: StoreBackup.Made

    var json: JSONObject {
        [
            "schemaVersion": 1, "file": file, "bytes": made.size, "accounts": made.accounts, "holdsKey": false,
        ]
    }

    func lines(_ style: Style) -> [String] {
        [
            "\(style.good("Copied")) \(Count.text(made.accounts, "account")) to \(Terminal.safe(file)), "
                + "\(made.size >> 10) KiB",
            "  the copy does not contain the key; only the key of this machine decrypts it",
        ]
    }
}
