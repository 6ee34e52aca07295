public import SusiPolicies
public import SusiStore

/// How the key of a store is had when it is not in its file: what the user chose, and whom to ask for a passphrase.
public struct KeyProvider: Sendable {
    /// What the user chose.
    public struct Choices: Hashable, Sendable {
        /// Where the key of a new store goes. One that exists keeps its own, until ``StoreKeys/rekey(to:lifetime:droppingDamaged:)``.
        public var source: KeySource
        /// The command whose first line the key is derived from; no shell sees it.
        public var command: [String]
        /// For how many seconds the kernel keeps a key once it was had, unless the store says otherwise; 0 means without an
        /// end.
        public var lifetime: Int64
        /// How long a key service may take: one that waits for a person who is not there must not hold a command up.
        public var patience: Duration

        /// Makes choices.
        public init(
            source: KeySource = .file, command: [String] = [], lifetime: Int64 = KeyProvider.usualLifetime,
            patience: Duration = .seconds(3)
        ) {
            self.source = source
            self.command = command
            self.lifetime = lifetime
            self.patience = patience
        }
    }

    /// What a passphrase is wanted for.
    public struct PassphraseRequest: Hashable, Sendable {
        /// Whether it is a new one, which is better asked for twice.
        public let isNew: Bool
        /// Counts from 1; more than 1 after a wrong one.
        public let attempt: Int
        /// The folder of the store.
        public let folder: StoreFolder
    }

    /// Eight hours, in seconds.
    public static let usualLifetime: Int64 = 8 * 3_600

    let choices: @Sendable () throws -> Choices
    let passphrase: @Sendable (PassphraseRequest) async throws -> String?

    /// Makes a keeper. `choices` are asked for only when a key has to be had. `passphrase` gives nil when nobody can be asked:
    /// a store that needs one then throws ``SusiError/Code/store``.
    public init(
        choices: @escaping @Sendable () throws -> Choices = { Choices() },
        passphrase: @escaping @Sendable (PassphraseRequest) async throws -> String? = { _ in nil }
    ) {
        self.choices = choices
        self.passphrase = passphrase
    }
}
