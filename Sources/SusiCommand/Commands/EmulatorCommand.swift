import ArgumentParser
import Susi
import SusiEmulator

/// `susi emulator`.
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator", abstract: "A local B2C tenant for development and tests.", subcommands: [Run.self],
        defaultSubcommand: Run.self)

    /// `susi emulator run`.
    struct Run: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run the tenants of policies.json that are on this machine until Ctrl-C.",
            discussion: """
                susi emulator run
                susi emulator run --access-token 30s --refresh-token 5m
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: "The port; 0 takes a free one. Default: the one in the application's authority.")
        var port: UInt16?

        @Option(help: ArgumentHelp("How long access and id tokens live.", valueName: "time"))
        var accessToken: Seconds?

        @Option(help: ArgumentHelp("How long refresh tokens live.", valueName: "time"))
        var refreshToken: Seconds?

        @Flag(help: "A refresh token dies when it is used.")
        var strictRotation = false

        @Flag(help: "Log no requests.")
        var quiet = false

        func run() async throws {
            let context = try Context(self)
            let application = context.application
            guard application.authority.isLoopback else {
                throw UsageError(
                    "“\(application.name)” is not a tenant of this machine",
                    why: "its authority is \(application.authority)",
                    next: "\(SuggestedCommand("emulator run").option("-A", local(context) ?? "local"))")
            }
            let surroundings = Surroundings.current
            let console = context.console
            let quiet = quiet
            let own = UInt16(exactly: application.authority.port ?? 80) ?? 0
            // The application that was named comes first; the others are those of the same port.
            let served =
                [application]
                + context.file.applications.filter { other in
                    other != application && other.authority.isLoopback
                        && other.authority.port == application.authority.port
                }
            let tenants = TenantConfiguration.tenants(for: served).map(configured)
            do {
                try await withEmulator(
                    tenants, folder: context.paths.emulator, port: port ?? own,
                    clock: EmulatorClock { surroundings.now() },
                    requestLog: { line in if !quiet { console.err(Terminal.safe(line)) } },
                    { emulator in try await Self.serve(emulator, tenants, context, own: own) })
            } catch is CancellationError {
                console.err("The emulator has stopped.")
            } catch let error as EmulatorError {
                throw SusiError(.failed, "The emulator cannot run", why: "\(error)")
            }
        }

        private func local(_ context: Context) -> String? {
            context.file.applications.first { $0.authority.isLoopback }?.name
        }

        private func configured(_ tenant: TenantConfiguration) -> TenantConfiguration {
            var tenant = tenant
            if let accessToken {
                tenant.lifetimes.accessToken = accessToken.value
                tenant.lifetimes.idToken = accessToken.value
            }
            if let refreshToken { tenant.lifetimes.refreshToken = refreshToken.value }
            if strictRotation { tenant.refreshRotation = .strict }
            return tenant
        }

        private static func serve(
            _ emulator: RunningEmulator, _ tenants: [TenantConfiguration], _ context: Context, own: UInt16
        ) async throws {
            let console = context.console
            let style = console.outStyle
            let names = tenants.map { style.strong($0.name.isEmpty ? "The provider" : $0.name) }
            let verb = names.count == 1 ? "listens" : "listen"
            console.out("\(names.joined(separator: ", ")) \(verb) at \(emulator.origin)")
            let users = SeededUser.standard
            console.out("  users     \(users.map(\.email).joined(separator: ", "))")
            console.out("  password  \(users.first?.password ?? "") (for all of them)")
            if emulator.port != own {
                console.out("  policies.json names port \(own): put \(emulator.origin) into its authority")
            }
            let signIn = Terminal.safe(context.given.completing(SuggestedCommand("sign-in")).description)
            console.out("  next      \(signIn)    (in another terminal; Ctrl-C stops the emulator)")
            try await Task.sleep(for: .seconds(Int64.max / 1_000_000_000_000))
        }
    }
}
