import ArgumentParser
import Susi
import SusiEmulator
import SystemPackage

extension EmulatorCommand {
    /// `susi emulator reset`.
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Forget the emulator's users, sessions and grants.",
            discussion: """
                The next start seeds its users as at the first one. The keys that sign and the certificates stay. Refused \
                while an emulator runs.

                susi emulator reset --yes
                """)

        @OptionGroup var errors: JSONErrorsOption

        @Flag(help: "Do not ask.")
        var yes = false

        @Flag(help: "Never ask; without --yes nothing is done.")
        var noInput = false

        func run() async throws {
            let folder = Paths(config: nil, in: Surroundings.current).emulator
            let console = Console.standard
            do {
                guard try EmulatorFolder(folder) != nil else {
                    return console.out(
                        "There was nothing to forget: no emulator ran with \(Terminal.safe(folder.string))")
                }
                try await console.confirm(
                    "Forget the users, sessions and grants in \(Terminal.safe(folder.string))?",
                    otherwise: "Nothing was forgotten", yes: yes, noInput: noInput,
                    command: SuggestedCommand("emulator reset"))
                let lock = try EmulatorLock(folder, .alone)
                defer { lock.end() }
                try EmulatorFolder(folder)?.reset()
            } catch let error as EmulatorError { throw SusiError(error) }
            console.out("The emulator has forgotten its users, sessions and grants. The next start seeds its users.")
        }
    }
}
