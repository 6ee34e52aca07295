import Susi
import SusiStartup

/// The topics of `susi help` that are not commands.
enum HelpTopic: String, CaseIterable {
    case exitCodes = "exit-codes"
    case errorCodes = "error-codes"
    case environment

    var text: String {
        switch self {
        case .exitCodes: Self.table(ExitCodes.rows)
        case .errorCodes: Self.codesByService
        case .environment: Self.table(Self.variables.map { [$0.name, $0.meaning] })
        }
    }

    private static var codesByService: String {
        ErrorCode.lists.map { list in
            let rows = list.rows.map { ["  \($0.name)", "\($0.meaning); \(GivenOptions().text($0.next))"] }
            return "\(list.origin.uppercased()):\n\(table(rows))"
        }.joined(separator: "\n\n")
    }

    // Uses the same width as the parser's help: the terminal, else COLUMNS, else 80 columns.
    private static func table(_ rows: [[String]]) -> String {
        var style = Console.standard.outStyle
        style.width = style.width ?? ProcessEnvironment.current["COLUMNS"].flatMap { Int($0) } ?? 80
        return Table.lines(rows, style).joined(separator: "\n")
    }

    /// The environment variables that susi reads.
    static let variables: [(name: String, meaning: String)] = [
        ("SUSI_HOME", "folder of configuration and state"),
        ("SUSI_CONFIG", "policies file, as --config"),
        ("SUSI_APPLICATION", "application, as -A"),
        ("SUSI_POLICY", "policy, as -p"),
        ("SUSI_ACCOUNT", "account, as -a"),
        ("SUSI_EXPORT_PASSPHRASE_FILE", "file with the passphrase of an export"),
        ("SUSI_CLOCK", "clock offset for tests: +2h or -5m"),
        ("SUSI_KEY_SOURCE", "source of a new store's key, as store rekey --to"),
        ("SUSI_KEY_TIMEOUT", "time limit of a key service (default: 3s)"),
        ("SUSI_PASSPHRASE_FILE", "file with the store's passphrase, or /dev/fd/N"),
        ("SUSI_NEW_PASSPHRASE_FILE", "file with the new passphrase for store rekey"),
        ("BROWSER", "browser command; %u is the address"),
        ("HTTPS_PROXY, ALL_PROXY", "proxy: http://HOST:PORT or socks5://HOST:PORT"),
        ("NO_PROXY", "hosts without proxy, separated by commas"),
        ("SSL_CERT_FILE, SSL_CERT_DIR", "trusted certificates, instead of the system's"),
        ("KUBERNETES_EXEC_INFO", "request of kubectl, for token -f exec-credential"),
        ("NO_COLOR", "no colors"),
        ("XDG_CONFIG_HOME", "folder of configuration, if SUSI_HOME is not set"),
        ("XDG_STATE_HOME", "folder of state, if SUSI_HOME is not set"),
    ]
}
