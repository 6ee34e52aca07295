package import SusiPolicies
internal import SusiSQLite

/// The selection and the order of a list of accounts.
package struct AccountListing: Hashable, Sendable {
    /// The only policy of the list; `nil` means every policy.
    package var policy: PolicyName?
    /// Policies whose accounts are left out.
    package var hidden: Set<PolicyName>
    /// A text that an address, a user name or a name contains, or that an identifier begins with; case does not matter.
    package var filter: String?
    /// The policies whose current accounts come first, in this order, followed by the current ones of other policies. With
    /// `nil`, current accounts are sorted like all others.
    package var currentFirst: [PolicyName]?
    /// Whether guests are left out: accounts whose home account is in another tenant.
    package var leavesOutGuests: Bool
    /// The maximum number of accounts; `nil` means no limit.
    package var limit: Int?

    package init(
        policy: PolicyName? = nil, hidden: Set<PolicyName> = [], filter: String? = nil,
        currentFirst: [PolicyName]? = nil, leavesOutGuests: Bool = false, limit: Int? = nil
    ) {
        self.policy = policy
        self.hidden = hidden
        self.filter = filter
        self.currentFirst = currentFirst
        self.leavesOutGuests = leavesOutGuests
        self.limit = limit
    }
}

extension AccountStore {
    /// The number of accounts in memory at a time.
    static let pageSize = 64

    /// Passes each account of a list in an application's scopes to `each` once, sorted by label, then policy, unless the
    /// current ones come first.
    ///
    /// Reads one page of accounts at a time, without sorting. No transaction is open while `each` runs, so that a slow
    /// `each` delays no other process. A page is one state of the file, but the whole list is not: an account whose label
    /// changes meanwhile may come twice or not at all. All scopes have the same client ID. An account that cannot be
    /// decrypted comes with its `damage`. Errors of `each` end the list and are rethrown.
    package func accounts(
        _ listing: AccountListing, of scopes: Set<ApplicationScope>, each: (StoredAccount) throws -> Void
    ) throws {
        do {
            let filter = listing.filter.map(AccountQuery.values(ofFilter:)) ?? []
            let (reach, first, start) = try database.read {
                let reach = try self.reach(of: scopes)
                let lists = reach.isEmpty ? [] : try self.lists(of: reach, listing.policy, without: listing.hidden)
                let first = reach.isEmpty ? [] : try currents(of: reach, listing, filter)
                let walk = AccountWalk(
                    lists.map { $0.values(reach) }, filter: filter, withoutGuests: listing.leavesOutGuests)
                return (reach, first, walk)
            }
            var rest = listing.limit ?? .max
            let current = try database.read { try first.prefix(rest).compactMap { try account(row: $0, reach) } }
            for account in current { try each(account) }
            rest -= current.count
            var walk = start
            let shown = Set(first)
            while rest > 0, !walk.isAtEnd {
                let page = try database.read {
                    try walk.next(min(rest, Self.pageSize), database).filter { !shown.contains($0) }
                        .compactMap { try account(row: $0, reach) }
                }
                for account in page { try each(account) }
                rest -= page.count
            }
        } catch let error as SQLiteError {
            throw StoreError(error, database: folder.database)
        }
    }

    /// Returns the row ids of the current accounts that come first in a list.
    private func currents(of reach: ScopeRowIDs, _ listing: AccountListing, _ filter: [Value]) throws -> [Int64] {
        guard let order = listing.currentFirst else { return [] }
        let sql = AccountQuery.currents(
            reach, onePolicy: listing.policy != nil, filtered: !filter.isEmpty, withoutGuests: listing.leavesOutGuests)
        let rows = try database.rows(sql, reach.values(listing.policy) + filter) { row in
            (id: try row.integer("id"), policy: PolicyName(try row.text("policy_key")))
        }
        let places = Dictionary(zip(order, 0...)) { first, _ in first }
        let sorted = rows.filter { !listing.hidden.contains($0.policy) }.sorted {
            (places[$0.policy] ?? .max, $0.policy.lowercased, $0.id)
                < (places[$1.policy] ?? .max, $1.policy.lowercased, $1.id)
        }
        // An account may be the current one under several names of its tenant.
        var seen: Set<Int64> = []
        return sorted.map(\.id).filter { seen.insert($0).inserted }
    }
}
