/// The plan for getting a token without a page, decided from facts and the time alone.
package enum SilentPlan: Hashable, Sendable {
    /// Use the stored access token.
    case use
    /// Exchange the refresh token.
    case refresh
    /// A sign-in is needed.
    case interact(Reason)

    package enum Reason: Hashable, Sendable {
        /// No account is signed in under the policy.
        case noAccount
        case noRefreshToken
        case refreshTokenExpired(on: Int64)
    }

    /// The times of an access token, in seconds since 1970.
    package struct AccessFacts: Hashable, Sendable {
        package let expiresOn: Int64
        /// The time at which the server suggests a refresh.
        package let refreshOn: Int64?

        package init(expiresOn: Int64, refreshOn: Int64?) {
            self.expiresOn = expiresOn
            self.refreshOn = refreshOn
        }
    }

    package enum RefreshFacts: Hashable, Sendable {
        case absent
        /// A refresh token; `expiresOn` is `nil` if the server sent no expiry.
        case present(expiresOn: Int64?)
    }

    /// The number of seconds before expiry at which a token is refreshed early.
    package static let earlyMargin: Int64 = 300

    /// Decides. `minimum` is the required remaining validity in seconds. With `nil` a refresh is tried shortly before
    /// expiry, and without a refresh token the access token is used until it expires. `force` ignores the cache.
    package static func make(
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

    /// Whether an access token can be used without a refresh.
    package static func serves(_ access: AccessFacts, minimum: Int64? = nil, now: Int64) -> Bool {
        guard access.expiresOn > now, access.expiresOn - now >= minimum ?? earlyMargin else { return false }
        return access.refreshOn.map { $0 > now } ?? true
    }
}
