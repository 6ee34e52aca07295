import ArgumentParser
import FoundationEssentials
import Susi
import SusiEmulator
import SystemPackage

extension EmulatorCommand {
    /// `susi emulator run`.
    struct Run: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run the tenants of policies.json that are on this machine until Ctrl-C.",
            discussion: """
                An authority of http is served over http, one of https over https, each at its own port: the application \
                that was named, those at the same port, and those of the other scheme. With --tls everything at the named \
                application's port is https; where there is no policies.json, susi itself goes there from then on, until \
                the emulator runs without --tls.

                susi emulator run
                susi emulator run --tls
                susi emulator run --access-token 30s --refresh-token 5m
                susi emulator run --seed tenants.json
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: "The port; 0 takes a free one. Default: the one in the application's authority.")
        var port: UInt16?

        @Flag(help: "Speak https, with a certificate of its own: susi emulator trust says how to trust it.")
        var tls = false

        @OptionGroup var options: TenantOptions

        @Flag(help: "Log no requests.")
        var quiet = false

        func run() async throws {
            try Paths(config: global.config, in: Surroundings.current).settleEmulatorsOwn(port, isSecure: tls)
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
            let tenants = try options.tenants(over: served.tenants)
            let first = EmulatorPort(port ?? own.number, isSecure: own.isSecure || tls)
            // A free port for one is a free port for all: nobody knows which are taken.
            let others = served.others.map { EmulatorPort(port == 0 ? 0 : $0.number, isSecure: $0.isSecure) }
            let asked = [own] + served.others
            let log: @Sendable (String) -> Void = { line in console.err(Terminal.safe(line)) }
            let clock = EmulatorClock({ surroundings.now() }, certificates: { surroundings.realTime() })
            let lock = try EmulatorLock(context.paths.emulator, .beside)
            defer { lock.end() }
            do {
                try await withEmulator(
                    tenants, folder: context.paths.emulator, ports: [first] + others, clock: clock,
                    requestLog: quiet ? nil : log,
                    { emulator in try await Self.serve(emulator, tenants, context, asked: asked) })
            } catch is CancellationError {
                console.err("The emulator has stopped.")
            } catch let error as EmulatorError { throw SusiError(error) }
        }

        private func local(_ context: Context) -> String? {
            context.file.applications.first { $0.authority.isLoopback }?.name
        }

        // The seeded users, as far as a line takes them, with what lets them in when it is the same for all.
        private static func people(_ tenants: [TenantConfiguration]) -> [String] {
            let users = tenants.first?.users ?? []
            guard !users.isEmpty else { return [] }
            let shown = users.prefix(5).map(\.signInName).joined(separator: ", ")
            let more = users.count > 5 ? " and \(users.count - 5) more" : ""
            let passwords = Set(
                users.filter { $0.identityProvider == nil }.map { $0.passwordHash == nil ? $0.password : "" })
            let shared = passwords.count == 1 ? passwords.first ?? "" : ""
            return ["  users     \(Terminal.safe(shown))\(more)"]
                + (shared.isEmpty ? [] : ["  password  \(Terminal.safe(shared)) (for all of them)"])
        }

        private static func serve(
            _ emulator: RunningEmulator, _ tenants: [TenantConfiguration], _ context: Context, asked: [EmulatorPort]
        ) async throws {
            let console = context.console
            let style = console.outStyle
            let names = tenants.map { style.strong($0.name.isEmpty ? "The provider" : $0.name) }
            let verb = names.count == 1 ? "listens" : "listen"
            let file = context.paths.policies == nil ? "the built-in policies name" : "policies.json names"
            let origins = emulator.ports.map(\.origin).joined(separator: " and ")
            console.out("\(names.joined(separator: ", ")) \(verb) at \(origins)")
            for line in Self.people(tenants) { console.out(line) }
            for (asked, port) in zip(asked, emulator.ports) where asked != port {
                console.out("  \(file) port \(asked.number): put \(port.origin) into its authority")
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

extension Paths {
    /// Leaves the built-in policies with another scheme or port where every command finds them when there are no others, or
    /// takes them away again. Nobody knows a free port beforehand.
    fileprivate func settleEmulatorsOwn(_ port: UInt16?, isSecure: Bool) throws {
        guard policies == nil || policies == emulatorsOwn else { return }
        let usual = EmulatorPort(8480)
        let own = EmulatorPort(port.flatMap { $0 == 0 ? nil : $0 } ?? usual.number, isSecure: isSecure)
        guard own != usual else {
            SmallFile.remove(emulatorsOwn)
            return
        }
        let text = PoliciesFile.builtInText.replacing(usual.origin, with: own.origin)
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
