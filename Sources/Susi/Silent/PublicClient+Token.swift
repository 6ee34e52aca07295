import SusiHTTP
public import SusiOAuth
public import SusiPolicies
public import SusiStore

/// How a token is wanted.
public struct TokenRequestOptions: Hashable, Sendable {
    /// Seconds for which it must still be valid; nil refreshes shortly before its end where that is possible.
    public var minimum: Int64?
    /// Whether the cache is passed over.
    public var forcesRefresh: Bool
    /// Scopes that the token must have beside those of the API.
    public var scopes: [String]

    /// Makes options.
    public init(minimum: Int64? = nil, forcesRefresh: Bool = false, scopes: [String] = []) {
        self.minimum = minimum
        self.forcesRefresh = forcesRefresh
        self.scopes = scopes
    }
}

/// An access token with whose it is.
public struct IssuedToken: Sendable {
    /// The token. It is a secret.
    public let secret: String
    /// What is known of it.
    public let info: StoredTokenInfo
    /// Whose it is.
    public let account: StoredAccount
    /// The policy.
    public let policy: Policy
    /// The scopes that it has, and the asked ones that it lacks.
    public let scopes: ScopeOutcome
    let wanted: WantedScopes
}

/// How a token would be had: by whom, and what would happen first.
public struct TokenPreview: Sendable {
    /// Whose token.
    public let holder: Holder
    /// The policy.
    public let policy: Policy
    /// What would happen.
    public let plan: SilentPlan
    /// The token in the store, ended or not.
    public let cached: StoredTokenInfo?

    /// Whose token it would be.
    public enum Holder: Hashable, Sendable {
        /// An account's.
        case account(StoredAccount)
        /// That of an imported token, which makes an account at its first use.
        case imported(ImportedToken)

        /// What to call it.
        public var label: String {
            switch self {
            case .account(let account): account.label
            case .imported(let token): token.label
            }
        }
    }
}

extension PublicClient {
    /// Gives an access token without a page: from the cache, else by the refresh token.
    ///
    /// ``SusiError/Code/signInNeeded`` says that only a page helps, ``SusiError/Code/scopesDeclined`` that none of the scopes
    /// was granted. A token that lacks some of them is returned: see ``IssuedToken/scopes``.
    public func token(
        api: String?, of selection: AccountSelection, options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> IssuedToken {
        try await token(try await target(api, selection, options), selection, options)
    }

    /// How a token would be had now, and for whom. Nothing is sent, refreshed or stored.
    public func outlook(
        api: String?, of selection: AccountSelection, options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> TokenPreview {
        let target = try await target(api, selection, options)
        if let token = try await waiting(selection, target.policy) {
            return TokenPreview(holder: .imported(token), policy: target.policy, plan: .refresh, cached: nil)
        }
        let account = try await account(selection.under(target.policy))
        return try await explained(target.policy.name, of: account) {
            let (cached, plan) = try plan(account, WantedScopes(target, beside: options.scopes), options)
            return TokenPreview(holder: .account(account), policy: target.policy, plan: plan, cached: cached?.info)
        }
    }

    // What a token is asked for; one without a scope is none.
    private func target(
        _ api: String?, _ selection: AccountSelection, _ options: TokenRequestOptions
    ) async throws(SusiError) -> TokenTarget {
        let application = application
        let target = try await explained { try application.target(api: api, policy: selection.policy) }
        let isForItself = !target.fallbackScopes.isEmpty && application.apis.allSatisfy(\.scopes.isEmpty)
        guard !target.scopes.isEmpty || !options.scopes.isEmpty || isForItself else {
            let apis = application.apis.filter { !$0.scopes.isEmpty }.map(\.name)
            throw SusiError(
                .unknownName, "no API to request a token for under \(target.policy.name)",
                why: "an access token is issued for an API",
                next: apis.first.map { NextStep(naming: $0) } ?? "add an API to the application in policies.json",
                candidates: apis)
        }
        return target
    }

    /// Gives an access token for a resource of the older protocol, without a page: for its default scope, which stands
    /// for all that was granted on it. A resource that ends in a slash keeps it.
    public func token(
        resource: String, of selection: AccountSelection, options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> IssuedToken {
        let application = application
        let policy = try await explained { try application.choosePolicy(selection.policy) }
        let scope = ScopeSet.defaultScope(ofResource: resource)
        return try await token(TokenTarget(policy: policy, scopes: [scope], api: nil), selection, options)
    }

    func token(
        _ target: TokenTarget, _ selection: AccountSelection, _ options: TokenRequestOptions
    ) async throws(SusiError) -> IssuedToken {
        let selection = selection.under(target.policy)
        let wanted = WantedScopes(target, beside: options.scopes)
        let adopted = try await adopted(selection, target.policy, wanted.all)
        let account = if let adopted { adopted } else { try await account(selection) }
        // The first use of an imported token has just brought what a forced refresh would.
        let options = adopted == nil ? options : TokenRequestOptions(minimum: options.minimum)
        return try await explained(target.policy.name, of: account) {
            try await silent(account, target.policy, wanted, options)
        }
    }

    /// Exchanges a token that an API no longer takes, for the same account whoever is current by now.
    func renewed(_ token: IssuedToken) async throws -> IssuedToken {
        let options = TokenRequestOptions(forcesRefresh: true)
        return try await silent(token.account, token.policy, token.wanted, options)
    }

    private func silent(
        _ account: StoredAccount, _ policy: Policy, _ wanted: WantedScopes, _ options: TokenRequestOptions
    ) async throws -> IssuedToken {
        let (cached, plan) = try plan(account, wanted, options)
        let issued = { (token: StoredToken) throws(SusiError) -> IssuedToken in
            let scopes = ScopeOutcome(asked: wanted.all, granted: token.info.granted)
            guard !scopes.leavesNothing(of: wanted.all) else { throw self.declined(scopes, policy) }
            return IssuedToken(
                secret: token.secret, info: token.info, account: account, policy: policy, scopes: scopes, wanted: wanted
            )
        }
        switch plan {
        case .use:
            if let cached { return try issued(cached) }
            throw Self.signInNeeded(policy, .noRefreshToken)
        case .interact(let reason): throw Self.signInNeeded(policy, reason)
        case .refresh:
            do { return try issued(try await self.refresh(account, policy, wanted, options)) } catch {
                // An early refresh that came to nothing loses nothing: the token serves to its end.
                guard Self.isWithoutAnswer(error), !options.forcesRefresh, options.minimum == nil, let cached,
                    let end = cached.info.expiresOn, end > clock()
                else { throw refused(error, policy) }
                trace("early refresh failed: \(SusiError(error, application: application, policy: policy.name))")
                return try issued(cached)
            }
        }
    }

    private func declined(_ scopes: ScopeOutcome, _ policy: Policy) -> SusiError {
        // A sign-in by password has no page, and B2C none for consent.
        let hasPage = !application.kind.hasPolicies && policy.kind != .resourceOwner
        let signIn = policy.kind.command(for: policy.name)
        return SusiError(
            .scopesDeclined, "no scope of the API was granted", why: "\(scopes)",
            next: hasPage
                ? "\(signIn.option("--prompt", Prompt.consent.rawValue))"
                : "give the application permission for the API in the tenant, then \(signIn)",
            scopes: scopes)
    }

    /// Whether a refresh ended without tokens that could be right or wrong: nobody answered, the server had no time for it
    /// or said no, or what came was no answer. Tokens that break a rule, or are somebody else's, are never passed over.
    private static func isWithoutAnswer(_ error: any Error) -> Bool {
        switch error {
        case is NetworkFailure, is UnexpectedAnswer, is ServerRefusal: true
        case let violation as ProtocolViolation: [.noTokenAnswer, .tokenRefusal].contains(violation.subject)
        default: false
        }
    }

    private func refused(_ error: any Error, _ policy: Policy) -> any Error {
        let why: String
        switch error {
        case let violation as ProtocolViolation where violation.subject == .tokenRefusal: why = violation.reason
        // No person was asked: a refusal in that word cancels nothing.
        case let refusal as ServerRefusal where refusal.consequence == .cancelled:
            why = SusiError(refusal, application: application, policy: policy.name).why
        // RFC 6749 section 6: a refresh asks for nothing beyond the sign-in.
        case let refusal as ServerRefusal where refusal.error == "invalid_scope" && !application.kind.scopesNameAPIs:
            why = "it does not cover these scopes"
        default: return error
        }
        return SusiError(
            .signInNeeded, "sign-in needed", why: "the server refused the refresh token: \(why)",
            next: "\(SuggestedCommand.signIn(policy.name))", refusal: error as? ServerRefusal)
    }

    private func plan(
        _ account: StoredAccount, _ wanted: WantedScopes, _ options: TokenRequestOptions
    ) throws -> (cached: StoredToken?, plan: SilentPlan) {
        let cached = try stored(account, wanted, options)
        let refresh = account.tokens.first { $0.kind == .refresh }
        let plan = SilentPlan.make(
            access: cached.flatMap(\.info.facts), refresh: refresh.map { .present(expiresOn: $0.expiresOn) } ?? .absent,
            minimum: options.minimum, force: options.forcesRefresh, now: clock())
        return (cached, plan)
    }

    /// The token of the same request when it is valid and lacks nothing; else a valid one that has all of its scopes, where
    /// scopes tell APIs apart; else that of the same request as it is.
    private func stored(
        _ account: StoredAccount, _ wanted: WantedScopes, _ options: TokenRequestOptions
    ) throws -> StoredToken? {
        guard let store = try existingStore() else { return nil }
        let now = clock()
        let isValid = { (info: StoredTokenInfo) in
            info.facts.map { SilentPlan.serves($0, minimum: options.minimum, now: now) } ?? false
        }
        let exact = try store.secret(.access(account.account, wanted.all))
        if let exact, isValid(exact.info), exact.info.declined.isEmpty { return exact }
        guard application.kind.scopesNameAPIs, !wanted.all.isEmpty else { return exact }
        let others = account.tokens.filter { $0.kind == .access && isValid($0) && $0.serves(wanted.all) }
        let latest = others.max { ($0.expiresOn ?? 0) < ($1.expiresOn ?? 0) }
        return try latest.flatMap { try store.secret(.access(account.account, $0.scopes)) } ?? exact
    }

    func refresh(_ account: StoredAccount, _ policy: Policy, _ scopes: ScopeSet) async throws -> StoredToken? {
        try await AccountLock.with(account.account, in: folder) {
            try await exchange(account.account, policy, scopes, for: WantedScopes(own: scopes, all: scopes))
        }
    }

    // Lock, read again, refresh once: of processes that find the token expired together, one asks the server.
    private func refresh(
        _ account: StoredAccount, _ policy: Policy, _ wanted: WantedScopes, _ options: TokenRequestOptions
    ) async throws -> StoredToken {
        let before = try existingStore()?.secret(.access(account.account, wanted.all))?.info.savedOn
        return try await AccountLock.with(account.account, in: folder) {
            if let newer = try store().secret(.access(account.account, wanted.all)), let facts = newer.info.facts,
                SilentPlan.serves(facts, minimum: options.minimum, now: clock()),
                !options.forcesRefresh || newer.info.savedOn != before
            {
                return newer
            }
            let asked = wanted.union(with: account.tokens)
            if let token = try await exchange(account.account, policy, asked, for: wanted) {
                try Self.check(token, isValidFor: options.minimum, now: clock())
                return token
            }
            throw declined(ScopeOutcome(asked: wanted.all, granted: ScopeSet([])), policy)
        }
    }

    /// Exchanges the refresh token, checks the answer and stores it in one transaction; the caller holds the lock.
    private func exchange(
        _ account: Account, _ policy: Policy, _ scopes: ScopeSet, for wanted: WantedScopes
    ) async throws -> StoredToken? {
        guard let refresh = try store().secret(.refresh(account)) else {
            throw Self.signInNeeded(policy, .noRefreshToken)
        }
        do {
            return try await exchange(refresh.secret, account, policy, scopes, for: wanted)
        } catch {
            let refusal = error as? ServerRefusal
            // What the server demands is asked at the next sign-in.
            if let claims = refusal?.claims { try store().remember(ClaimsRequest(claims), for: account) }
            guard Self.mayMeanAnotherToken(error) else { throw error }
            // A sign-in may have brought a newer token in the meantime: that one is tried, once.
            if let newer = try store().secret(.refresh(account)), newer.secret != refresh.secret {
                return try await exchange(newer.secret, account, policy, scopes, for: wanted)
            }
            // Only a definite refusal of the grant ends it.
            if let refusal, refusal.consequence.endsGrant {
                try store().dropRefreshToken(account, ifStill: refresh.secret)
            }
            throw error
        }
    }

    // Some servers refuse a dead refresh token with a status and no more: nothing definite, so the token stays.
    private static func mayMeanAnotherToken(_ error: any Error) -> Bool {
        (error as? ServerRefusal)?.error == "invalid_grant" || (error as? ProtocolViolation)?.subject == .tokenRefusal
    }

    private func exchange(
        _ refreshToken: String, _ account: Account, _ policy: Policy, _ scopes: ScopeSet, for wanted: WantedScopes
    ) async throws -> StoredToken? {
        // The policy may have got another authority since: the token is not that one's.
        guard try store().reaches(account, in: scope(of: policy)) else {
            throw SusiError(
                .unknownAuthority, "the refresh token was not sent to \(application.authority(for: policy).address)",
                why: "the account belongs to another tenant", next: "\(SuggestedCommand.signIn(policy.name))")
        }
        // Of a damaged account nothing is compared; the id token says who it is.
        let grant = try await redeem(refreshToken, policy, scopes, of: try? store().account(account))
        guard grant.account == account else {
            throw SusiError(
                .differentPerson, "the refreshed tokens belong to another person", why: "nothing was stored",
                next: "\(SuggestedCommand.signIn(policy.name))")
        }
        let keys = grant.accessToken.map(wanted.keys) ?? []
        try store().refresh(grant, in: scope(of: policy), alsoFor: keys)
        // Without a new one, what is stored is the old one, which was not good enough.
        return grant.accessToken == nil ? nil : try store().secret(.access(account, wanted.all))
    }

    /// Exchanges a refresh token at the policy's own authority and checks the answer; nothing is stored. Of an account that
    /// is known the answer may say nothing new, and must not contradict what is known (OpenID Connect Core 12.2).
    func redeem(
        _ refreshToken: String, _ policy: Policy, _ scopes: ScopeSet, of known: StoredAccount? = nil
    ) async throws -> TokenGrant {
        let (application, clock, documents) = (application, clock, documents)
        let tokens = known?.tokens.filter { $0.kind == .access } ?? []
        let scope = RefreshScope(
            scopes, at: application.kind, known: tokens.map { (asked: $0.scopes, granted: $0.granted) })
        return try await web { web in
            let provider = try await Provider.discover(
                application.authority(for: policy), known: application.knownAuthorities, client: web,
                cache: documents)
            let answer = try await provider.answer(
                to: .refresh(refreshToken, clientID: application.clientID, scope: scope.asked))
            if answer.idToken == nil, let known {
                return try TokenGrant(
                    answer: answer, scopes: scopes, unsaid: scope.unsaid, renewing: known.account,
                    known.homeAccountID, authority: provider.authority, now: clock())
            }
            return try await provider.grant(
                answer, clientID: application.clientID, scopes: scopes, unsaid: scope.unsaid, now: clock(),
                previous: known.flatMap { try? JSONNode(parsing: $0.claims.utf8) })
        }
    }

    // A tenant's lifetime may be shorter than what is asked; another refresh would bring nothing better.
    private static func check(_ token: StoredToken, isValidFor minimum: Int64?, now: Int64) throws(SusiError) {
        guard let minimum, let end = token.info.expiresOn else { return }
        let rest = EpochTime.seconds(from: now, to: end)
        guard rest < minimum else { return }
        throw SusiError(
            .refused, "a new token is valid for \(rest) s, not for \(minimum) s",
            why: "the tenant's token lifetime is shorter",
            next: "request less, or raise the token lifetime of the policy"
        )
    }

    static func signInNeeded(_ policy: Policy, _ reason: SilentPlan.Reason) -> SusiError {
        let why =
            switch reason {
            case .noAccount: "no account is signed in under \(policy.name)"
            case .noRefreshToken: "the token has expired, and there is no refresh token"
            case .refreshTokenExpired: "the token and the refresh token have expired"
            }
        return SusiError(
            .signInNeeded, "sign-in needed", why: why, next: "\(policy.kind.command(for: policy.name))")
    }
}
