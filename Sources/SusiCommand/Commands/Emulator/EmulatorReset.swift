import ArgumentParser
import Susi
import SusiEmulator
import SusiStartup
import SystemPackage

extension EmulatorCommand {
    struct Reset: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Delete the emulator's users, sessions and grants.",
            discussion: """
                  susi emulator reset --yes
                  susi emulator reset -A production    the copy of that tenant

                The next start creates the initial users again. Certificates are kept, and so are signing keys, unless the \
                database is unusable. Stop the emulator first.
                """)

        @OptionGroup var errors: JSONErrorsOption

        @Flag(help: "Do not ask for confirmation")
        var yes = false

        @OptionGroup(title: "Common options") var global: GlobalOptions

        var usesCopy: Bool { global.namesForeignTenant }
        var needsTrust: Bool { false }

        func run() async throws {
            let context = try Context(self)
            let (folder, console) = (context.emulatorPaths.emulator, context.console)
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
                    otherwise: "nothing was deleted", yes: yes, noInput: context.noInput,
                    command: context.given.completing(SuggestedCommand("emulator reset")))
                if isUsable { try EmulatorFolder(folder)?.reset() } else { EmulatorFolder.removeDatabase(in: folder) }
                console.out("Deleted the emulator's \(what). The next start creates the initial users again.")
            } catch let error as EmulatorError { throw SusiError(error) }
        }

        // Returns whether the database can be emptied (`true`) or must be deleted (`false`); `nil` without a database.
        private static func isUsable(_ folder: FilePath) throws -> Bool? {
            do { return try EmulatorFolder(folder).map { _ in true } } catch let error as EmulatorError {
                switch error {
                case .databaseUnusable: return false
                default: throw error
                }
            }
        }
    }
}
