import SusiHTTP
import SusiPolicies
import SusiStore

/// The values that the flows of one client share: application, folder, clock and network.
struct ClientContext: Sendable {
    let application: Application
    let folder: StoreFolder
    let clock: @Sendable () -> Int64
    let network: Network
    let trace: @Sendable (String) -> Void
    let documents: DocumentCache

    /// Runs `body` with a web client of this network.
    func web<T: Sendable>(_ body: (WebClient) async throws -> T) async throws -> T {
        try await WebClient.with(network, clock: clock, trace: trace, body)
    }

    /// Reads the metadata of a policy's authority, which must be allowed by `knownAuthorities`.
    func provider(for policy: Policy, _ web: WebClient, asksServer: Bool = false) async throws -> Provider {
        try await Provider.discover(
            application.authority(for: policy), known: application.knownAuthorities, client: web, cache: documents,
            asksServer: asksServer)
    }

    /// Runs `body` with the provider of a policy and the web client that reached it. The authority must be allowed by
    /// `knownAuthorities`.
    func withProvider<T: Sendable>(
        for policy: Policy, asksServer: Bool = false, _ body: (Provider, WebClient) async throws -> T
    ) async throws -> T {
        try await web { web in try await body(try await provider(for: policy, web, asksServer: asksServer), web) }
    }

    /// Returns the scope of a policy's accounts in the store.
    func scope(of policy: Policy) -> ApplicationScope { ApplicationScope(application, policy) }

    /// The scopes of all accounts of the application: policies with their own authority may use other tenants.
    var scopes: Set<ApplicationScope> { Set(application.policies.map(scope)) }

    /// The scopes in which only the person who signs in may have an account: all scopes on a shared device.
    var exclusiveScopes: Set<ApplicationScope> { application.deviceMode == .shared ? scopes : [] }
}
