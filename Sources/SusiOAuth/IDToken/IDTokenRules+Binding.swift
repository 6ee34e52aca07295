import Crypto
import SusiBase
import SusiPolicies

extension IDTokenRules {
    /// Checks a hash that binds the id token to another value: the left half of its SHA-256, which every accepted
    /// algorithm uses (OpenID Connect Core 3.1.3.6, 3.3.2.11).
    func checkHash(
        _ name: String, in claims: JSONNode, of value: String?, _ subject: String, source: String
    ) throws(ProtocolViolation) {
        guard let claim = claims[name], let value else { return }
        guard claim.string == Base64URL.encode(SHA256.hash(data: Array(value.utf8)).prefix(16)) else {
            throw ProtocolViolation(
                .idToken, "\(name) does not match \(subject)", source: "OpenID Connect Core \(source)")
        }
    }

    /// Checks the claims that a refreshed id token shares with the previous one (OpenID Connect Core 12.2).
    func checkRefresh(_ claims: JSONNode, after previous: JSONNode) throws(ProtocolViolation) {
        if let before = previous["iss"]?.string, claims["iss"]?.string != before { throw changed("iss") }
        // A custom policy can leave it out of a refresh; the object ID then identifies the person.
        if let before = previous["sub"]?.string, let after = claims["sub"], after.string != before {
            throw ProtocolViolation(
                .person, "sub does not match the sign-in", source: "OpenID Connect Core 12.2")
        }
        if let before = previous["aud"]?.strings {
            guard Set(before) == Set(claims["aud"]?.strings ?? []) else { throw changed("aud") }
            guard previous["azp"]?.string == claims["azp"]?.string else { throw changed("azp") }
        }
        // These two are optional, but must not change.
        if authority.kind.traits.keepsAuthTime, let before = previous["auth_time"]?.lenientInteger,
            let after = claims["auth_time"], after.lenientInteger != before
        {
            throw changed("auth_time")
        }
        if let before = previous["nonce"]?.string, let after = claims["nonce"], after.string != before {
            throw changed("nonce")
        }
        if let before = previous["iat"]?.lenientInteger, let after = claims["iat"]?.lenientInteger,
            before > after, before - max(after, 0) > Self.skew
        {
            throw violation("iat is earlier than in the previous id token", "OpenID Connect Core 12.2")
        }
    }

    private func changed(_ name: String) -> ProtocolViolation {
        violation("\(name) does not match the sign-in", "OpenID Connect Core 12.2")
    }
}
