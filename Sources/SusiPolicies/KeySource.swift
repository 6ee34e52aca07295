/// The source of the key that encrypts a store.
public enum KeySource: String, CaseIterable, Sendable {
    /// The file `key` beside the store.
    case file
    /// The desktop's key service (freedesktop.org Secret Service), accessed with `secret-tool`.
    case secretService = "secret-service"
    /// The login keychain of macOS, accessed with `security`.
    case keychain
    /// A passphrase, from which the key is derived.
    case passphrase
    /// The output of a command, from which the key is derived.
    case command
}

extension KeySource {
    package var name: String {
        switch self {
        case .file: "key file"
        case .secretService: "Secret Service"
        case .keychain: "macOS Keychain"
        case .passphrase: "passphrase"
        case .command: "key command"
        }
    }

    /// The threats that it protects against, and those that it does not; `store status`, `doctor` and the manual show
    /// them.
    package var protection: (against: String, notAgainst: String) {
        switch self {
        case .file:
            (
                "a copy of store.sqlite alone",
                "a copy of the whole folder, a program that runs as you, or root"
            )
        case .secretService, .keychain:
            (
                "a copy of the whole folder, a stolen disk or backup",
                "a program that runs as you while the key service is unlocked, or root"
            )
        case .passphrase:
            (
                "a copy of the whole folder, a stolen disk or backup, if the passphrase cannot be guessed",
                "a program that runs as you while the store is unlocked, or root"
            )
        case .command:
            (
                "a copy of the whole folder, a stolen disk or backup, if the command's output cannot be guessed",
                "a program that runs as you and can run the command, or root"
            )
        }
    }

    package var isSupported: Bool {
        #if os(Linux)
            self != .keychain
        #else
            self != .secretService
        #endif
    }

    /// What to do instead of using a source that earlier versions had; `nil` for other names.
    package static func instead(of name: String) -> String? {
        name == "memory" ? "for a store in memory, set SUSI_HOME to $XDG_RUNTIME_DIR/susi or /dev/shm/susi" : nil
    }

    /// Whether the key is derived from a secret, slowly.
    package var isDerived: Bool {
        self == .passphrase || self == .command
    }

    /// The sources that work without a service of the system, for when this one is unavailable.
    package var alternatives: [KeySource] { [.file, .passphrase].filter { $0 != self } }

    /// An instruction for when the service of the system that keeps the key fails; `nil` for sources without a service.
    package var serviceRemedy: String? {
        switch self {
        case .secretService: "install secret-tool (package libsecret-tools), unlock the desktop's keyring"
        case .keychain: "unlock the login keychain"
        case .file, .passphrase, .command: nil
        }
    }
}
