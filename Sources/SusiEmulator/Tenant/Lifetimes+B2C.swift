import SusiPolicies

/// A lifetime outside the limits of Azure AD B2C. The emulator accepts it for tests.
package struct UnusualLifetime: Hashable, Sendable {
    /// Its key in a tenant file.
    package let name: String
    /// The time, in seconds.
    package let seconds: Int64
    /// The limits of Azure AD B2C, in seconds.
    package let allowed: ClosedRange<Int64>

    init?(_ name: String, _ seconds: Int64?, _ allowed: ClosedRange<Int64>) {
        guard let seconds, !allowed.contains(seconds) else { return nil }
        (self.name, self.seconds, self.allowed) = (name, seconds, allowed)
    }
}

extension TenantConfiguration {
    /// The lifetimes outside the limits of Azure AD B2C, without duplicates; none for other kinds of tenant. The limits
    /// are those of its articles on token lifetimes and session behavior.
    package var unusualLifetimes: [UnusualLifetime] {
        guard kind.dialect.traits.limitsLifetimes else { return [] }
        var found: [UnusualLifetime] = []
        for policy in policies {
            let settings = settings(of: policy.name)
            for unusual in lifetimes(of: policy.name).unusual + settings.session.unusual where !found.contains(unusual)
            {
                found.append(unusual)
            }
        }
        return found
    }
}

private let (minute, day): (Int64, Int64) = (60, 86_400)

extension Lifetimes {
    fileprivate var unusual: [UnusualLifetime] {
        [
            UnusualLifetime("accessToken", accessToken, 5 * minute...day),
            UnusualLifetime("idToken", idToken, 5 * minute...day),
            UnusualLifetime("refreshToken", refreshToken, day...90 * day),
            UnusualLifetime("slidingWindow", slidingWindow, day...365 * day),
        ].compactMap(\.self)
    }
}

extension PolicySettings.Session {
    fileprivate var unusual: [UnusualLifetime] {
        [
            UnusualLifetime("session.time", seconds, 15 * minute...day),
            UnusualLifetime("session.keep", keepSeconds, day...90 * day),
        ].compactMap(\.self)
    }
}
