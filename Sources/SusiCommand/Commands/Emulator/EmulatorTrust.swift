import ArgumentParser
import Susi
import SusiEmulator
import SusiStartup

extension EmulatorCommand {
    struct Trust: AsyncParsableCommand, SuggestingCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust", abstract: "Show how to trust the emulator's certificate.",
            discussion: """
                  susi emulator trust
                  susi emulator trust --pem > susi-emulator.pem

                The emulator's own certificate authority (CA) signs its certificate. The CA is created at the first start with \
                --tls and can sign only for localhost, 127.0.0.1, ::1 and the hosts of --public-url. susi trusts it; browsers and other programs do not. \
                This command prints what to run for each of them, and changes nothing.
                """)

        @OptionGroup var rehearsal: RehearsalOption
        @OptionGroup var output: JSONOption

        @Flag(help: "Print the CA certificate in PEM")
        var pem = false

        func validate() throws {
            if pem, output.json { throw ValidationError("--pem and --json cannot be combined") }
        }

        var repeatsRehearsal: Bool { rehearsal.rehearse }

        func run() async throws {
            let paths = try Paths(config: nil, rehearses: rehearsal.isOn, in: ProcessEnvironment.current)
            let folder = paths.emulator
            let authority: CertificateAuthority?
            do { authority = try CertificateAuthority.existing(in: folder) } catch let error as EmulatorError {
                throw SusiError(error)
            }
            guard let authority else { throw try missing() }
            let console = Console.standard
            if pem {
                console.out(bytes: Array(authority.pem.utf8))
            } else {
                try console.show(CertificateReport(authority, origin: origin(paths)), json: output.json)
            }
        }

        // A copy of a tenant has a certificate of its own.
        private func missing() throws -> SusiError {
            let copies = try Paths(config: nil, rehearses: true, in: ProcessEnvironment.current).emulator
            let isOfCopy = !rehearsal.isOn && (try? CertificateAuthority.existing(in: copies)) != nil
            return SusiError(
                .unknownName, "the emulator has no certificate yet",
                why: isOfCopy ? "only the copy of a tenant has one" : "it is created at the first start with https",
                next: isOfCopy
                    ? "\(SuggestedCommand("emulator trust").flag("--rehearse"))"
                    : "\(SuggestedCommand("emulator run").flag("--tls"))")
        }

        // Returns the https origin in the policies file, else the default one.
        private func origin(_ paths: Paths) -> String {
            let file = (try? paths.read())?.file
            let used = rehearsal.isOn ? file.map { Rehearsal.file($0, paths.emulator) } : file
            let ports = used?.applications.compactMap(\.emulatorPort) ?? []
            return (ports.first(where: \.isSecure) ?? EmulatorPort(8480, isSecure: true)).origin
        }
    }
}
