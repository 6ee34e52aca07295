/// How a token is had without a page: a decision, made of facts and the time alone.
public enum SilentPlan: Hashable, Sendable {
    /// The stored access token serves.
    case use
    /// The refresh token is exchanged.
    case refresh
    /// Only a sign-in helps.
    case interact(Reason)

    /// Why a page is needed.
    public enum Reason: Hashable, Sendable {
        /// Nobody is signed in under the policy.
        case noAccount
        /// There is no refresh token.
        case noRefreshToken
        /// The refresh token has ended.
        case refreshTokenExpired(on: Int64)
    }

    /// What is known of an access token; times in seconds since 1970.
    public struct AccessFacts: Hashable, Sendable {
        /// When it ends.
        public let expiresOn: Int64
        /// When the server would like a refresh.
        public let refreshOn: Int64?

        /// Gathers the facts.
        public init(expiresOn: Int64, refreshOn: Int64?) {
            self.expiresOn = expiresOn
            self.refreshOn = refreshOn
        }
    }

    /// What is known of a refresh token.
    public enum RefreshFacts: Hashable, Sendable {
        case absent
        /// There is one; `expiresOn` is nil when the server did not say when it ends.
        case present(expiresOn: Int64?)
    }

    /// Seconds before its end from which on a token is refreshed early, where nothing else is asked.
    public static let earlyMargin: Int64 = 300

    /// Decides. `minimum` is the number of seconds for which the token must still be valid; nil means that a refresh
    /// shortly before its end is tried, and that the token serves to its end when there is nothing to refresh it with.
    /// `force` passes the cache over.
    public static func make(
        access: AccessFacts?, refresh: RefreshFacts, minimum: Int64? = nil, force: Bool = false, now: Int64
    ) -> SilentPlan {
        if !force, let access, serves(access, minimum: minimum, now: now) { return .use }
        let reason: Reason
        switch refresh {
        case .absent: reason = .noRefreshToken
        case .present(let expiresOn?) where expiresOn <= now: reason = .refreshTokenExpired(on: expiresOn)
        case .present: return .refresh
        }
        if !force, minimum == nil, let access, access.expiresOn > now { return .use }
        return .interact(reason)
    }

    /// Whether an access token serves without a refresh.
    public static func serves(_ access: AccessFacts, minimum: Int64? = nil, now: Int64) -> Bool {
        guard access.expiresOn > now, access.expiresOn - now >= minimum ?? earlyMargin else { return false }
        return access.refreshOn.map { $0 > now } ?? true
    }
}
