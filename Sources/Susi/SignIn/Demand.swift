import SusiOAuth
import SusiPolicies
import SusiStore

/// The demands of servers on the next sign-in, in addition to the caller's options.
struct Demand: Sendable {
    /// The account that probably signs in: the expected person's, else the policy's current one.
    private let account: StoredAccount?
    /// The stored demand of servers for that account: claims, or another sign-in.
    private let stored: ClaimsRequest?

    /// Returns the caller's options with the demand. If both set the same option, the caller's value is used: a
    /// server's old demand does not change what is requested now.
    func added(to own: AuthorizationOptions) -> AuthorizationOptions {
        guard let stored else { return own }
        var options = own
        guard let stepUp = StepUpChallenge(kept: stored) else {
            options.claims = own.claims.map { stored.merged(with: $0) } ?? stored
            return options
        }
        let namesContexts =
            own.claims?.namesACR ?? false || own.extra.contains { $0.name.lowercased() == "acr_values" }
        options.acrValues = own.acrValues ?? (namesContexts ? nil : stepUp.acrValues)
        options.maximumAge = own.maximumAge ?? stepUp.maximumAge
        return options
    }

    /// Runs a sign-in that carries the demand. If the server refuses the request or does not meet the demand, the demand is
    /// forgotten, or every later sign-in would fail too; an API that still requires it demands it again.
    func forgottenIfRefused<T>(
        in store: AccountStore, _ context: ClientContext, _ body: () async throws -> T
    ) async throws -> T {
        do { return try await body() } catch {
            let mapped = SusiError(error, application: context.application)
            if mapped.isRefusalOfRequest || mapped.violated == .demand { try? forget(in: store) }
            throw error
        }
    }

    /// Whether these tokens come from a sign-in that carried the demand, of the person on whom it is.
    func isMet(by grant: TokenGrant) -> Bool { stored != nil && account?.account == grant.account }

    /// Removes the demand from the store, unless there is a newer one by now.
    func forget(in store: AccountStore) throws {
        guard let account, let stored else { return }
        try store.forgetClaims(of: account.account, ifStill: stored)
    }
}

extension Demand {
    init() { self.init(account: nil, stored: nil) }

    init(on account: StoredAccount?, in store: AccountStore) {
        self.init(account: account, stored: account.flatMap { try? store.pendingClaims(of: $0.account) })
    }
}

extension AccountStore {
    /// Returns the account's stored id token, for a policy that wants it as a hint.
    func idToken(of account: StoredAccount) -> String? {
        try? secret(.id(account.account))?.secret
    }
}

extension SusiError {
    /// Whether a server refused the request itself, not because it is busy or because the person cancelled. Only a
    /// service's own code proves that the person cancelled.
    fileprivate var isRefusalOfRequest: Bool {
        guard let refusal, code != .network else { return false }
        return refusal.consequence != .cancelled || refusal.code == nil
    }
}
