import ArgumentParser
import Susi
import SusiEmulator
import SusiStartup
import SystemPackage

extension EmulatorCommand {
    struct Export: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write the tenants and their current users to a tenant file.",
            discussion: """
                  susi emulator export -o tenants.json
                  susi emulator exec --seed tenants.json pytest

                The tenants are those that susi emulator run serves with the same options; the users come from the emulator's folder, with \
                password hashes. The emulator may be running.
                """)

        @OptionGroup var errors: JSONErrorsOption
        @OptionGroup(title: "Tenant options") var options: TenantOptions

        @Option(
            name: .customShort("o"), help: ArgumentHelp("New file, instead of standard output", valueName: "file"),
            completion: .file())
        var outputFile: String?

        @OptionGroup(title: "Common options") var global: GlobalOptions

        var usesCopy: Bool { global.namesForeignTenant }

        func run() async throws {
            let context = try Context(self)
            let options = try options.including(context)
            let served =
                context.copy?.tenants ?? Served(context.application, of: context.file.applications).tenants
            let tenants = try options.tenants(over: served)
            let text: String
            do {
                guard let folder = try EmulatorFolder(context.emulatorPaths.emulator) else {
                    throw SusiError(
                        .unknownName, "nothing to export",
                        why: "no emulator has used \(context.emulatorPaths.emulator)",
                        next: "\(context.given.completing(SuggestedCommand("emulator run")))")
                }
                text = TenantFile.text(of: try folder.withUsers(tenants))
            } catch let error as EmulatorError {
                throw options.explained(error, in: SuggestedCommand("emulator export")).completed(by: context.given)
            }
            guard let outputFile, outputFile != "-" else { return context.console.out(bytes: Array(text.utf8)) }
            try OutputFile(outputFile).keep(text.utf8)
        }
    }
}
