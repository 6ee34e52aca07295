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
    /// The memory of the kernel.
    case memory
}
