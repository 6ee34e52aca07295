import ArgumentParser
import Susi
import SusiEmulator

extension EmulatorCommand {
    struct Ready: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "ready", abstract: "Check that the emulator answers, or wait for it.",
            discussion: """
                  susi emulator ready
                  susi emulator run & susi emulator ready --timeout 30s && pytest

                Prints its address. If the authority of the application is elsewhere, the local copy of its tenant is asked. The request \
                to \(Health.path) is not logged. The exit code is 3 if no emulator answers.
                """)

        @Option(
            help: ArgumentHelp("Wait so long for it, for example 30s (default: ask once)", valueName: "time"),
            transform: Seconds.parse)
        var timeout: Seconds?

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
            guard answer.status == 200, answer.body == Health.body else {
                throw SusiError(
                    .network, "the server at \(origin) is not an emulator",
                    why: "it answered \(Health.path) with status \(answer.status)",
                    next: "\(SuggestedCommand("emulator run").option("--port", "0"))")
            }
            context.console.out(origin)
        }
    }
}

extension SusiError {
    fileprivate var isOfNetwork: Bool { [.network, .timeout].contains(code) }
}
