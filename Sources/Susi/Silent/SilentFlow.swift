import SusiBase
import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

/// One access token, or the ID token, of one account without a page: from the cache, else by the refresh token.
struct SilentFlow {
    let context: ClientContext
    let session: StoreSession
    let account: StoredAccount
    let policy: Policy
    let wanted: WantedScopes
    var options = TokenRequestOptions()

    /// Returns the token, or throws ``SusiError/Code/signInNeeded`` if only a page helps.
    func token() async throws -> IssuedToken {
        let cached = try cachedToken(in: try await session.existing())
        switch plan(with: cached) {
        case .interact(let reason): throw SusiError.signInNeeded(policy, reason)
        case .use:
            guard let cached else { throw SusiError.signInNeeded(policy, .noRefreshToken) }
            return try issued(cached)
        case .refresh:
            do { return try issued(try await refreshUnderLock()) } catch {
                guard let cached, serves(cached, after: error) else { throw refused(error) }
                let reason = context.explained(error, under: policy.name)
                context.trace?("early refresh failed: \(reason)")
                return try issued(cached)
            }
        }
    }

    private var key: TokenKey {
        options.kind == .id ? .id(account.account) : .access(account.account, wanted.all)
    }

    /// Returns what ``token()`` would do now.
    func preview(in store: AccountStore?) throws -> TokenPreview {
        let cached = try cachedToken(in: store)
        return TokenPreview(account: account, policy: policy, plan: plan(with: cached), cached: cached?.info)
    }

    private func plan(with cached: StoredToken?) -> SilentPlan {
        let ends = account.tokens.filter { $0.refreshes(wanted.all) }.map { $0.expiresOn ?? .max }
        return SilentPlan.make(
            access: cached.flatMap(\.info.facts), refresh: ends.max().map { .present(expiresOn: $0) } ?? .absent,
            minimum: options.minimum, force: options.forcesRefresh, now: context.clock())
    }

    /// Returns the token of the same request if it is valid and no scope was declined. Otherwise returns a valid token with
    /// all wanted scopes, if scopes name their API. Otherwise returns the token of the same request as it is.
    private func cachedToken(in store: AccountStore?) throws -> StoredToken? {
        guard let store else { return nil }
        let exact = try store.secret(key)
        if let exact, isValid(exact.info), exact.info.declined.isEmpty { return exact }
        guard context.application.kind.traits.scopesNameAPIs, !wanted.all.isEmpty else { return exact }
        let others = account.tokens.filter { $0.kind == .access && isValid($0) && $0.serves(wanted.all) }
        let latest = others.max { ($0.expiresOn ?? 0) < ($1.expiresOn ?? 0) }
        return try latest.flatMap { try store.secret(.access(account.account, $0.scopes)) } ?? exact
    }

    private func isValid(_ token: StoredTokenInfo) -> Bool {
        token.facts.map { SilentPlan.serves($0, minimum: options.minimum, now: context.clock()) } ?? false
    }

    private func issued(_ token: StoredToken) throws(SusiError) -> IssuedToken {
        let scopes = ScopeOutcome(asked: wanted.all, granted: token.info.granted)
        guard !scopes.leavesNothing(of: wanted.all) else {
            throw SusiError.scopesDeclined(scopes, policy, of: context.application.kind)
        }
        return IssuedToken(
            secret: token.secret, info: token.info, account: account, policy: policy, scopes: scopes, wanted: wanted)
    }
}

// MARK: Refreshing

extension SilentFlow {
    /// Locks, reads the store again and refreshes once: of several processes that find the token expired, one asks the
    /// server.
    private func refreshUnderLock() async throws -> StoredToken {
        let (store, key) = (try await session.open(), key)
        let before = try store.secret(key)?.info.savedOn
        return try await FileLock.with(context.folder.lock(of: account.account)) {
            if let newer = try store.secret(key), isValid(newer.info),
                !options.forcesRefresh || newer.info.savedOn != before
            {
                return newer
            }
            guard let token = try await refreshed(asking: wanted.union(with: account.tokens), in: store) else {
                throw options.kind == .id
                    ? SusiError.noIDTokenOfRefresh(policy)
                    : SusiError.noTokenOfAPI(wanted.all, context.application.api(of: wanted.own), policy)
            }
            try checkLifetime(of: token)
            return token
        }
    }

    /// Redeems the latest refresh token, and if that does not cover the scopes, the one that is kept for them. Stores the
    /// responses; the caller holds the lock. Returns `nil` if they have no token of the wanted kind.
    private func refreshed(asking scopes: ScopeSet, in store: AccountStore) async throws -> StoredToken? {
        let stored = (try? store.account(account.account))?.tokens.filter { $0.refreshes(wanted.all) } ?? []
        let kept = stored.filter { !$0.scopes.isEmpty }.max { $0.savedOn < $1.savedOn }?.key(of: account.account)
        let latest = stored.first { $0.scopes.isEmpty }
        // A damaged one counts as none.
        guard let kept, let secret = (try? store.secret(kept))?.secret else {
            return try await trying(.refresh(account.account), asking: scopes, in: store)
        }
        if let latest {
            do {
                let token = try await trying(.refresh(account.account), asking: scopes, in: store)
                if let token, !token.info.leavesNothing(of: wanted.all) {
                    // The service does not bind refresh tokens to scopes.
                    if !latest.granted.contains(wanted.all) {
                        try store.dropRefreshToken(account.account, ifStill: secret)
                    }
                    return token
                }
            } catch { guard Self.mayMeanAnotherToken(error) else { throw error } }
        }
        return try await trying(kept, asking: scopes, in: store)
    }

    /// Exchanges the refresh token of a key, and a newer one if that is refused.
    private func trying(_ key: TokenKey, asking scopes: ScopeSet, in store: AccountStore) async throws -> StoredToken? {
        guard let refresh = try store.secret(key) else { throw SusiError.signInNeeded(policy, .noRefreshToken) }
        do { return try await exchange(refresh, asking: scopes, in: store) } catch {
            let refusal = error as? ServerRefusal
            // The next sign-in requests what the server demands.
            if let claims = refusal?.claims { try store.remember(ClaimsRequest(claims), for: account.account) }
            guard Self.mayMeanAnotherToken(error) else { throw error }
            // A sign-in may have stored a newer token in the meantime: it is tried, once.
            if let newer = try store.secret(key), newer.secret != refresh.secret {
                return try await exchange(newer, asking: scopes, in: store)
            }
            // Only a definite refusal of the grant removes the refresh token.
            if let refusal, refusal.endsGrant {
                try store.dropRefreshToken(account.account, ifStill: refresh.secret)
            }
            throw error
        }
    }

    /// Redeems a refresh token and stores the response.
    private func exchange(
        _ refresh: StoredToken, asking scopes: ScopeSet, in store: AccountStore
    ) async throws -> StoredToken? {
        // If the policy's authority has changed since, the token is not sent there.
        guard try store.belongs(account.account, to: context.registration(of: policy)) else {
            throw SusiError.refreshTokenOfOtherTenant(policy, context.application)
        }
        // A damaged account is not compared: the id token identifies the person.
        var stored = try? store.account(account.account)
        // The claims are those of the latest sign-in, not of the one that brought a kept token.
        if !refresh.info.scopes.isEmpty { stored?.claims = "" }
        let grant = try await context.web { web in
            try await context.redeem(
                refresh.secret, under: policy, asking: scopes, of: stored, from: account.account.person.tenant.id,
                through: web)
        }
        guard grant.account == account.account else { throw SusiError.refreshedOtherPerson(policy) }
        let keys = grant.accessToken.map(wanted.keys) ?? []
        try store.refresh(
            grant, in: context.registration(of: policy), redeeming: refresh.secret, alsoFor: keys)
        // Without a new token, the stored one is the old one, which was not sufficient.
        let brought = options.kind == .id ? grant.idToken : grant.accessToken?.secret
        return brought == nil ? nil : try store.secret(key)
    }

    // A tenant's token lifetime may be shorter than the minimum; another refresh would not change that.
    private func checkLifetime(of token: StoredToken) throws(SusiError) {
        guard let minimum = options.minimum, let end = token.info.expiresOn else { return }
        let rest = EpochTime.seconds(from: context.clock(), to: end)
        guard rest >= minimum else { throw SusiError.lifetimeTooShort(rest, minimum: minimum) }
    }
}

// MARK: Failed refreshes

extension SilentFlow {
    /// Returns whether the cached token is used until it expires after an early refresh has failed. A response that breaks a
    /// rule or belongs to another person is never ignored.
    private func serves(_ cached: StoredToken, after error: any Error) -> Bool {
        guard !options.forcesRefresh, options.minimum == nil, let end = cached.info.expiresOn, end > context.clock()
        else { return false }
        return switch error {
        case is NetworkFailure, is UnexpectedResponse, is ServerRefusal: true
        case let error as SusiError: options.kind == .id && error.code == .signInNeeded
        case let violation as ProtocolViolation: [.noTokenResponse, .tokenRefusal].contains(violation.subject)
        default: false
        }
    }

    // Some servers refuse an expired refresh token with a status only. That is not definite, so the token is kept. Others
    // refuse the scopes (RFC 6749 section 6) or their resource (RFC 8707).
    private static func mayMeanAnotherToken(_ error: any Error) -> Bool {
        let refusals = ["invalid_grant", "invalid_scope", "invalid_target"]
        return (error as? ServerRefusal).map { refusals.contains($0.error) }
            ?? ((error as? ProtocolViolation)?.subject == .tokenRefusal)
    }

    private func refused(_ error: any Error) -> any Error {
        let why: String
        var api: String?
        switch error {
        case let violation as ProtocolViolation where violation.subject == .tokenRefusal: why = violation.reason
        // There was no page on which the person could have cancelled.
        case let refusal as ServerRefusal
        where refusal.consequence == .cancelled || refusal.row?.name == "access_denied":
            why = context.explained(refusal, under: policy.name).why
        // RFC 6749 section 6: a refresh asks for nothing beyond the sign-in.
        case let refusal as ServerRefusal
        where ["invalid_scope", "invalid_target"].contains(refusal.error)
            && !context.application.kind.traits.scopesNameAPIs:
            why = "it does not cover these scopes"
            api = context.application.api(of: wanted.own)
        default: return error
        }
        return SusiError.refreshTokenRefused(policy, why: why, api: api, refusal: error as? ServerRefusal)
    }
}
