import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

/// The first token of a person in another tenant, by the refresh token of the sign-in at home: the service's refresh tokens
/// belong to a person and a client, not to a tenant.
///
/// Whatever the tenant responds, the refresh token at home is kept as it is.
struct TenantFlow {
    let context: ClientContext
    let session: StoreSession
    let home: StoredAccount
    /// The policy, whose authority is the other tenant.
    let policy: Policy
    let wanted: WantedScopes
    var options = TokenRequestOptions()

    /// Returns the account in the tenant. Locks, reads again, redeems once.
    func account(in store: AccountStore) async throws -> StoredAccount {
        try checkIsNamed()
        let before = try accountThere(in: store)?.tokens
        return try await FileLock.with(context.folder.lock(of: home.account)) {
            // Another process may have been faster. Its token also serves a request that skips the cache.
            if let there = try accountThere(in: store) {
                var now = self
                now.options.forcesRefresh = options.forcesRefresh && there.tokens == before
                if try !now.needsHome(there, in: store) { return there }
            }
            return try keep(try await redeem(in: store), in: store)
        }
    }

    /// Returns whether only the sign-in at home brings a token of that account without a page.
    func needsHome(_ there: StoredAccount, in store: AccountStore?) throws -> Bool {
        let flow = SilentFlow(
            context: context, session: session, account: there, policy: policy, wanted: wanted, options: options)
        if case .interact = try flow.preview(in: store).plan { return true }
        return false
    }

    private func accountThere(in store: AccountStore?) throws -> StoredAccount? {
        try AccountFinder(context: context, store: store).account(
            ofSamePersonAs: home, in: [context.area(of: policy)])
    }

    // An entry that is only a host names no tenant; a typing error could choose any of them.
    private func checkIsNamed() throws {
        let (application, authority) = (context.application, context.application.authority(for: policy))
        guard case .refused(let refusal) = application.knownAuthorities.namingTenants.decision(for: authority) else {
            return
        }
        // Under a policy a sign-in may be possible nevertheless.
        throw application.tenant == nil
            ? SusiError.tenantNotNamed(refusal, policy, home.label, application) : refusal
    }

    private func redeem(in store: AccountStore) async throws -> TokenGrant {
        guard let refresh = try store.secret(.refresh(home.account)) else {
            throw SusiError.signInNeeded(policy, .noRefreshToken)
        }
        do {
            return try await context.web { web in
                try await context.redeem(
                    refresh.secret, under: policy, asking: wanted.all, expecting: home.homeAccountID, through: web)
            }
        } catch let refusal as ServerRefusal {
            // The next sign-in there requests what the server demands.
            if let claims = refusal.claims, let there = try accountThere(in: store) {
                try store.remember(ClaimsRequest(claims), for: there.account)
            }
            throw SusiError.refusedByTenant(refusal, policy, home.label, context.application)
        }
    }

    // Signed claims say who it is: in the person's own tenant it is the account at home.
    private func keep(_ grant: TokenGrant, in store: AccountStore) throws -> StoredAccount {
        let (application, registration) = (context.application, context.registration(of: policy))
        let keys = grant.accessToken.map(wanted.keys) ?? []
        if let stored = try store.account(grant.account) {
            guard stored.homeAccountID.isSame(as: grant.homeAccountID) else {
                throw ProtocolViolation.otherHomeAccount
            }
            try store.refresh(grant, in: registration, alsoFor: keys, broughtBy: home.account)
        } else {
            // Another person may be current at home next time: only a policy remembers its first account.
            let isFirst = try store.count(of: [registration], policy: policy.name) == 0
            try store.save(
                grant, in: registration, authority: application.authority(for: policy).base.description,
                makeCurrent: application.tenant == nil && isFirst, alsoFor: keys, broughtBy: home.account)
        }
        guard let account = try store.account(grant.account) else { throw SusiError.savedAccountUnreadable }
        return account
    }
}

extension PublicClient {
    /// Returns the flow from the account at home, if the account in the policy's tenant has no token and no way to get one.
    func tenantFlow(
        to found: AccountFinder.Found, under policy: Policy, wanted: WantedScopes, options: TokenRequestOptions
    ) async throws(SusiError) -> TenantFlow? {
        guard let home = found.home else { return nil }
        let flow = TenantFlow(
            context: context, session: session, home: home, policy: policy, wanted: wanted, options: options)
        guard found.isHere else { return flow }
        return try await finding { try flow.needsHome(found.account, in: $0.store) } ? flow : nil
    }

    func token(through home: TenantFlow) async throws(SusiError) -> IssuedToken {
        let policy = home.policy
        let account = try await withUnlockedStore(policy: policy.name) { try await home.account(in: $0) }
        // That has just fetched a new token, so no refresh is forced.
        var options = home.options
        options.forcesRefresh = false
        let flow = silentFlow(of: account, under: policy, wanted: home.wanted, options: options)
        return try await mappingErrors(policy: policy.name, of: account) { try await flow.token() }
    }
}
