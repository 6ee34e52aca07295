import SusiBase
package import SusiPolicies
package import SusiStore
import SystemPackage

/// The key of one store: requests it, keeps it in the kernel for a time, and removes it.
package struct StoreKeys: Sendable {
    package let folder: StoreFolder
    package let keeper: KeyProvider
    package let clock: @Sendable () -> Int64

    /// Makes the keys of a store; nothing is opened or requested yet. `clock` returns seconds since 1970.
    package init(folder: StoreFolder, keeper: KeyProvider, clock: @escaping @Sendable () -> Int64) {
        self.folder = folder
        self.keeper = keeper
        self.clock = clock
    }

    /// The number of attempts for a passphrase.
    private static let attempts = 3
    /// In characters.
    package static let shortestPassphrase = 8
    /// The time limit of the user's key command.
    static let commandLimit = Duration.seconds(30)

    /// Returns the service that stores the keys of a source; `nil` for sources without a service.
    func service(_ source: KeySource) throws -> KeyService? {
        KeyService(source, limit: try keeper.choices().patience)
    }

    // MARK: The key of a store that has one

    /// Requests the key of a record and keeps it in the kernel. `lifetime` in seconds overrides the record's.
    package func key(of record: KeyRecord, lifetime: Int64? = nil) async throws -> SealingKey {
        let key =
            switch record.source {
            case .passphrase: try await passphraseKey(record)
            case .command: try await commandKey(record)
            default: try await serviceKey(record)
            }
        // Without a kernel keyring, the key is requested each time.
        try? record.hold(key, lifetime: lifetime, now: clock())
        return key
    }

    private func passphraseKey(_ record: KeyRecord) async throws -> SealingKey {
        for attempt in 1...Self.attempts {
            let request = KeyProvider.PassphraseRequest(isNew: false, attempt: attempt, folder: folder)
            guard let passphrase = try await keeper.passphrase(request) else {
                if attempt == 1 { throw record.locked(in: folder) }
                break
            }
            if let key = record.key(from: passphrase) { return key }
        }
        throw SusiError.wrongPassphrase
    }

    private func commandKey(_ record: KeyRecord) async throws -> SealingKey {
        if let key = record.key(from: try await commandOutput()) { return key }
        throw SusiError.keyCommandChanged
    }

    private func serviceKey(_ record: KeyRecord) async throws -> SealingKey {
        try checkSupport(of: record.source)
        if let key = try await service(record.source)?.read(record.id), key.id == record.id { return key }
        throw SusiError.keyNotInService(record)
    }

    // MARK: A new key

    /// Makes a key and stores it at its source. If the source is unavailable, this fails with the sources that need no service;
    /// there is no fallback.
    package func newKey(_ source: KeySource, lifetime: Int64? = nil) async throws -> NewKey {
        try checkSupport(of: source)
        do { return try await made(source, lifetime: lifetime) } catch let error as SusiError
            where error.code == .store && source != .passphrase
        {
            throw SusiError.noNewKey(source, error)
        }
    }

    private func made(_ source: KeySource, lifetime: Int64?) async throws -> NewKey {
        let lifetime = try lifetime ?? keeper.choices().lifetime
        let new =
            switch source {
            case .passphrase: try NewKey(for: source, from: try await newPassphrase(), lifetime: lifetime)
            case .command: try NewKey(for: source, from: try await commandOutput(), lifetime: lifetime)
            case .file, .secretService, .keychain: NewKey(for: source, lifetime: lifetime)
            }
        try await service(source)?.keep(new.key)
        try? new.record.hold(new.key, lifetime: nil, now: clock())
        return new
    }

    private func newPassphrase() async throws -> String {
        let request = KeyProvider.PassphraseRequest(isNew: true, attempt: 1, folder: folder)
        guard let passphrase = try await keeper.passphrase(request) else {
            throw SusiError.noPassphrase
        }
        guard passphrase.count >= Self.shortestPassphrase else {
            throw SusiError.shortPassphrase
        }
        return passphrase
    }

    /// Returns the first line that the user's command prints.
    private func commandOutput() async throws -> String {
        let words = try keeper.choices().command
        guard let program = words.first else {
            throw SusiError.noKeyCommand
        }
        if program.contains("/") {
            do { try OwnedFile.check(program) } catch {
                throw SusiError(error, otherwise: "fix keyCommand in your own policies.json")
            }
        }
        let tool = Tool(words: words, limit: Self.commandLimit, showsErrors: true, isWatched: true)
        return try await tool.firstLine { why in
            SusiError.keyCommandFailed(program, why)
        }
    }

    private func checkSupport(of source: KeySource) throws {
        guard !source.isSupported else { return }
        throw SusiError.unsupported(source)
    }

    // MARK: Forgetting

    /// Removes a key that encrypts nothing any more. If its service cannot be reached, the key remains there unused.
    package func release(_ record: KeyRecord) async {
        record.release()
        try? await service(record.source)?.remove(record.id)
    }
}
