import ArgumentParser
import Susi
import SusiEmulator
import SusiStartup
import SystemPackage

extension EmulatorCommand {
    struct Reset: AsyncParsableCommand, SuggestingCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Delete the emulator's users, sessions and grants.",
            discussion: """
                  susi emulator reset --yes

                The next start creates the initial users again. Certificates are kept, and so are signing keys, unless the \
                database is unusable. Stop the emulator first.
                """)

        @OptionGroup var rehearsal: RehearsalOption
        @OptionGroup var errors: JSONErrorsOption

        @Flag(help: "Do not ask for confirmation")
        var yes = false

        @Flag(help: "Never ask on the terminal")
        var noInput = false

        var repeatsRehearsal: Bool { rehearsal.rehearse }

        func run() async throws {
            let folder = try Paths(config: nil, rehearses: rehearsal.isOn, in: ProcessEnvironment.current).emulator
            let console = Console.standard
            do {
                guard let isUsable = try Self.isUsable(folder) else {
                    return console.out(
                        "Nothing to delete: no emulator has used \(Terminal.safe(folder.string))")
                }
                let lock = try EmulatorLock(folder, .exclusive)
                defer { lock.release() }
                let what = isUsable ? "users, sessions and grants" : "users, sessions, grants and signing keys"
                try await console.confirm(
                    "Delete the \(what) in \(Terminal.safe(folder.string))?",
                    otherwise: "nothing was deleted", yes: yes, noInput: noInput,
                    command: SuggestedCommand("emulator reset"))
                if isUsable { try EmulatorFolder(folder)?.reset() } else { EmulatorFolder.removeDatabase(in: folder) }
                console.out("Deleted the emulator's \(what). The next start creates the initial users again.")
            } catch let error as EmulatorError { throw SusiError(error) }
        }

        // Returns whether the database can be emptied (`true`) or must be deleted (`false`); `nil` without a database.
        private static func isUsable(_ folder: FilePath) throws -> Bool? {
            do { return try EmulatorFolder(folder).map { _ in true } } catch let error as EmulatorError {
                switch error {
                case .databaseUnusable, .databaseTooNew: return false
                default: throw error
                }
            }
        }
    }
}
