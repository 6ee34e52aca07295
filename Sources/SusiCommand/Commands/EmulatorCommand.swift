import ArgumentParser
import FoundationEssentials
import Susi
import SusiEmulator
import SystemPackage

/// `susi emulator`.
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator", abstract: "A local B2C tenant for development and tests.",
        subcommands: [Run.self, Trust.self], defaultSubcommand: Run.self)

    /// `susi emulator run`.
    struct Run: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run the tenants of policies.json that are on this machine until Ctrl-C.",
            discussion: """
                An authority of http is served over http, one of https over https, each at its own port: the application
                that was named, those at the same port, and those of the other scheme. With --tls everything at the named
                application's port is https; where there is no policies.json, susi itself goes there from then on, until
                the emulator runs without --tls.

                susi emulator run
                susi emulator run --tls
                susi emulator run --access-token 30s --refresh-token 5m
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: "The port; 0 takes a free one. Default: the one in the application's authority.")
        var port: UInt16?

        @Flag(help: "Speak https, with a certificate of its own: susi emulator trust says how to trust it.")
        var tls = false

        @Option(help: ArgumentHelp("More users, one JSON object in each line.", valueName: "file"))
        var users: String?

        @Option(help: ArgumentHelp("How long access and id tokens live.", valueName: "time"))
        var accessToken: Seconds?

        @Option(help: ArgumentHelp("How long refresh tokens live.", valueName: "time"))
        var refreshToken: Seconds?

        @Flag(help: "A refresh token dies when it is used.")
        var strictRotation = false

        @Flag(help: "Log no requests.")
        var quiet = false

        func run() async throws {
            try Paths(config: global.config, in: Surroundings.current).settleEmulatorsOwn(isSecure: tls)
            let context = try Context(self)
            let application = context.application
            guard let own = application.emulatorPort else {
                throw UsageError(
                    "“\(application.name)” is not a tenant of this machine",
                    why: "its authority is \(application.authority)",
                    next: "\(SuggestedCommand("emulator run").option("-A", local(context) ?? "local"))")
            }
            let surroundings = Surroundings.current
            let (console, quiet) = (context.console, quiet)
            let served = Served(application, of: context.file.applications)
            let tenants = TenantConfiguration.tenants(for: served.applications).map(configured)
            let first = EmulatorPort(port ?? own.number, isSecure: own.isSecure || tls)
            // A free port for one is a free port for all: nobody knows which are taken.
            let others = served.others.map { EmulatorPort(port == 0 ? 0 : $0.number, isSecure: $0.isSecure) }
            let asked = [own] + served.others
            let log: @Sendable (String) -> Void = { line in console.err(Terminal.safe(line)) }
            let clock = EmulatorClock({ surroundings.now() }, certificates: { surroundings.realTime() })
            do {
                try await withEmulator(
                    tenants, folder: context.paths.emulator, ports: [first] + others, clock: clock,
                    requestLog: quiet ? nil : log,
                    { emulator in try await Self.serve(emulator, tenants, context, asked: asked) })
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
            tenant.usersFile = users.map { FilePath($0) }
            return tenant
        }

        private static func serve(
            _ emulator: RunningEmulator, _ tenants: [TenantConfiguration], _ context: Context, asked: [EmulatorPort]
        ) async throws {
            let console = context.console
            let style = console.outStyle
            let names = tenants.map { style.strong($0.name.isEmpty ? "The provider" : $0.name) }
            let verb = names.count == 1 ? "listens" : "listen"
            let origins = emulator.ports.map(\.origin).joined(separator: " and ")
            console.out("\(names.joined(separator: ", ")) \(verb) at \(origins)")
            let users = SeededUser.standard
            console.out("  users     \(users.map(\.signInName).joined(separator: ", "))")
            console.out("  password  \(users.first?.password ?? "") (for all of them)")
            for (asked, port) in zip(asked, emulator.ports) where asked != port {
                console.out("  policies.json names port \(asked.number): put \(port.origin) into its authority")
            }
            if emulator.authority != nil {
                console.out("  trust     susi emulator trust    (susi trusts it already, other programs do not)")
            }
            let signIn = Terminal.safe(context.given.completing(SuggestedCommand("sign-in")).description)
            console.out("  next      \(signIn)    (in another terminal; Ctrl-C stops the emulator)")
            try await Task.sleep(for: .seconds(Int64.max / 1_000_000_000_000))
        }
    }
}

/// What one run of the emulator serves.
private struct Served {
    /// The application that was named, then those of the same port, then those of the other scheme.
    let applications: [Application]
    /// The port of those of the other scheme.
    let others: [EmulatorPort]

    init(_ named: Application, of all: [Application]) {
        let own = named.emulatorPort
        let beside = all.filter { $0 != named && $0.emulatorPort == own }
        let other = all.compactMap(\.emulatorPort).first { $0.isSecure != own?.isSecure && $0.number != own?.number }
        others = [other].compactMap(\.self)
        applications = [named] + beside + all.filter { other != nil && $0.emulatorPort == other }
    }
}

extension Application {
    /// Where an emulator serves it; nil when its authority is not on this machine.
    fileprivate var emulatorPort: EmulatorPort? {
        guard authority.isLoopback else { return nil }
        let isSecure = authority.scheme == "https"
        return UInt16(exactly: authority.port ?? (isSecure ? 443 : 80)).map { EmulatorPort($0, isSecure: isSecure) }
    }
}

extension Paths {
    /// Leaves the built-in policies in their https form where every command finds them when there are no others, or takes
    /// them away again.
    fileprivate func settleEmulatorsOwn(isSecure: Bool) throws {
        guard policies == nil || policies == emulatorsOwn else { return }
        guard isSecure else {
            SmallFile.remove(emulatorsOwn)
            return
        }
        let text = PoliciesFile.builtInText.replacing("http://localhost:8480", with: "https://localhost:8480")
        do {
            try FileManager.default.createDirectory(
                atPath: emulator.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data((text + "\n").utf8).write(to: URL(filePath: emulatorsOwn), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: emulatorsOwn)
        } catch {
            throw SusiError(.failed, "The emulator cannot run", why: "\(emulatorsOwn) cannot be written: \(error)")
        }
    }
}
