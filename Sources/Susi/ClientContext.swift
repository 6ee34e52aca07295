package import SusiHTTP
package import SusiPolicies
package import SusiStore

/// The values that the flows of one client share: application, folder, clock and network.
package struct ClientContext: Sendable {
    package let application: Application
    /// The other applications of the policies file that may be used on this machine.
    let others: [Application]
    package let folder: StoreFolder
    package let clock: @Sendable () -> Int64
    let network: NetworkSettings
    let trace: (@Sendable (String) -> Void)?
    let documents: DocumentCache

    /// Runs `body` with a web client of this network, in which an exchange may take as long as `limit`.
    package func web<T: Sendable>(
        within limit: Duration? = nil, _ body: (WebClient) async throws -> T
    ) async throws -> T {
        var network = network
        if let limit { network.limits.exchange = limit }
        return try await WebClient.with(network, clock: clock, trace: trace, body)
    }

    /// Reads the metadata of a policy's authority, which must be allowed by `knownAuthorities`.
    package func provider(for policy: Policy, _ web: WebClient, asksServer: Bool = false) async throws -> Provider {
        var provider = try await Provider.discover(
            application.authority(for: policy), known: application.knownAuthorities, client: web, cache: documents,
            asksServer: asksServer)
        provider.trustedAudiences = policy.trustedAudiences
        return provider
    }

    /// Runs `body` with the provider of a policy and the web client that reached it. The authority must be allowed by
    /// `knownAuthorities`.
    package func withProvider<T: Sendable>(
        for policy: Policy, asksServer: Bool = false, _ body: (Provider, WebClient) async throws -> T
    ) async throws -> T {
        try await web { web in try await body(try await provider(for: policy, web, asksServer: asksServer), web) }
    }

    /// Returns the same for another application of the policies file.
    package func with(_ application: Application) -> ClientContext {
        ClientContext(
            application: application, others: ([self.application] + others).filter { $0.name != application.name },
            folder: folder, clock: clock, network: network, trace: trace, documents: documents)
    }

    /// The same for each application of the policies file, this one first.
    package var ofEveryApplication: [ClientContext] { [self] + others.map(with) }

    /// Returns whether an account belongs to a policy of the application and its authority: only then are its tokens used.
    package func owns(_ account: StoredAccount, in store: AccountStore) -> Bool {
        guard let policy = application.policy(account.account.policy), policy.kind.keepsAccounts else { return false }
        return belongs(account, to: policy, in: store)
    }

    func belongs(_ account: StoredAccount, to policy: Policy, in store: AccountStore) -> Bool {
        (try? store.belongs(account.account, to: registration(of: policy))) ?? false
    }

    /// Returns the id token of an account for a policy that wants a hint: an authority sees only tokens of its own tenant.
    func idTokenHint(from account: StoredAccount?, for policy: Policy, in store: AccountStore) -> String? {
        account.flatMap { belongs($0, to: policy, in: store) ? store.idToken(of: $0) : nil }
    }

    /// Returns the registration of a policy's accounts in the store.
    func registration(of policy: Policy) -> Registration { Registration(application, policy) }

    /// The registrations of the application's policies: those with their own authority may use other tenants.
    var registrations: Set<Registration> { Set(application.policies.map(registration)) }

    /// Returns the registrations of all accounts of a policy: also at home and in the tenants that `knownAuthorities` names.
    func allRegistrations(of policy: Policy) -> Set<Registration> {
        let authorities = [application.homeAuthority(for: policy)] + application.namedAuthorities(for: policy)
        return Set(authorities.map { Registration($0, clientID: application.clientID) }).union([
            registration(of: policy)
        ])
    }

    var allRegistrations: Set<Registration> { Set(application.policies.flatMap(allRegistrations)) }

    /// Returns the registrations of a policy's accounts in lists: that of the one tenant that the application was made for, else all.
    func listedRegistrations(of policy: Policy) -> Set<Registration> {
        application.tenant == nil ? allRegistrations(of: policy) : [registration(of: policy)]
    }

    /// Returns whether an account can be used: under a policy of the file that keeps accounts, and at its authority. At one for
    /// several tenants everyone signs in at home, so that a guest's account in one of these tenants cannot.
    func isUsable(_ account: StoredAccount) -> Bool {
        guard let policy = application.policy(account.account.policy), policy.kind.keepsAccounts else { return false }
        return !registration(of: policy).spansTenants || account.isAtHome
    }
}
