internal import SusiOAuth
public import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// The maximum number of accounts that ``find(_:in:policy:matching:)`` returns; with so many, the text has to be longer.
    public static let mostFound = 100

    /// The maximum number of labels that ``labels(near:in:policy:hidden:)`` reads on each side of the text.
    static let mostLabels = 100

    /// How a text has to match.
    public enum Matching: Sendable {
        /// A typed text: a whole name first, else its beginning.
        case typed
        /// A stored text: only a whole name.
        case exactly
    }

    /// Returns the accounts that `text` means, sorted by label, then policy. The comparison ignores case.
    ///
    /// The text is compared with whole addresses, user names and identifiers; if none matches, with whole names; else, if it
    /// was typed, with the beginning of addresses, user names and names, and from four characters on, with the beginning of
    /// subjects and home account ids.
    ///
    /// Display names with an “@” are ignored, because they could be mistaken for an address.
    public func find(
        _ text: String, in scopes: Set<ApplicationScope>, policy: PolicyName?, matching: Matching = .typed
    ) throws(StoreError) -> [StoredAccount] {
        let wanted = SearchTerms.folded(text)
        guard !wanted.isEmpty else { return [] }
        return try guarded {
            try database.read {
                let reach = try reach(of: scopes)
                if reach.isEmpty { return [] }
                let rows = try rows(of: wanted, matching: matching, in: reach, policy: policy)
                let accounts = try rows.compactMap { try account(row: $0, reach) }
                return accounts.sorted { $0.place.lexicographicallyPrecedes($1.place) }
            }
        }
    }

    /// Returns the row ids of the accounts that a folded text means.
    private func rows(
        of wanted: String, matching: Matching, in reach: ScopeRowIDs, policy: PolicyName?
    ) throws -> [Int64] {
        let one = policy != nil
        let found = { kind, match in AccountQuery.found(kind, match, in: reach, onePolicy: one) }
        let home = { match in AccountQuery.home(match, in: reach, onePolicy: one) }
        var steps: [(match: AccountQuery.Match, queries: [String])] = [
            (.whole, [found(.identifier, .whole), found(.address, .whole), home(.whole)]),
            (.whole, [found(.name, .whole)]),
        ]
        if matching == .typed {
            // Fewer than four letters are the start of a name, not of an identifier.
            let identifiers = wanted.count < 4 ? [] : [found(.identifier, .beginning), home(.beginning)]
            steps.append((.beginning, [found(.address, .beginning), found(.name, .beginning)] + identifiers))
        }
        for (match, queries) in steps {
            let values = match.values(wanted) + reach.values(policy) + [.int(Self.mostFound)]
            let rows = try queries.flatMap { try database.integers($0, values) }
            if !rows.isEmpty { return Array(Set(rows).sorted().prefix(Self.mostFound)) }
        }
        return []
    }

    /// Returns the labels near a text in the alphabet: those that begin with it, and those that it may be a misspelling of.
    /// If there are more than two hundred accounts, not all are read, so that a typing error in the first letters may find
    /// nothing. Policies in `hidden` are left out.
    public func labels(
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

extension StoredAccount {
    fileprivate var place: [String] {
        [label.lowercased(), account.person.subject, account.policy.lowercased]
    }
}
