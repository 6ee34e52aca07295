internal import SusiOAuth
package import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// The maximum number of accounts that ``find(_:in:policy:matching:)`` returns; with so many, the text has to be longer.
    package static let mostFound = 100

    /// The maximum number of labels that ``labels(near:in:policy:hidden:)`` reads on each side of the text.
    static let mostLabels = 100

    package enum Matching: Sendable {
        /// The whole address, user name or identifier.
        case exactly
        /// A whole display name; else the beginning of an address, a user name or a name, or four or more characters at the
        /// beginning of a GUID. A complete name (an address, an identifier) is no beginning and matches nothing.
        case beginning
    }

    /// Returns the accounts that `text` means, sorted by label, then policy. The comparison ignores case.
    ///
    /// An identifier goes before an address or a user name with the same text, and a text that looks like an identifier is
    /// compared with identifiers alone: people choose display names, and often user names, themselves.
    package func find(
        _ text: String, in scopes: Set<ApplicationScope>, policy: PolicyName?, matching: Matching
    ) throws(StoreError) -> [StoredAccount] {
        let wanted = SearchTerms.folded(text)
        guard !wanted.isEmpty else { return [] }
        return try guarded {
            try database.read {
                let reach = try reach(of: scopes)
                if reach.isEmpty { return [] }
                let names = NameSearch(wanted: wanted, reach: reach, policy: policy, database: database)
                let rows = try matching == .exactly ? names.whole() : names.beginning()
                let accounts = try rows.compactMap { try account(row: $0, reach) }
                return accounts.sorted { $0.place.lexicographicallyPrecedes($1.place) }
            }
        }
    }

    /// Returns the labels near a text in the alphabet: those that begin with it, and those that it may be a misspelling of.
    /// If there are more than two hundred accounts, not all are read, so that a typing error in the first letters may find
    /// nothing. Policies in `hidden` are left out.
    package func labels(
        near text: String, in scopes: Set<ApplicationScope>, policy: PolicyName?, hidden: Set<PolicyName> = []
    ) throws(StoreError) -> [String] {
        try guarded {
            try database.read {
                let reach = try reach(of: scopes)
                if reach.isEmpty { return [] }
                let lists = try self.lists(of: reach, policy, without: hidden)
                let count = max(1, Self.mostLabels / max(1, lists.count))
                let labels = try lists.flatMap { list in
                    try [AccountQuery.labelsFrom, AccountQuery.labelsBefore].flatMap { sql in
                        try database.texts(sql, list.values(reach) + [.text(text), .int(count)])
                    }
                }
                return Set(labels).sorted()
            }
        }
    }
}

/// A search for accounts by a folded name. Each step is tried only if the one before it found nothing.
private struct NameSearch {
    let wanted: String
    let reach: ScopeRowIDs
    let policy: PolicyName?
    let database: Connection

    /// Returns the row ids of the accounts with that identifier, else with that address or user name.
    func whole() throws -> [Int64] {
        let identified = try rows(.whole, [found(.identifier, .whole), handle(.whole)])
        guard identified.isEmpty, !wanted.looksLikeIdentifier else { return identified }
        return try rows(.whole, [found(.address, .whole)])
    }

    /// Returns the row ids of the accounts with that display name, else of those whose names or identifiers begin with it.
    func beginning() throws -> [Int64] {
        if wanted.isCompleteName { return [] }
        if wanted.looksLikeIdentifier { return try rows(.beginning, identifiers) }
        let named = try rows(.whole, [found(.name, .whole)])
        guard named.isEmpty else { return named }
        return try rows(.beginning, [found(.address, .beginning), found(.name, .beginning)] + identifiers)
    }

    // Fewer than four letters are the start of a name, not of an identifier.
    private var identifiers: [String] {
        let mayBegin = wanted.utf8.count > 3 && wanted.mayBeginGUID
        return mayBegin ? [found(.identifier, .beginningOfGUID), handle(.beginningOfGUID)] : []
    }

    private func found(_ kind: SearchTerms.Kind, _ match: AccountQuery.Match) -> String {
        AccountQuery.found(kind, match, in: reach, onePolicy: policy != nil)
    }

    private func handle(_ match: AccountQuery.Match) -> String {
        AccountQuery.home(match, in: reach, onePolicy: policy != nil)
    }

    private func rows(_ match: AccountQuery.Match, _ queries: [String]) throws -> [Int64] {
        let values = match.values(wanted) + reach.values(policy) + [.int(AccountStore.mostFound)]
        let rows = try queries.flatMap { try database.integers($0, values) }
        return Array(Set(rows).sorted().prefix(AccountStore.mostFound))
    }
}

extension StoredAccount {
    /// The values that lists of accounts are sorted by.
    var place: [String] {
        [label.lowercased(), account.person.subject, account.policy.lowercased]
    }
}
