/// A rule that an API applies to a token, with its result.
package struct APIRule: Hashable, Sendable {
    /// The rules, in the order in which they are shown.
    package enum Name: String, CaseIterable, Sendable {
        case form, metadata, key, signature, time, issuer, audience, claims, scope, policy
    }

    package enum Outcome: Hashable, Sendable {
        case met
        /// The API refuses the token for this; `change` tells what to change, and where.
        case broken(APIRefusal, change: String)
        /// The rule was not checked, or the API does not apply it.
        case open
    }

    package let name: Name
    /// What was found, and what is expected.
    package let detail: String
    package let outcome: Outcome

    package var refusal: APIRefusal? { if case .broken(let refusal, _) = outcome { refusal } else { nil } }
}

/// How an API refuses a token.
package struct APIRefusal: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The error code in the API's log, or the text of its response; empty if it gives none.
    package let code: String
}

/// What an API does with a token.
package struct APIVerdict: Sendable {
    package let rules: [APIRule]
    /// The refusal that the API responds with: that of the first broken rule in its own order; `nil` if no rule is broken.
    package let refusal: APIRefusal?
    /// Whether every rule was checked, also those that need the authority.
    package let isComplete: Bool
    /// Why the API's metadata could not be read here, if that is a matter of this machine's network.
    package let failure: SusiError?

    package var isAccepted: Bool { refusal == nil && isComplete }
}
