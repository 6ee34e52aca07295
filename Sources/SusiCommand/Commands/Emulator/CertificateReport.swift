import Susi
import SusiEmulator
import SystemPackage

/// The emulator's certificate authority, and how to trust it.
struct CertificateReport: CommandResult {
    private let authority: CertificateAuthority
    private let steps: [Step]
    private let hosts: [String]

    /// The command for one system or program.
    struct Step {
        let program: String
        let command: String
        let note: String?

        fileprivate var json: JSONObject { ["program": program, "command": command, "note": note] }

        init(_ program: String, _ command: String, note: String? = nil) {
            self.program = program
            self.command = command
            self.note = note
        }
    }

    /// Makes a report; `origin` is the https origin of the emulator.
    init(_ authority: CertificateAuthority, origin: String) {
        self.authority = authority
        hosts = authority.names.map(\.description)
        let (file, label) = (authority.path.string.shellWord, authority.name.shellWord)
        steps = Self.systems(file) + Self.browsers(file, label) + Self.programs(file, origin)
    }

    private static func systems(_ file: String) -> [Step] {
        [
            Step(
                "Debian, Ubuntu",
                "sudo cp \(file) /usr/local/share/ca-certificates/susi-emulator.crt && sudo update-ca-certificates"),
            Step(
                "Fedora, RHEL",
                "sudo cp \(file) /etc/pki/ca-trust/source/anchors/susi-emulator.pem && sudo update-ca-trust"),
            Step(
                "macOS",
                "security add-trusted-cert -r trustRoot -p ssl -k ~/Library/Keychains/login.keychain-db \(file)"),
            Step(
                "Windows", "certutil -user -addstore Root susi-emulator.pem",
                note: "with a copy of the file; for browsers, .NET and PowerShell"),
        ]
    }

    private static func browsers(_ file: String, _ label: String) -> [Step] {
        [
            Step(
                "Chromium, Chrome", "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n \(label) -i \(file)",
                note: "on Linux; certutil is in the package libnss3-tools (Debian) or nss-tools (Fedora)"),
            Step(
                "Firefox", "certutil -d sql:PROFILE -A -t C,, -n \(label) -i \(file)",
                note: "PROFILE is the folder shown in about:profiles; or import the file in the settings"),
        ]
    }

    private static func programs(_ file: String, _ origin: String) -> [Step] {
        let instead = "replaces the usual authorities: only for programs that contact no other server"
        return [
            Step("curl", "curl --cacert \(file) \(origin)/"),
            Step("MSAL and requests for Python", "export REQUESTS_CA_BUNDLE=\(file)", note: instead),
            Step("Python, Go, OpenSSL", "export SSL_CERT_FILE=\(file)", note: instead),
            Step("Node.js", "export NODE_EXTRA_CA_CERTS=\(file)", note: "in addition to the usual authorities"),
            Step(
                ".NET", "export SSL_CERT_FILE=\(file)",
                note: "on Linux, \(instead); the steps for Debian and Fedora work too"),
            Step(
                "Java", "keytool -importcert -cacerts -noprompt -storepass changeit -alias susi-emulator -file \(file)"),
            Step("git", "git config --global http.\(origin)/.sslCAInfo \(file)"),
        ]
    }

    var json: JSONObject {
        [
            "schemaVersion": 1, "path": authority.path.string, "name": authority.name,
            "sha256": authority.fingerprint, "notAfter": Timestamp(authority.notAfter), "hosts": hosts,
            "steps": steps.map(\.json),
        ]
    }

    func lines(_ style: Style) -> [String] {
        let head = [
            "\(style.strong(authority.name)) signs only for \(Terminal.safe(hosts.joined(separator: ", ")))",
            "  file      \(Terminal.safe(authority.path.string))", "  sha-256   \(authority.fingerprint)",
            "  valid     until \(Timestamp(authority.notAfter).rfc3339)",
        ]
        return head
            + steps.flatMap { step in
                [
                    "", "\(step.program)\(step.note.map { style.faint(" (\($0))") } ?? "")",
                    "  \(Terminal.safe(step.command))",
                ]
            }
    }
}
