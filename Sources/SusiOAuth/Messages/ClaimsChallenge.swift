package import SusiBase
import SusiPolicies

/// An API's demand for claims: the `claims` of a challenge with the error `insufficient_claims` (Microsoft identity
/// platform, claims challenge), used as the parameter of OpenID Connect Core 5.5.
package struct ClaimsChallenge: Hashable, Sendable {
    /// The claims as one JSON object, exactly as the API sent them.
    package let json: String
    package let claims: JSONNode

    /// In bytes.
    package static let largest = 4 << 10

    /// Parses a JSON object; throws a ``ProtocolViolation`` if it is malformed or too large, or if it contains one of
    /// `secrets`: a challenge is shown, stored and sent in an address.
    package init(json: String, refusing secrets: SentSecrets = SentSecrets()) throws(ProtocolViolation) {
        guard json.utf8.count <= Self.largest else {
            throw Self.violation("larger than \(Self.largest) bytes")
        }
        guard let claims = try? JSONNode(parsing: json.utf8), case .object = claims.value else {
            throw Self.violation("not a JSON object")
        }
        // Also with the escapes of our own writer, because those of a server may differ from letter to letter.
        guard [json, JSONText.compact(claims)].allSatisfy({ secrets.hidden(in: $0) == $0 }) else {
            throw Self.violation("it repeats a secret of the request")
        }
        self.json = json
        self.claims = claims
    }

    /// Decodes base64, in either alphabet, with or without padding.
    package init(decoding base64: String, refusing secrets: SentSecrets = SentSecrets()) throws(ProtocolViolation) {
        let urlSafe = base64.replacing("+", with: "-").replacing("/", with: "_")
        guard let bytes = Base64URL.decode(urlSafe, allowsPadding: true),
            let json = String(validating: bytes, as: UTF8.self)
        else {
            throw Self.violation("not base64 of a text")
        }
        try self.init(json: json, refusing: secrets)
    }

    /// Finds the first bearer challenge with the error `insufficient_claims`; returns `nil` if there is none or it
    /// contains no claims.
    package init?(
        in challenges: [AuthenticationChallenge], refusing secrets: SentSecrets = SentSecrets()
    ) throws(ProtocolViolation) {
        let wanted = challenges.first { $0.bearerError == "insufficient_claims" && $0["claims"] != nil }
        guard let claims = wanted?["claims"] else { return nil }
        try self.init(decoding: claims, refusing: secrets)
    }

    private static func violation(_ reason: String) -> ProtocolViolation {
        ProtocolViolation(.claimsChallenge, reason, source: "RFC 6750 section 3, OpenID Connect Core 5.5")
    }
}
