import SusiPolicies

/// What an API demands of the next sign-in: how strong or how recent it must be (RFC 9470 section 3).
///
/// It is kept like a claims challenge, as an object with the members `acr_values` and `max_age`.
public struct StepUpChallenge: Hashable, Sendable {
    /// The authentication contexts of which the API wants one, best first, with spaces between them; nil for any.
    public let acrValues: String?
    /// Seconds that the sign-in may lie back; nil when that does not matter.
    public let maximumAge: Int64?

    /// The challenge among those of a response: the first bearer challenge whose error is
    /// `insufficient_user_authentication`; nil when there is none. Throws a ``ProtocolViolation`` for values that no
    /// request could carry.
    public init?(in challenges: [AuthenticationChallenge]) throws(ProtocolViolation) {
        guard let wanted = challenges.first(where: \.demandsStepUp) else { return nil }
        let age = wanted["max_age"].map { text in Int64(text).flatMap { $0 < 0 ? nil : $0 } }
        if case .some(.none) = age { throw Self.violation("max_age is not a number of seconds") }
        let values = (wanted["acr_values"] ?? "").split(separator: " ")
        guard values.allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } }) else {
            throw Self.violation("acr_values are not visible ASCII")
        }
        let text = values.joined(separator: " ")
        guard text.utf8.count <= Self.largest else {
            throw Self.violation("acr_values are larger than \(Self.largest) bytes")
        }
        acrValues = text.isEmpty ? nil : text
        maximumAge = (age ?? nil).map(Self.bounded)
    }

    /// Reads what was kept; nil when it is a demand for claims alone.
    public init?(kept: ClaimsRequest) {
        guard let node = try? JSONNode(parsing: kept.text.utf8),
            node.members.allSatisfy({ ["acr_values", "max_age"].contains($0.name) })
        else { return nil }
        acrValues = node["acr_values"]?.string
        maximumAge = node["max_age"]?.lenientInteger.map(Self.bounded)
        if isEmpty { return nil }
    }

    /// Whether it says only that the sign-in does not suffice.
    public var isEmpty: Bool { acrValues == nil && maximumAge == nil }

    /// The form in which it is kept; nil when it is empty.
    public var kept: ClaimsRequest? {
        let members = [
            acrValues.map { ("acr_values", JSONText.quoted($0)) }, maximumAge.map { ("max_age", "\($0)") },
        ].compactMap(\.self)
        return members.isEmpty ? nil : try? ClaimsRequest(parsing: JSONText.object(members).utf8)
    }

    private static let largest = 2 << 10

    // A hundred years: a larger number asks for nothing, and must not overflow.
    private static func bounded(_ seconds: Int64) -> Int64 { min(max(seconds, 0), 3_155_760_000) }

    private static func violation(_ reason: String) -> ProtocolViolation {
        ProtocolViolation(.stepUpChallenge, reason, source: "RFC 9470 section 3")
    }
}

extension AuthenticationChallenge {
    /// Whether it demands another sign-in of the person.
    public var demandsStepUp: Bool { bearerError == "insufficient_user_authentication" }
}
