import ArgumentParser
import FoundationEssentials
import Susi
import SusiBase
import SusiEmulator
import SusiStartup
import SystemPackage

extension EmulatorCommand {
    struct Run: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run the local tenants of policies.json until Ctrl-C.",
            discussion: """
                  susi emulator run
                  susi emulator run -A production    a local copy of that tenant
                  susi emulator run --tls
                  susi emulator run --access-token 30s --refresh-token 5m
                  susi emulator run --seed tenants.json
                  susi emulator run --policies policies --settings ApiUrl=http://localhost:5000
                  susi emulator run --tls --public-url https://idp:8480 --listen 0.0.0.0

                If the application's authority is on this machine, the emulator serves its tenant and the other tenants at the \
                same port. If policies.json also has applications at a port of the other scheme (http or https), the emulator \
                serves that port too. With --tls, the application's port serves https; without a policies.json, susi uses that \
                address until the emulator runs without --tls.

                If the authority is elsewhere, the emulator serves a local copy of the tenant, with the policies, client ID, \
                scopes, APIs and redirect addresses of policies.json and of a tenants.json beside it, and with test users. The copy has a home of its own with policies file, store and \
                users. The line that starts with export makes every command of that terminal use it. Nothing is sent to the \
                tenant itself, and its accounts are kept apart.

                With --policies, the emulator serves the custom policies (Identity Experience Framework) of a folder, at the tenant that \
                their files name. It starts if susi emulator check finds no errors, and reads changed files again at the next \
                sign-in.

                The emulator listens only on the loopback interface of this machine. With --listen, other machines, containers \
                and phones can reach the tenants and sample APIs. Anyone who can reach them and knows a password can sign in. \
                The developer page and the admin API answer this machine only. A host name or a proxy needs --public-url. The \
                emulator's own certificate is valid for localhost and for each https host of --public-url; --certificate and \
                --key serve one of yours.
                """)

        @Option(help: "Port; 0 picks a free one (default: the authority's, or 8490 for a copy)")
        var port: UInt16?

        @Flag(help: "Serve https; see susi emulator trust for the certificate")
        var tls = false

        @Option(
            help: ArgumentHelp("Serve https with this certificate (PEM, with its chain)", valueName: "file"),
            completion: .file())
        var certificate: String?

        @Option(help: ArgumentHelp("The certificate's private key (PEM)", valueName: "file"), completion: .file())
        var key: String?

        @Option(
            help: ArgumentHelp(
                "Extra address to listen on, for other machines; 0.0.0.0 means all",
                valueName: "address"))
        var listen: String?

        @Option(
            name: .customLong("public-url"),
            help: ArgumentHelp(
                "Address in documents and tokens, for example https://idp.test; repeat it for further ones",
                valueName: "url"))
        var publicURL: [String] = []

        @Flag(help: "Do not log requests")
        var quiet = false

        @Flag(help: "Log each step of the journeys of custom policies")
        var trace = false

        @OptionGroup(title: "Tenant options") var options: TenantOptions
        @OptionGroup(title: "Common options") var global: GlobalOptions

        var usesCopy: Bool { global.namesForeignTenant }

        func validate() throws {
            if (certificate == nil) != (key == nil) { throw ValidationError("--certificate and --key need each other") }
        }

        private var isSecure: Bool { tls || certificate != nil }

        func run() async throws {
            let reach = try reach
            if global.namesForeignTenant { return try await runCopy(reach) }
            let own = OwnPolicies(
                try Paths(config: global.config, in: ProcessEnvironment.current), named: global.namedApplication)
            try own.prepare(port, isSecure: isSecure)
            do { try await run(own, reach) } catch {
                // Other commands must not use an address without a listener.
                own.restore()
                throw error
            }
        }

        // Serves the selected application and the others of its ports.
        private func run(_ policies: OwnPolicies, _ reach: ListenOptions) async throws {
            let context = try Context(self)
            guard let own = context.application.emulatorPort else { return try await runCopy(reach) }
            let served = Served(context.application, of: context.file.applications)
            let options = try options.including(context)
            let tenants = try options.tenants(over: served.tenants)
            let first = EmulatorPort(port ?? own.number, isSecure: own.isSecure || isSecure)
            // If the system picks one port, it picks all of them, because susi does not know which ports are free.
            let others = served.others.map { EmulatorPort(port == 0 ? 0 : $0.number, isSecure: $0.isSecure) }
            try await serve(tenants, on: [first] + others, reach, in: context.paths, context) { emulator in
                if options.describesTenants { try policies.save(emulator.policies) }
                let file = try text([own] + served.others, served, emulator, context).map {
                    try policies.saveBeside(emulator, $0)
                }
                return StartScreen(
                    emulator: emulator, tenants: tenants, reach: reach, file: file,
                    hidesAccounts: policies.hasChanged && SmallFile.exists(context.paths.store.database.string),
                    given: file.map { context.given.using(config: $0) } ?? context.given)
            }
        }

        // The policies for this emulator alone; `nil` if the file in use names its ports. Those of a tenant file are in no
        // file but that of the emulator.
        private func text(
            _ ports: [EmulatorPort], _ served: Served, _ emulator: RunningEmulator, _ context: Context
        ) throws -> String? {
            guard ports != emulator.ports else { return nil }
            let isUsers = context.policiesFile != nil && context.policiesFile != context.paths.emulatorsOwn
            if !isUsers, options.describesTenants { return emulator.policies }
            let origins = try Dictionary(
                zip(ports, emulator.ports.map { try WebAddress($0.origin) }), uniquingKeysWith: { first, _ in first })
            // Another application may be untrusted, which a file named by `--config` is not.
            return PoliciesFile.text(
                of: served.applications.filter(context.mayUse).map { application in
                    application.emulatorPort.flatMap { origins[$0] }.map(application.copied) ?? application
                })
        }

        // MARK: Local copy of a remote tenant

        private func runCopy(_ reach: ListenOptions) async throws {
            let context = try Context(self)
            guard let copy = context.copy else { return }
            guard reach.publicOrigins.isEmpty else {
                throw UsageError(
                    "--public-url is not supported for a copy of a tenant",
                    why: "susi uses a copy on this machine only", next: "leave it out")
            }
            let options = try options.including(context)
            let tenants = try options.tenants(over: copy.tenants)
            let place = EmulatorPort(port ?? copy.port, isSecure: isSecure)
            try await serve(tenants, on: [place], reach, in: copy.paths, context) { emulator in
                try copy.write(tenants, at: emulator.origin)
                return StartScreen(
                    emulator: emulator, tenants: tenants, reach: reach, seed: options.seed?.name, copy: copy, file: nil,
                    given: context.given.using(config: nil))
            }
        }

        // Serves until Ctrl-C; `started` runs when the emulator listens.
        private func serve(
            _ tenants: [TenantConfiguration], on ports: [EmulatorPort], _ reach: ListenOptions, in paths: Paths,
            _ context: Context, started: (RunningEmulator) throws -> StartScreen
        ) async throws {
            let (environment, console) = (ProcessEnvironment.current, context.console)
            let clock = EmulatorClock({ environment.now() }, realTime: { environment.realTime() })
            let lock = try EmulatorLock(paths.emulator, .shared)
            defer { lock.release() }
            do {
                try await withEmulator(
                    tenants, folder: paths.emulator, ports: ports, reach: reach, clock: clock,
                    requestLog: quiet ? nil : RequestLine.log(console, clock),
                    trace: trace ? RequestLine.trace(console) : nil,
                    { emulator in
                        emulator.prepareKeys()
                        let screen = try started(emulator)
                        defer { if let file = screen.file { SmallFile.remove(file) } }
                        for line in try screen.lines(console.outStyle) { console.out(line) }
                        if console.hasNoReader { return }
                        try await Task.sleep(for: .seconds(Int64.max / 1_000_000_000_000))
                    })
            } catch is CancellationError {
                EndingSignal.complete()
                console.err("Emulator stopped.")
            } catch let error as EmulatorError {
                throw options.explained(error, in: SuggestedCommand("emulator run")).completed(by: context.given)
            }
        }

        private var reach: ListenOptions {
            get throws {
                do {
                    let addresses = try publicURL.map { try WebAddress($0) }
                    var reach = try ListenOptions(address: listen, publicAddresses: addresses)
                    if let certificate, let key {
                        reach.certificate = OwnCertificate(certificate: certificate, key: key)
                    }
                    return reach
                } catch let error as InvalidAddress {
                    throw SusiError(EmulatorError.addressUnusable(error.text, reason: error.reason))
                } catch let error as EmulatorError { throw SusiError(error) }
            }
        }
    }
}

/// The policies file that the emulator writes if the user has none. It lets every command find the emulator.
private struct OwnPolicies {
    private let path: String
    private let folder: String
    // Whether this process may write the file: the user has no own file, and no other emulator uses this folder.
    private let mayWrite: Bool
    private let previous: [UInt8]?

    /// Decides whether this process may write the file; `name` is the application named by the user.
    init(_ paths: Paths, named name: String?) {
        path = paths.emulatorsOwn
        folder = paths.emulator.string
        let isAlone = (try? EmulatorLock(paths.emulator, .exclusive))?.release() != nil
        // The user's file does not contain the named application, but this file may.
        let isMissing =
            name.map { name in (try? paths.read()).map { $0.file.application(name) == nil } ?? false } ?? false
        mayWrite = isAlone && (paths.policies == nil || paths.policies == path || isMissing)
        previous = SmallFile.read(path, limit: 1 << 20)
    }

    /// Writes the built-in policies with the scheme and port in use, or deletes the file if both are the default. A
    /// free port is not known yet.
    func prepare(_ port: UInt16?, isSecure: Bool) throws {
        let usual = EmulatorPort(8480)
        let own = EmulatorPort(port.flatMap { $0 == 0 ? nil : $0 } ?? usual.number, isSecure: isSecure)
        try save(own == usual ? nil : PoliciesFile.builtInText.replacing(usual.origin, with: own.origin) + "\n")
    }

    /// Writes the text, or deletes the file if it is `nil`.
    func save(_ text: String?) throws {
        guard mayWrite else { return }
        guard let text else {
            SmallFile.remove(path)
            return
        }
        do { try write(Array(text.utf8), to: path) } catch { throw Self.unwritable(path, error) }
    }

    /// Writes a policies file for the ports of this emulator, which no other file names. Returns its path.
    func saveBeside(_ emulator: RunningEmulator, _ text: String) throws -> String {
        let path = "\(folder)/policies-\(emulator.port).json"
        do { try write(Array(text.utf8), to: path) } catch { throw Self.unwritable(path, error) }
        return path
    }

    private static func unwritable(_ path: String, _ error: any Error) -> SusiError {
        SusiError(
            .failed, "the emulator cannot run", why: "\(path) cannot be written: \(FileFailure.reason(error))",
            next: "make the folder writable, or set SUSI_HOME to another folder")
    }

    /// Whether the file names another address than before.
    var hasChanged: Bool { mayWrite && SmallFile.read(path, limit: 1 << 20) != previous }

    func restore() {
        guard mayWrite else { return }
        if let previous { try? write(previous, to: path) } else { SmallFile.remove(path) }
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try PrivateFile.write(bytes, to: FilePath(path))
    }
}
