import ArgumentParser
import Susi
import SusiEmulator
import SusiStartup
import SusiTools
import SystemPackage

extension EmulatorCommand {
    struct Ready: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "ready", abstract: "Check that the emulator answers, or wait for it.",
            discussion: """
                  susi emulator ready
                  susi emulator run & susi emulator ready --timeout 30s && pytest
                  eval "$(susi emulator ready -A production --shell)"    use the copy in this shell

                Prints its address, with --json also the application, its authority there, and the values of SUSI_HOME and \
                SUSI_CONFIG for it. If the authority of the application is elsewhere, the local copy of its tenant is asked. The \
                emulator of another SUSI_HOME does not count; one in a container does if this SUSI_HOME never had its own. The \
                request to \(Health.path) is not logged. The exit code is 3 if no emulator answers.
                """)

        @Option(
            help: ArgumentHelp("Wait so long for it, for example 30s (default: ask once)", valueName: "time"),
            transform: Seconds.parse)
        var timeout: Seconds?

        @Flag(help: "Print the line that makes susi use it, for a shell")
        var shell = false

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var global: GlobalOptions

        func validate() throws {
            if shell, output.json { throw ValidationError("--shell and --json cannot be combined") }
        }

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
            var context = try Context(self)
            if let copy = context.copy {
                let running = SmallFile.exists(copy.paths.policies ?? "") ? try Context(self, of: copy) : nil
                guard let running, running.application.emulatorPort != nil else {
                    throw SusiError(
                        .network, "no emulator has served the copy", why: "\(copy.home) has no policies file of one",
                        next: "\(context.given.completing(SuggestedCommand("emulator run")))    (in another terminal)")
                }
                context = running
            }
            let response = try await context.client.response(at: Health.path, within: Self.attempt)
            let origin = context.application.authority.origin
            let other: NextStep = "\(SuggestedCommand("emulator run").option("--port", "0"))"
            guard response.status == 200, let emulator = Health.emulator(in: response.body) else {
                throw SusiError(
                    .network, "the server at \(origin) is not an emulator",
                    why: "it answered \(Health.path) with status \(response.status)", next: other)
            }
            let folder = context.paths.emulator
            if let own = try Self.emulator(of: folder), emulator != own {
                throw SusiError(
                    .network, "the emulator at \(origin) is another one", why: "its folder is not \(folder)",
                    next: other)
            }
            let report = Report(
                application: context.application, home: folder.removingLastComponent(),
                policies: context.policiesFile ?? "")
            if shell { return context.console.out(TenantCopy.exports(report.home, policies: report.policies)) }
            try context.console.show(report, json: output.json)
        }

        private struct Report: CommandResult {
            let application: Application
            let home: FilePath
            let policies: String

            var json: JSONObject {
                [
                    "schemaVersion": 1, "address": application.authority.origin, "application": application.name,
                    "authority": application.authority.description, "home": home.string, "config": policies,
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
