import Susi

/// What `susi help` explains beside the commands.
enum HelpTopic: String, CaseIterable {
    case exitCodes = "exit-codes"
    case errorCodes = "error-codes"
    case environment

    var text: String {
        switch self {
        case .exitCodes: ExitCodes.help
        case .errorCodes:
            Table.lines(ErrorCode.table.map { [$0.name, $0.meaning, $0.next] }).joined(separator: "\n")
        case .environment: Table.lines(Self.variables.map { [$0.name, $0.meaning] }).joined(separator: "\n")
        }
    }

    /// The variables that are read, with what they mean.
    static let variables: [(name: String, meaning: String)] = [
        ("SUSI_HOME", "one folder for configuration and state"),
        ("SUSI_CONFIG", "the policies file, as --config"),
        ("SUSI_APPLICATION", "the application, as -A"),
        ("SUSI_POLICY", "the policy, as -p"),
        ("SUSI_ACCOUNT", "the account, as -a"),
        ("SUSI_REHEARSE", "1 uses local copies of the tenants, as --rehearse"),
        ("SUSI_EXPORT_PASSPHRASE_FILE", "the file whose first line is the passphrase of a sealed export"),
        ("SUSI_CLOCK", "shifts the time, for tests: +2h or -5m"),
        ("SUSI_KEY_SOURCE", "where the key of a new store goes: file, secret-service, passphrase, command, memory"),
        ("SUSI_KEY_TIMEOUT", "how long a key service may take, instead of 3s"),
        ("SUSI_PASSPHRASE_FILE", "the file whose first line is the store's passphrase; /dev/fd/N too"),
        ("SUSI_NEW_PASSPHRASE_FILE", "the same for a new passphrase, when both are needed"),
        ("BROWSER", "the browser's command; %u stands for the address"),
        ("HTTPS_PROXY, ALL_PROXY", "the proxy on the way to other machines: http://host:port or socks5://host:port"),
        ("NO_PROXY", "hosts that are reached without it, with commas between them"),
        ("SSL_CERT_FILE, SSL_CERT_DIR", "the certificates that are trusted, instead of the system's"),
        ("KUBERNETES_EXEC_INFO", "what kubectl asks of token -f exec-credential"),
        ("NO_COLOR", "no colours"),
        ("XDG_CONFIG_HOME, XDG_STATE_HOME", "where configuration and state are without SUSI_HOME"),
    ]
}
