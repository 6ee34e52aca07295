package import Susi

/// A rule that an API applies to a token, with its result.
package struct APIRule: Hashable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case form, metadata, key, signature, time, issuer, audience, claims, scope

        /// The codes by which the logs of APIs with Microsoft's libraries name this rule.
        package var codes: [String] {
            switch self {
            case .form: ["IDX14100"]
            case .metadata: ["IDX20803"]
            case .key: ["IDX10501", "IDX10503"]
            case .signature: ["IDX10504", "IDX10511"]
            case .time: ["IDX10222", "IDX10223", "IDX10225"]
            case .issuer: ["IDX10205", "IDX40001"]
            case .audience: ["IDX10214"]
            case .scope: ["IDW10201", "IDW10203"]
            case .claims: []
            }
        }
    }

    package enum Outcome: String, CaseIterable, Sendable {
        case met
        /// The API refuses the token for this.
        case broken
        /// The rule was not checked, or the API does not apply it to every request.
        case open
    }

    /// A change after which the rule is met.
    package struct Change: Hashable, Sendable {
        package enum Place: String, CaseIterable, Sendable { case api, tenant, client }

        package let place: Place
        package let text: String
    }

    package let name: Name
    package let outcome: Outcome
    /// The value in the token, or what was read from the authority.
    package let found: String
    /// The value that the API accepts; `nil` if that is the one found, or any.
    package let wanted: String?
    /// The possible changes; one of them is enough.
    package let changes: [Change]

    init(_ name: Name, _ outcome: Outcome, _ found: String, wanted: String? = nil, _ changes: [Change?] = []) {
        (self.name, self.outcome, self.found, self.wanted) = (name, outcome, found, wanted)
        self.changes = changes.compactMap(\.self)
    }
}

/// What an API does with a token.
package struct APIVerdict: Sendable {
    /// Each rule, with its result.
    package let rules: [APIRule]
    /// Why the API's metadata could not be read here, if that is a matter of this machine's network.
    package let failure: SusiError?

    package var isRefused: Bool { rules.contains { $0.outcome == .broken } }
    /// Whether the rules that need the authority were checked too.
    package var isComplete: Bool { !rules.contains { $0.name == .metadata && $0.outcome == .open } }
    package var isAccepted: Bool { !isRefused && isComplete }
}
