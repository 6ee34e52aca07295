package import SusiPolicies

/// What a copy of accounts between two stores did.
package struct AccountCopy: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        case added
        /// Something was newer than in the other store.
        case updated
        /// Nothing was newer than in the other store.
        case unchanged
    }

    package struct Entry: Hashable, Sendable {
        package let label: String
        package let policy: PolicyName
        package let outcome: Outcome
    }

    package internal(set) var entries: [Entry] = []
    package internal(set) var tokens = 0
    /// The number of policies that got a current account.
    package internal(set) var current = 0
    /// What was left out, with the reason.
    package internal(set) var leftOut: [String] = []

    package func count(_ outcome: Outcome) -> Int { entries.count { $0.outcome == outcome } }
}
