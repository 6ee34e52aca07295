public import SusiPolicies
package import SusiStore

/// Provides keys that are not in a store's key file: holds the user's choices and requests passphrases.
public struct KeyProvider: Sendable {
    /// The user's choices.
    public struct Choices: Hashable, Sendable {
        /// The key source of a new store. An existing store keeps its own until `susi store rekey`.
        package var source: KeySource
        /// The command whose first line of output is the secret for the key; it runs without a shell.
        package var command: [String]
        /// Seconds for which the kernel keeps a key, unless the store has its own time; 0 for no limit.
        package var lifetime: Int64
        /// The time limit of a key service, which may wait for a person.
        package var patience: Duration

        /// Makes choices; by default new stores have a key file.
        public init(
            source: KeySource = .file, command: [String] = [], lifetime: Int64 = 8 * 3_600,
            patience: Duration = .seconds(3)
        ) {
            self.source = source
            self.command = command
            self.lifetime = lifetime
            self.patience = patience
        }
    }

    /// What a program shows when it asks for a passphrase.
    public struct PassphraseRequest: Hashable, Sendable {
        /// Whether it is a new one, which should be typed twice.
        public let isNew: Bool
        /// The attempt, from 1.
        public let attempt: Int
        package let folder: StoreFolder
    }

    package let choices: @Sendable () throws -> Choices
    let passphrase: @Sendable (PassphraseRequest) async throws -> String?

    /// Makes a provider. `choices` is called only if a key is needed. `passphrase` returns `nil` if no person can be asked:
    /// then a store that needs one throws ``SusiError/Code/store``.
    public init(
        choices: @escaping @Sendable () throws -> Choices = { Choices() },
        passphrase: @escaping @Sendable (PassphraseRequest) async throws -> String? = { _ in nil }
    ) {
        self.choices = choices
        self.passphrase = passphrase
    }
}
