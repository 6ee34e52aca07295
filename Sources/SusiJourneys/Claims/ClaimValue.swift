package import SusiBase

/// The type of a claim: DataType of its ClaimType. The schema knows others, which are not supported.
package enum ClaimDataType: String, Codable, Sendable, CaseIterable {
    case string, boolean, int, long, date, dateTime, stringCollection, userIdentity, userIdentityCollection, phoneNumber
}

/// The value of a claim (claimsschema, spec §2.1).
package enum ClaimValue: Hashable, Codable, Sendable {
    case string(String)
    case boolean(Bool)
    case int(Int32)
    case long(Int64)
    /// A day as `yyyy-MM-dd`.
    case date(String)
    /// Milliseconds since 1970.
    case dateTime(Int64)
    case stringCollection([String])
    case userIdentity(UserIdentity)
    case userIdentityCollection([UserIdentity])
    /// A number with its calling code, as in E.164: `+11234567890`.
    case phoneNumber(String)

    package var type: ClaimDataType {
        switch self {
        case .string: .string
        case .boolean: .boolean
        case .int: .int
        case .long: .long
        case .date: .date
        case .dateTime: .dateTime
        case .stringCollection: .stringCollection
        case .userIdentity: .userIdentity
        case .userIdentityCollection: .userIdentityCollection
        case .phoneNumber: .phoneNumber
        }
    }

    /// The value in forms, comparisons and formats: `True` for a boolean, all seven digits of a fraction for a time.
    package var text: String {
        switch self {
        case .string(let text), .date(let text), .phoneNumber(let text): text
        case .boolean(let flag): flag ? "True" : "False"
        case .int(let number): String(number)
        case .long(let number): String(number)
        case .dateTime(let time): ClaimTime.text(time, digits: 7)
        case .stringCollection(let items): items.joined(separator: ",")
        case .userIdentity, .userIdentityCollection: JSONText.compact(json)
        }
    }

    /// The value in the body of a REST call: JSON's types, and times as in ISO 8601.
    package var json: JSONNode {
        switch self {
        case .string(let text), .date(let text), .phoneNumber(let text): .string(text)
        case .boolean(let flag): JSONNode(value: .bool(flag))
        case .int(let number): .number(number)
        case .long(let number): .number(number)
        case .dateTime(let time): .string(ClaimTime.text(time))
        case .stringCollection(let items): .list(items)
        case .userIdentity(let identity): identity.json
        case .userIdentityCollection(let identities): .array(identities.map(\.json))
        }
    }

    /// The value in a token: times are seconds since 1970.
    package var tokenJSON: JSONNode {
        if case .dateTime(let time) = self { .number(Int64((Double(time) / 1_000).rounded(.down))) } else { json }
    }

    /// Whether there is something: an empty text or collection does not exist (spec §2.1).
    package var isEmpty: Bool {
        switch self {
        case .string(let text): text.isEmpty
        case .stringCollection(let items): items.isEmpty
        case .userIdentityCollection(let identities): identities.isEmpty
        default: false
        }
    }
}

/// An account at a social provider: the provider, and its id of the person in base64.
package struct UserIdentity: Hashable, Codable, Sendable {
    package let issuer: String
    package let issuerUserID: String

    package init(issuer: String, issuerUserID: String) { (self.issuer, self.issuerUserID) = (issuer, issuerUserID) }

    package var json: JSONNode { ["issuer": .string(issuer), "issuerUserId": .string(issuerUserID)] }

    /// Reads the form of the documentation, or that of older policies, with `identityProvider` and `key`.
    package init?(_ node: JSONNode) {
        guard let issuer = (node["issuer"] ?? node["identityProvider"])?.string,
            let id = (node["issuerUserId"] ?? node["key"])?.string
        else { return nil }
        self.init(issuer: issuer, issuerUserID: id)
    }
}
