/// Where the key is that seals a store.
public enum KeySource: String, CaseIterable, Sendable {
    /// In the file `key`, beside what it seals.
    case file
    /// In the desktop's key service (freedesktop.org Secret Service), asked through `secret-tool`.
    case secretService = "secret-service"
    /// In the login keychain of macOS, asked through `security`.
    case keychain
    /// Nowhere: it is derived from a passphrase that a person knows.
    case passphrase
    /// Nowhere: it is derived from what a command of the user prints.
    case command
    /// In the kernel's memory alone.
    case memory
}
