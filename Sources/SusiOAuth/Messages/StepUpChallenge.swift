import SusiBase
import SusiPolicies

/// An API's demand for a stronger or more recent sign-in (RFC 9470 section 3).
///
/// It is stored like a claims challenge, as an object with the members `acr_values` and `max_age`.
package struct StepUpChallenge: Hashable, Sendable {
    /// The accepted authentication contexts, best first, separated by spaces; `nil` for any.
    package let acrValues: String?
    /// The maximum age of the sign-in in seconds; `nil` for any.
    package let maximumAge: Int64?

    /// Finds the first bearer challenge with the error `insufficient_user_authentication`; returns `nil` if there is
    /// none. Throws a ``ProtocolViolation`` for values that a request cannot contain.
    package init?(in challenges: [AuthenticationChallenge]) throws(ProtocolViolation) {
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
        maximumAge = (age ?? nil).map(EpochTime.duration)
    }

    /// Parses a stored challenge; returns `nil` if it only demands claims.
    package init?(kept: ClaimsRequest) {
        guard let node = try? JSONNode(parsing: kept.text.utf8),
            node.members.allSatisfy({ ["acr_values", "max_age"].contains($0.name) })
        else { return nil }
        acrValues = node["acr_values"]?.string
        maximumAge = node["max_age"]?.lenientInteger.map(EpochTime.duration)
        if isEmpty { return nil }
    }

    /// Whether it names neither contexts nor an age.
    package var isEmpty: Bool { acrValues == nil && maximumAge == nil }

    /// The stored form; `nil` if it is empty.
    package var kept: ClaimsRequest? {
        let members = [
            acrValues.map { ("acr_values", JSONText.quoted($0)) }, maximumAge.map { ("max_age", "\($0)") },
        ].compactMap(\.self)
        return members.isEmpty ? nil : try? ClaimsRequest(parsing: JSONText.object(members).utf8)
    }

    private static let largest = 2 << 10

    private static func violation(_ reason: String) -> ProtocolViolation {
        ProtocolViolation(.stepUpChallenge, reason, source: "RFC 9470 section 3")
    }
}

extension AuthenticationChallenge {
    /// Whether it demands another sign-in.
    package var demandsStepUp: Bool { bearerError == "insufficient_user_authentication" }
}
