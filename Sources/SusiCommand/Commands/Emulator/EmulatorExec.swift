import ArgumentParser
import FoundationEssentials
import Susi
import SusiBase
import SusiEmulator
import SusiStartup
import SystemPackage

extension EmulatorCommand {
    struct Exec: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "exec", abstract: "Run a command, for example tests, with its own emulator.",
            discussion: """
                  susi emulator exec pytest
                  susi emulator exec --tls --seed tenants.json node --test

                The emulator uses a free port and a temporary folder, and stops when the command ends. The command gets the \
                terminal and the signals, and susi ends with its exit status; killing susi kills the command. The tenants are \
                those of --seed, or the built-in one. Options of susi come before the command. In the command, susi uses only \
                this emulator. The environment of the command has:

                  SUSI_EMULATOR_ORIGIN       http://localhost:PORT
                  SUSI_EMULATOR_AUTHORITY    authority of the application, without a policy
                  SUSI_EMULATOR_POLICY       its default policy
                  SUSI_EMULATOR_CLIENT_ID    its client ID
                  SUSI_EMULATOR_ADMIN        address of the admin API
                  SUSI_EMULATOR_SECRET       bearer token for the admin API
                  SUSI_EMULATOR_CA           file of the CA certificate (with --tls)

                Libraries that read trusted certificates from the environment trust this CA.
                """)

        @Option(help: "Port; 0 picks a free one")
        var port: UInt16 = 0

        @Flag(help: "Serve https")
        var tls = false

        @Flag(help: "Log requests on standard error")
        var log = false

        @OptionGroup(title: "Tenant options") var options: TenantOptions

        @Argument(
            parsing: .captureForPassthrough, help: ArgumentHelp("Command with its arguments", valueName: "command"),
            completion: .file())
        var words: [String] = []

        func validate() throws { try PassedCommand.validate(words, of: Self.self) }

        func run() async throws {
            let command = PassedCommand.words(words)
            let tenants = try options.tenants(of: [.builtIn()])
            let (environment, console) = (ProcessEnvironment.current, Console.standard)
            let clock = EmulatorClock({ environment.now() }, realTime: { environment.realTime() })
            let status: Int32
            do {
                status = try await TemporaryHome.with(named: "susi-emulator") { home in
                    try await withEmulator(
                        tenants, folder: home.emulator, ports: [EmulatorPort(port, isSecure: tls)], clock: clock,
                        requestLog: log ? RequestLine.log(console, clock) : nil,
                        { emulator in
                            let lock = try EmulatorLock(home.emulator, .shared)
                            defer { lock.release() }
                            let variables = try CommandEnvironment(emulator, home).variables
                            return try await CleanupWatchdog.with(removing: home.path) { watchdog in
                                try await Child.run(command, adding: variables, watchdog)
                            }
                        })
                }
            } catch let error as EmulatorError {
                throw options.explained(error, in: SuggestedCommand("emulator exec").running(command))
            }
            throw CommandEnded(status: status)
        }
    }
}

private struct CommandEnvironment {
    private(set) var variables: [String: String?] = [:]

    /// Writes the files named by the variables into `home`.
    init(_ emulator: RunningEmulator, _ home: TemporaryHome) throws {
        guard let policies = emulator.policies,
            let application = try PoliciesFile(text: policies.utf8, source: "the emulator's policies").application(nil)
        else {
            throw SusiError(
                .invalidConfiguration, "no tenant has an application",
                why: "“applications” is missing in the tenant file",
                next: "add one; \(SuggestedCommand("emulator schema")) prints the file's format")
        }
        // Removes settings for other homes, files and stores.
        for (name, _) in HelpTopic.variables where name.hasPrefix("SUSI_") && name != "SUSI_CLOCK" {
            for name in name.split(separator: ", ") { variables[String(name)] = .some(nil) }
        }
        try PrivateFile.write(policies.utf8, to: home.policies)
        variables["SUSI_HOME"] = home.path.string
        variables["SUSI_CONFIG"] = home.policies.string
        variables["SUSI_EMULATOR_ORIGIN"] = emulator.origin
        variables["SUSI_EMULATOR_AUTHORITY"] = application.authority.spelling
        variables["SUSI_EMULATOR_POLICY"] = (application.defaultPolicy ?? application.policies.first)?.name.spelling
        variables["SUSI_EMULATOR_CLIENT_ID"] = application.clientID
        variables["SUSI_EMULATOR_ADMIN"] = emulator.adminAddress
        variables["SUSI_EMULATOR_SECRET"] = emulator.adminSecret
        if let authority = emulator.authority { try trust(authority, home) }
        bypassProxies()
    }

    // For most libraries, the file replaces the trusted authorities, so the bundle contains the usual ones too. Node
    // adds the file to its own.
    private mutating func trust(_ authority: CertificateAuthority, _ home: TemporaryHome) throws {
        let usual = [
            ProcessEnvironment.current["SSL_CERT_FILE"], "/etc/ssl/certs/ca-certificates.crt",
            "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/cert.pem",
        ]
        let others = usual.lazy.compactMap { $0.flatMap { SmallFile.read($0, limit: 16 << 20) } }.first ?? []
        let bundle = home.path.appending("certificates.pem")
        try PrivateFile.write(others + Array("\n\(authority.pem)".utf8), to: bundle)
        for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"] { variables[name] = bundle.string }
        variables["NODE_EXTRA_CA_CERTS"] = authority.path.string
        variables["SUSI_EMULATOR_CA"] = authority.path.string
    }

    // A proxy cannot reach the loopback interface of this machine.
    private mutating func bypassProxies() {
        let others = ProcessEnvironment.current["no_proxy"] ?? ProcessEnvironment.current["NO_PROXY"]
        let all = [others].compactMap(\.self) + ["localhost", "127.0.0.1", "::1"]
        for name in ["no_proxy", "NO_PROXY"] { variables[name] = all.joined(separator: ",") }
    }
}
