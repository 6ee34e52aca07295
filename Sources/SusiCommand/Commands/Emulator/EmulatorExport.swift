import ArgumentParser
import Susi
import SusiEmulator
import SystemPackage

extension EmulatorCommand {
    /// `susi emulator export`.
    struct Export: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write the tenants with the users that they have now, as a tenant file.",
            discussion: """
                The tenants are those that emulator run would serve with the same options; the users are those of the \
                emulator's folder, with hashes of their passwords. It may run meanwhile.

                susi emulator export -o tenants.json
                susi emulator exec --seed tenants.json -- pytest
                """)

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: TenantOptions
        @OptionGroup var errors: JSONErrorsOption

        @Option(
            name: .customShort("o"), help: ArgumentHelp("A new file, instead of standard output.", valueName: "file"))
        var outputFile: String?

        func run() async throws {
            let context = try Context(self)
            let served = Served(context.application, of: context.file.applications)
            let tenants = try options.tenants(over: served.tenants)
            let text: String
            do {
                guard let folder = try EmulatorFolder(context.paths.emulator) else {
                    throw SusiError(
                        .unknownName, "There is nothing to export",
                        why: "no emulator ran with \(context.paths.emulator)",
                        next: "\(SuggestedCommand("emulator run"))")
                }
                text = TenantFile.text(of: try folder.withUsers(tenants))
            } catch let error as EmulatorError { throw options.told(error, in: SuggestedCommand("emulator export")) }
            guard let outputFile else { return context.console.out(bytes: Array(text.utf8)) }
            let file = try OutputFile(outputFile)
            do {
                try file.write(text.utf8)
                try file.keep()
            } catch {
                file.discard()
                throw error
            }
        }
    }
}
