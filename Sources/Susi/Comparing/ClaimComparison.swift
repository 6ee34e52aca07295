import SusiOAuth
package import SusiPolicies

/// A claim or header field of two tokens.
package struct ClaimComparison: Hashable, Sendable {
    /// What a claim is about.
    package enum Group: String, CaseIterable, Sendable {
        /// The person, and who issued the token.
        case who
        /// What the person may do, and the attributes of the person.
        case what
        /// Times.
        case when
        /// The token itself, and whom it is for.
        case token
    }

    /// How the two values relate.
    package enum State: String, CaseIterable, Sendable {
        case same
        /// Both tokens have the claim, with different values.
        case changed
        /// The second token does not have the claim.
        case onlyFirst
        /// The first token does not have the claim.
        case onlySecond
    }

    package let name: String
    package let isHeader: Bool
    /// The value in the first token.
    package let first: JSONNode?
    /// The value in the second token.
    package let second: JSONNode?

    /// How the two values relate. The order does not matter: of an object's members, in a list, and of scopes.
    package var state: State {
        switch (first, second) {
        case (let first?, let second?): Self.areSame(first, second, as: name) ? .same : .changed
        case (_, nil): .onlyFirst
        case (nil, _): .onlySecond
        }
    }

    package var group: Group { isHeader ? .token : Self.group(of: name) }

    /// Whether tokens with different values differ. Times and random values are different in every token, and signing keys
    /// are replaced from time to time.
    package var counts: Bool { group != .when && !Self.changingNames.contains(name) }

    /// Returns the fields of two objects, sorted by name.
    static func rows(_ first: JSONNode, _ second: JSONNode, isHeader: Bool = false) -> [ClaimComparison] {
        Set((first.members + second.members).map(\.name)).sorted().map { name in
            let value = { (node: JSONNode) in node.members.first { $0.name == name }?.node }
            return ClaimComparison(name: name, isHeader: isHeader, first: value(first), second: value(second))
        }
    }
}

extension ClaimComparison {
    static func areSame(_ first: JSONNode, _ second: JSONNode, as name: String) -> Bool {
        if ["scp", "scope"].contains(name), let scopes = first.string, let others = second.string {
            return ScopeSet(text: scopes) == ScopeSet(text: others)
        }
        return first.sortedText == second.sortedText
    }

    /// Returns the group of a claim: times and the names below; every other claim is an attribute or a permission.
    static func group(of name: String) -> Group {
        if ClaimMeaning.row(name)?.isTime ?? false { return .when }
        if personNames.contains(name) { return .who }
        return tokenNames.contains(name) || name.hasPrefix("xms_") ? .token : .what
    }

    /// Claims about the person and the issuer (OpenID Connect Core 5.1; Microsoft's ID token claims reference).
    private static let personNames: Set = [
        "acct", "email", "email_verified", "emails", "family_name", "given_name", "idp", "isForgotPassword", "iss",
        "mail",
        "middle_name", "name", "newUser", "nickname", "oid", "phone_number", "phone_number_verified",
        "preferred_username",
        "sub", "tid", "unique_name", "upn",
    ]

    /// Claims about the token (RFC 7519 4.1; RFC 9068 2.2; Microsoft's access token claims reference).
    private static let tokenNames: Set<String> = changingNames.union([
        "acr", "acrs", "amr", "appid", "appidacr", "aud", "azp", "azpacr", "client_id", "tfp", "typ", "ver",
    ])

    // Different in every token, session or key.
    private static let changingNames: Set = [
        "aio", "at_hash", "c_hash", "correlationId", "jti", "kid", "nonce", "rh", "s_hash", "sid", "uti", "x5t",
        "x5t#S256",
    ]
}

extension JSONNode {
    /// The value as JSON with sorted members and elements.
    fileprivate var sortedText: String {
        switch value {
        case .object(let members):
            JSONText.object(members.sorted { $0.name < $1.name }.map { ($0.name, $0.node.sortedText) })
        case .array(let nodes): "[\(nodes.map(\.sortedText).sorted().joined(separator: ","))]"
        default: JSONText.compact(self)
        }
    }
}
