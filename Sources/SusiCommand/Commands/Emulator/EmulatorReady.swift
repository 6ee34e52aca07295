import ArgumentParser
import Susi
import SusiEmulator
import SusiStartup
import SystemPackage

extension EmulatorCommand {
    struct Ready: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "ready", abstract: "Check that the emulator answers, or wait for it.",
            discussion: """
                  susi emulator ready
                  susi emulator run & susi emulator ready --timeout 30s && pytest

                Prints its address, with --json also the application and its authority there. If the authority of the application is elsewhere, the local copy of its tenant is asked. The \
                emulator of another SUSI_HOME does not count; one in a container does if this SUSI_HOME never had its own. The \
                request to \(Health.path) is not logged. The exit code is 3 if no emulator answers.
                """)

        @Option(
            help: ArgumentHelp("Wait so long for it, for example 30s (default: ask once)", valueName: "time"),
            transform: Seconds.parse)
        var timeout: Seconds?

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var global: GlobalOptions

        var usesCopy: Bool { global.namesForeignTenant }
        // Only this machine is asked.
        var needsTrust: Bool { false }

        // A silent server is not asked again before that time.
        private static let attempt: Duration = .seconds(5)

        func run() async throws {
            let clock = ContinuousClock()
            let end = clock.now + .seconds(timeout?.value ?? 0)
            while true {
                do { return try await ask() } catch let error as SusiError where error.isOfNetwork && clock.now < end {
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }

        // Reads the policies each time: an emulator that starts may write its address there.
        private func ask() async throws {
            let context = try Context(self)
            let answer = try await context.client.answer(at: Health.path, within: Self.attempt)
            let origin = context.application.authority.origin
            let other: NextStep = "\(SuggestedCommand("emulator run").option("--port", "0"))"
            guard answer.status == 200, let emulator = Health.emulator(in: answer.body) else {
                throw SusiError(
                    .network, "the server at \(origin) is not an emulator",
                    why: "it answered \(Health.path) with status \(answer.status)", next: other)
            }
            let folder = context.paths.emulator
            if let own = try Self.emulator(of: folder), emulator != own {
                throw SusiError(
                    .network, "the emulator at \(origin) is another one", why: "its folder is not \(folder)",
                    next: other)
            }
            try context.console.show(Report(application: context.application), json: output.json)
        }

        private struct Report: CommandResult {
            let application: Application

            var json: JSONObject {
                [
                    "schemaVersion": 1, "address": application.authority.origin, "application": application.name,
                    "authority": application.authority.description,
                ]
            }

            func lines(_ style: Style) -> [String] { [application.authority.origin] }
        }

        private static func emulator(of folder: FilePath) throws -> String? {
            do { return try Health.emulator(of: folder) } catch let error as EmulatorError { throw SusiError(error) }
        }
    }
}

extension SusiError {
    fileprivate var isOfNetwork: Bool { [.network, .timeout].contains(code) }
}
