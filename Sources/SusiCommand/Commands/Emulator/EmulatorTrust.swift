import ArgumentParser
import Susi
import SusiEmulator
import SusiStartup

extension EmulatorCommand {
    struct Trust: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust", abstract: "Show how to trust the emulator's certificate.",
            discussion: """
                  susi emulator trust
                  susi emulator trust --pem > susi-emulator.pem
                  susi emulator trust -A production    the copy of that tenant

                The emulator's own certificate authority (CA) signs its certificate. The CA is created at the first start with \
                --tls and can sign only for localhost, 127.0.0.1, ::1 and the hosts of --public-url. susi trusts it; browsers and other programs do not. \
                This command prints what to run for each of them, and changes nothing.
                """)

        @OptionGroup var output: JSONOption

        @Flag(help: "Print the CA certificate in PEM")
        var pem = false

        @OptionGroup(title: "Common options") var global: GlobalOptions

        var usesCopy: Bool { global.namesForeignTenant }
        var needsTrust: Bool { false }

        func validate() throws {
            if pem, output.json { throw ValidationError("--pem and --json cannot be combined") }
        }

        func run() async throws {
            let context = try Context(self)
            let paths = context.emulatorPaths
            let folder = paths.emulator
            let authority: CertificateAuthority?
            do { authority = try CertificateAuthority.existing(in: folder) } catch let error as EmulatorError {
                throw SusiError(error)
            }
            guard let authority else {
                throw SusiError(
                    .unknownName, "the emulator has no certificate yet",
                    why: "it is created at the first start with https",
                    next: "\(context.given.completing(SuggestedCommand("emulator run").flag("--tls")))")
            }
            let console = Console.standard
            if pem {
                console.out(bytes: Array(authority.pem.utf8))
            } else {
                try console.show(CertificateReport(authority, origin: origin(paths)), json: output.json)
            }
        }

        // Returns the https origin in the policies file, else the default one.
        private func origin(_ paths: Paths) -> String {
            let file = (try? paths.read())?.file
            let ports = file?.applications.compactMap(\.emulatorPort) ?? []
            return (ports.first(where: \.isSecure) ?? EmulatorPort(8480, isSecure: true)).origin
        }
    }
}
