package import SusiHTTP
public import SusiPolicies
package import SusiStore

/// One application with its policies and accounts: signs in, returns tokens, edits profiles, switches and removes accounts.
///
/// It reads no environment, uses only the given clock, and prints nothing. Each flow is a separate type; the client
/// opens the store for them and maps their errors.
public actor PublicClient {
    /// The application whose policies and accounts the client uses.
    package nonisolated let application: Application
    nonisolated let others: [Application]
    nonisolated let folder: StoreFolder
    package nonisolated let clock: @Sendable () -> Int64
    nonisolated let network: NetworkSettings
    nonisolated let trace: (@Sendable (String) -> Void)?
    let session: StoreSession

    /// Creates a client; nothing is opened or contacted yet.
    ///
    /// `applications` are those of the policies file that may be used here. Their accounts can be listed and removed too, and the
    /// tokens of a removed account are revoked by its own application's provider.
    package init(
        application: Application, among applications: [Application] = [], folder: StoreFolder,
        clock: @escaping @Sendable () -> Int64,
        network: NetworkSettings = NetworkSettings(), keeper: KeyProvider = KeyProvider(),
        trace: (@Sendable (String) -> Void)? = nil
    ) {
        self.application = application
        others = applications.filter { $0.name != application.name }
        self.folder = folder
        self.clock = clock
        self.network = network
        self.trace = trace
        session = StoreSession(folder: folder, keys: StoreKeys(folder: folder, keeper: keeper, clock: clock))
    }

    /// The application's policies, in the file's order.
    public nonisolated var policies: [Policy] { application.policies }

    /// Returns the policy of that name, or the default one for `nil`. Throws ``SusiError/Code/unknownName`` with the
    /// candidates.
    public nonisolated func policy(_ name: PolicyName?) throws(SusiError) -> Policy {
        try choose { try $0.choosePolicy(name) }
    }

    /// The values that the flows share.
    package nonisolated var context: ClientContext {
        ClientContext(
            application: application, others: others, folder: folder, clock: clock, network: network,
            trace: trace,
            documents: documents)
    }

    // MARK: Errors and the store

    /// Runs a choice among the application's names and maps its error.
    package nonisolated func choose<T>(_ body: (Application) throws -> T) throws(SusiError) -> T {
        do { return try body(application) } catch { throw SusiError(error, application: application) }
    }

    /// Maps every error of `body` to the one type of the library. With a stored account, the sign-ins that the error
    /// suggests demand its person.
    package func mappingErrors<T>(
        policy: PolicyName? = nil, of account: StoredAccount? = nil, _ body: () async throws -> T
    ) async throws(SusiError) -> T {
        do { return try await body() } catch {
            throw context.explained(error, under: policy, of: account.map { reference(to: $0) })
        }
    }

    /// Runs `body` with the store, which is created if it is missing and unlocked before `body` begins. Maps errors.
    package func withUnlockedStore<T>(
        policy: PolicyName? = nil, of account: StoredAccount? = nil, _ body: (AccountStore) async throws -> T
    ) async throws(SusiError) -> T {
        try await mappingErrors(policy: policy, of: account) { try await body(try await session.open()) }
    }

    /// Runs `body` with the store if there is one. It is unlocked if it has encrypted records and `unlocks` is set. Maps
    /// errors.
    package func withExistingStore<T>(
        policy: PolicyName? = nil, of account: StoredAccount? = nil, unlocks: Bool = true,
        _ body: (AccountStore?) throws -> T
    ) async throws(SusiError) -> T {
        try await mappingErrors(policy: policy, of: account) { try body(try await session.existing(unlocks: unlocks)) }
    }

    /// Runs `body` with a finder over one state of the store. Maps errors.
    package func finding<T>(_ body: (AccountFinder) throws -> T) async throws(SusiError) -> T {
        let context = context
        return try await withExistingStore { store in
            let finder = AccountFinder(context: context, store: store)
            guard let store else { return try body(finder) }
            return try store.reading { try body(finder) }
        }
    }
}

// MARK: Documents

extension PublicClient {
    /// The cache of authorities' metadata and keys, in the store. Without an unlocked store they are fetched each time: a
    /// lookup creates no store and asks for no key, and an error of the store does not fail an exchange.
    nonisolated var documents: DocumentCache {
        DocumentCache(clock: clock, find: { await self.document(at: $0) }, keep: { await self.keep($1, at: $0) })
    }

    private func document(at endpoint: Endpoint) -> DocumentCache.Document? {
        guard let found = try? session.peek()?.document(at: endpoint.description) else { return nil }
        return DocumentCache.Document(body: found.body, fetchedOn: found.fetchedOn)
    }

    private func keep(_ document: DocumentCache.Document, at endpoint: Endpoint) async {
        guard (try? session.peek())?.isUnlocked == true else { return }
        try? await session.open().keepDocument(
            document.body, at: endpoint.description, fetchedOn: document.fetchedOn, lifetime: DocumentCache.lifetime)
    }
}
