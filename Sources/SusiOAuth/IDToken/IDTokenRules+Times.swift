import SusiBase
import SusiPolicies

extension IDTokenRules {
    /// Checks `exp`, `iat` and `nbf` against this machine's clock, with ``skew`` between the two.
    func checkTimes(_ claims: JSONNode) throws(ProtocolViolation) {
        guard let expires = Self.seconds(claims["exp"]), let issued = Self.seconds(claims["iat"]) else {
            throw violation("no exp or no iat", "(9), (10)")
        }
        guard expires > now - Self.skew else {
            throw untimely("expired \(Span.text(now - expires)) ago", "(9)", issued: issued)
        }
        guard issued <= now + Self.skew else {
            throw untimely("issued \(Span.text(issued - now)) in the future", "(10)", issued: issued)
        }
        if let start = Self.seconds(claims["nbf"]), start > now + Self.skew {
            throw untimely("not valid before \(Span.text(start - now)) from now", "RFC 7519 4.1.5", issued: issued)
        }
    }

    /// Checks that `auth_time` is present and within the requested `max_age`.
    func checkAge(_ claims: JSONNode, _ maximumAge: Int64) throws(ProtocolViolation) {
        guard let signedIn = Self.seconds(claims["auth_time"]) else {
            throw unmet(
                "the id token has no auth_time, although max_age was requested", "(13)",
                authority.kind.traits.authTimeIsOptional ? .authTime : nil)
        }
        guard signedIn <= now + Self.skew else {
            throw untimely("auth_time is \(Span.text(signedIn - now)) in the future", "(13)", issued: signedIn)
        }
        guard now - signedIn - Self.skew <= max(maximumAge, 0) else {
            throw unmet(
                "the last sign-in was \(Span.text(now - signedIn)) ago; at most \(Span.text(maximumAge)) was requested",
                "(13)")
        }
    }

    /// Checks `acr` against the requested values; without values any is accepted.
    func checkACR(_ claims: JSONNode, _ values: [String]) throws(ProtocolViolation) {
        guard let found = claims["acr"]?.string, !found.isEmpty else {
            throw unmet("the id token has no acr; \(Self.list(values)) was requested", "(12)")
        }
        guard values.isEmpty || values.contains(found) else {
            throw unmet("acr is “\(found)”; \(Self.list(values)) was requested", "(12)")
        }
    }

    private static func list(_ values: [String]) -> String {
        values.isEmpty ? "an acr" : values.map { "“\($0)”" }.joined(separator: " or ")
    }

    private func unmet(
        _ reason: String, _ clause: String, _ suspect: ProtocolViolation.Suspect? = nil
    ) -> ProtocolViolation {
        ProtocolViolation(.demand, reason, source: "OpenID Connect Core 3.1.3.7 \(clause)", suspect: suspect)
    }

    /// Reads a time in whole seconds. Some servers send fractions or text.
    private static func seconds(_ claim: JSONNode?) -> Int64? {
        // Clamped, because larger numbers would overflow.
        claim?.lenientInteger.map { min(max($0, -EpochTime.latest), EpochTime.latest) }
    }

    // The token was issued just now. If the server's time, or else the time of issue, is far from this machine's, the
    // clock is wrong.
    private func untimely(_ reason: String, _ clause: String, issued: Int64) -> ProtocolViolation {
        let difference = now - (serverTime ?? issued)
        guard abs(difference) > Self.skew else {
            return violation(serverTime == nil ? reason : "\(reason), also by the server's clock", clause)
        }
        let blame = violation(
            "\(reason): this machine's clock is \(Span.text(abs(difference))) \(difference > 0 ? "ahead of" : "behind") "
                + (serverTime == nil ? "the token's time of issue" : "the server's"), clause)
        return ProtocolViolation(
            blame.subject, blame.reason, source: blame.source, suspect: .clock)
    }
}
