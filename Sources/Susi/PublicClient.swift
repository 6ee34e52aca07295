public import SusiHTTP
public import SusiPolicies
public import SusiStore

/// One application with its policies and its accounts: signs in, gives tokens, edits profiles, switches and removes.
///
/// It reads no environment and no clock but the one that it is given, and prints nothing.
public actor PublicClient {
    /// The application that it works for.
    public nonisolated let application: Application
    nonisolated let folder: StoreFolder
    nonisolated let clock: @Sendable () -> Int64
    nonisolated let network: Network
    nonisolated let trace: @Sendable (String) -> Void
    nonisolated let keys: StoreKeys
    private var opened: AccountStore?
    private var key: SealingKey?
    private var rule = KeyRule.existing
    private var leftovers: [KeyRecord] = []

    /// Makes a client; nothing is opened or contacted yet.
    ///
    /// `clock` gives seconds since 1970. `network` says how servers are reached. `trace` gets a line for each exchange with a
    /// server, and more where the network tells headers, without any secret. `keeper` gives the key of a store whose file
    /// does not hold it, and says where a new store's key goes: into the file unless it says otherwise.
    public init(
        application: Application, folder: StoreFolder, clock: @escaping @Sendable () -> Int64,
        network: Network = Network(), keeper: KeyProvider = KeyProvider(),
        trace: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.application = application
        self.folder = folder
        self.clock = clock
        self.network = network
        self.trace = trace
        keys = StoreKeys(folder: folder, keeper: keeper, clock: clock)
    }

    /// Runs `body` with a web client of this network.
    nonisolated func web<T: Sendable>(_ body: (WebClient) async throws -> T) async throws -> T {
        try await WebClient.with(network, clock: clock, trace: trace, body)
    }

    /// The store, made when it is missing.
    func store() throws(StoreError) -> AccountStore {
        if let opened { return opened }
        let store = try AccountStore(opening: folder, key: key, rule: rule)
        opened = store
        leftovers += [store.leftover, try spare()].compactMap(\.self)
        return store
    }

    /// The store when there is one; looking makes none. One of an earlier version is brought up to date first, which is
    /// the only time that looking waits for a writer.
    func existingStore() throws(StoreError) -> AccountStore? {
        if let opened { return opened }
        do { return try AccountStore(existing: folder, key: key) } catch {
            guard error.kind == .olderSchema else { throw error }
            return try store()
        }
    }

    // Another process may have made the store's key a moment before.
    private func spare() throws(StoreError) -> KeyRecord? {
        guard case .makes(let new) = rule else { return nil }
        rule = .existing
        return try folder.keyRecord()?.id == new.record.id ? nil : new.record
    }

    /// Has the key asked for, or makes one for a store that has none yet.
    private func unlock() async throws {
        if let record = try folder.keyRecord() {
            key = try await keys.key(of: record)
        } else {
            rule = .makes(try await keys.newKey(try keys.keeper.choices().source))
        }
    }

    /// Forgets keys that seal nothing.
    private func releaseLeftovers() async {
        let records = leftovers
        leftovers = []
        for record in records { await keys.release(record) }
    }

    /// The policy of that name, or the default one for nil; else ``SusiError/Code/unknownName`` with the candidates.
    public nonisolated func policy(_ name: PolicyName?) throws(SusiError) -> Policy {
        do { return try application.choosePolicy(name) } catch { throw SusiError(error, application: application) }
    }

    /// Where a policy's accounts are in the store.
    nonisolated func scope(of policy: Policy) -> ApplicationScope {
        ApplicationScope(application, policy)
    }

    /// Where all accounts of the application are: policies with an authority of their own may live in other tenants.
    nonisolated var scopes: Set<ApplicationScope> { Set(application.policies.map { scope(of: $0) }) }

    /// The scopes in which nobody else may have an account than the person who signs in: all of them on a shared device.
    nonisolated var alone: Set<ApplicationScope> { application.deviceMode == .shared ? scopes : [] }

    /// Gives every error of the targets below the one type of the library. A store that is locked, or has no key yet, says so
    /// at the first touch, before anything was sent or written: then the key is had, and `body` begins again.
    ///
    /// With a known account, the sign-ins that the error suggests demand its person.
    nonisolated func explained<T>(
        _ policy: PolicyName? = nil, of account: StoredAccount? = nil, _ body: () async throws -> T
    ) async throws(SusiError) -> T {
        do {
            for _ in 1...2 {
                do {
                    let result = try await body()
                    await releaseLeftovers()
                    return result
                } catch let error as StoreError where [.locked, .noKey].contains(error.kind) {
                    try await unlock()
                }
            }
            return try await body()
        } catch {
            let error = SusiError(error, application: application, policy: policy)
            guard let account else { throw error }
            throw error.demanding(await reference(to: account))
        }
    }
}
