import ArgumentParser
import Susi
import SusiBase
import SusiEmulator
import SusiStartup

extension EmulatorCommand {
    struct Exec: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "exec", abstract: "Run a command, for example tests, with its own emulator.",
            discussion: """
                  susi emulator exec pytest
                  susi emulator exec --as-cloud pytest    your settings unchanged
                  susi emulator exec --tls --seed tenants.json node --test
                  susi emulator exec --built-in pytest

                The emulator uses a free port and a temporary folder, and stops when the command ends. The command gets the \
                terminal and the signals, and susi ends with its exit status; killing susi kills the command. The tenants are \
                those of --seed, else a copy of the tenant that policies.json names, with the applications and users of a \
                tenants.json beside it, else the built-in one. Options of susi come \
                before the command. In the command, susi uses only this emulator. The environment of the command has:

                  SUSI_EMULATOR_ORIGIN       http://localhost:PORT
                  SUSI_EMULATOR_AUTHORITY    authority of the application, without a policy
                  SUSI_EMULATOR_POLICY       its default policy
                  SUSI_EMULATOR_CLIENT_ID    its client ID
                  SUSI_EMULATOR_ADMIN        address of the admin API
                  SUSI_EMULATOR_SECRET       bearer token for the admin API
                  SUSI_EMULATOR_CA           file of the CA certificate (--tls, --as-cloud)
                  SUSI_EMULATOR_PROXY        address of the proxy (--as-cloud)

                Libraries that read trusted certificates from the environment trust this CA.

                With --as-cloud the command sees the copy under the names of the cloud, for example \
                https://contoso.b2clogin.com, so that no setting has to change: a proxy on this machine, which the environment \
                names (HTTPS_PROXY), leads these names to the emulator, and passes on all others. The certificates are valid for \
                this run only. Programs that do not read the environment need an option; see the manual YourApplication.md.
                """)

        @Option(help: "Port; 0 picks a free one")
        var port: UInt16 = 0

        @Flag(help: "Serve https")
        var tls = false

        @Flag(help: "Serve the built-in tenant")
        var builtIn = false

        @Flag(help: "Serve the copy under the names of the cloud, through a proxy")
        var asCloud = false

        @Flag(help: "With --as-cloud: refuse all other hosts")
        var offline = false

        @Flag(help: "Log requests on standard error")
        var log = false

        @OptionGroup(title: "Tenant options") var options: TenantOptions
        @OptionGroup(title: "Common options") var global: GlobalOptions

        @Argument(
            parsing: .captureForPassthrough, help: ArgumentHelp("Command with its arguments", valueName: "command"),
            completion: .file())
        var words: [String] = []

        var usesCopy: Bool { global.namesForeignTenant }

        func validate() throws {
            try PassedCommand.validate(words, of: Self.self)
            if builtIn, asCloud || options.seed != nil {
                throw ValidationError("--built-in excludes --as-cloud and --seed")
            }
            if offline, !asCloud { throw ValidationError("--offline needs --as-cloud") }
        }

        func run() async throws {
            let command = PassedCommand.words(words)
            let (environment, console) = (ProcessEnvironment.current, Console.standard)
            let plan = try plan()
            let cloud =
                asCloud
                ? try CloudRun(plan.context?.copy, serving: plan.tenants, offline: offline, in: environment) : nil
            plan.announce(console, asCloud: asCloud)
            let clock = EmulatorClock({ environment.now() }, realTime: { environment.realTime() })
            let status: Int32
            do {
                status = try await TemporaryFolder.with(named: "susi-emulator") { folder in
                    try await withEmulator(
                        cloud == nil ? plan.tenants : plan.tenants.map(\.inCloud), folder: folder.emulator,
                        ports: [EmulatorPort(port, isSecure: tls || asCloud)], reach: cloud?.reach ?? .loopback,
                        clock: clock, requestLog: log ? RequestLine.log(console, clock) : nil,
                        { emulator in
                            emulator.prepareKeys()
                            let lock = try EmulatorLock(folder.emulator, .shared)
                            defer { lock.release() }
                            var child = try ExecEnvironment(
                                emulator, policies: try plan.policies(at: emulator, asCloud: asCloud), folder)
                            return try await CleanupWatchdog.with(removing: folder.path) { watchdog in
                                guard let cloud else {
                                    return try await Child.run(command, adding: child.variables, watchdog)
                                }
                                return try await cloud.run(to: emulator, console) { proxy in
                                    child.use(cloud, proxy: proxy)
                                    return try await Child.run(command, adding: child.variables, watchdog)
                                }
                            }
                        })
                }
            } catch let error as EmulatorError {
                throw options.explained(error, in: SuggestedCommand("emulator exec").running(command))
            }
            throw CommandEnded(status: status)
        }

        // A tenant file alone decides what is served; else the policies file does.
        private func plan() throws -> ExecPlan {
            if !asCloud, builtIn || options.seed != nil || !Self.hasFolder {
                return ExecPlan(tenants: try options.tenants(of: [.builtIn()]), context: nil)
            }
            let context = try Context(self)
            let options = try options.including(context)
            guard let copy = context.copy else {
                if asCloud { throw CloudRun.notInCloud(context) }
                guard context.policiesFile != nil else {
                    return ExecPlan(tenants: try options.tenants(of: [.builtIn()]), context: context)
                }
                let served = Served(context.application, of: context.file.applications)
                return ExecPlan(
                    tenants: try options.tenants(of: served.tenants), context: context,
                    applications: served.applications.filter(context.mayUse))
            }
            return ExecPlan(
                tenants: try options.tenants(over: copy.tenants), context: context,
                applications: copy.originals, seed: options.seed?.name)
        }

        // Without a home folder, as in some containers, there is no policies file.
        private static var hasFolder: Bool {
            do { _ = try Paths(config: nil, in: ProcessEnvironment.current) } catch Paths.Unusable.unset {
                return false
            } catch {}
            return true
        }
    }
}

/// What one run serves; `context` is that of the policies file, if it decided.
private struct ExecPlan {
    let tenants: [TenantConfiguration]
    let context: Context?
    /// The applications of that file whose tenants are served, the selected one first.
    var applications: [Application] = []
    var seed: String?

    /// Returns the policies file of the command. If no application is registered, it has the clients of the tenants.
    func policies(at emulator: RunningEmulator, asCloud: Bool) throws -> String? {
        try ServedPolicies(applications: applications, tenants: tenants).text(at: emulator.origin, asCloud: asCloud)
            ?? emulator.policies
    }

    // Says whose copy the tests use: it is not obvious from the command line.
    func announce(_ console: Console, asCloud: Bool) {
        guard let copy = context?.copy else { return }
        let file = seed.map { ", with \($0)" } ?? ""
        let option = asCloud ? "" : " (--built-in serves the built-in tenant)"
        console.err(
            console.errStyle.faint(
                Terminal.safe("Emulator: \(copy.label), for “\(copy.original.name)”\(file)\(option)")))
    }
}
