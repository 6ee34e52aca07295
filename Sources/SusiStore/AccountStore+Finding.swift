internal import SusiOAuth
public import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// The largest number of accounts that ``find(_:in:policy:)`` gives: who sees so many has to say more.
    public static let mostFound = 100

    /// How many labels ``labels(near:in:policy:)`` looks at, at most so many before the text and so many from it on.
    static let mostLabels = 100

    /// How a text has to match.
    public enum Matching: Sendable {
        /// As people type it: a whole name first, else its beginning.
        case typed
        /// As it was stored: a whole name only.
        case exactly
    }

    /// The accounts that `text` means, without regard to case: a whole address, user name or identifier; if nothing is
    /// exactly that, a whole name; else, of what is typed, the beginning of an address, a user name or a name, or four
    /// characters or more from the beginning of a subject or of a home account id. They come in the order of label, then
    /// policy.
    ///
    /// A display name that holds an “@” never counts, because it could be taken for an address.
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

    /// The row ids of what a folded text means.
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
            // Fewer than four letters are meant as a name, not as the start of an identifier.
            let identifiers = wanted.count < 4 ? [] : [found(.identifier, .beginning), home(.beginning)]
            steps.append((.beginning, [found(.address, .beginning), found(.name, .beginning)] + identifiers))
        }
        for (match, queries) in steps {
            let values = match.values(wanted) + reach.values(policy) + [.int(Self.mostFound)]
            let rows = try queries.flatMap { sql in try database.rows(sql, values) { row in try row.integer(0) } }
            if !rows.isEmpty { return Array(Set(rows).sorted().prefix(Self.mostFound)) }
        }
        return []
    }

    /// The labels that stand near a text in the alphabet: what begins with it, and what it may be a misspelling of. Of more
    /// than two hundred accounts not all are looked at, so that a typing error in the first letters may find nothing.
    /// Policies in `hidden` are left out.
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
                        try database.rows(sql, list.values(reach) + [.text(text), .int(count)]) { try $0.text(0) }
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
