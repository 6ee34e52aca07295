public import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// The accounts that a person means by `text`, without regard to case: a whole address, user
    /// name, name or identifier; when
    /// nothing is exactly that, the beginning (four characters or more) of a subject or of a home account id.
    public func find(
        _ text: String, in scopes: Set<ApplicationScope>, policy: PolicyName?
    ) throws(StoreError) -> [StoredAccount] {
        let wanted = text.lowercased()
        guard !wanted.isEmpty else { return [] }
        return try guarded {
            try database.read {
                let reach = try reach(of: scopes)
                if reach.isEmpty { return [] }
                var exact: [Int64] = []
                var beginning: [Int64] = []
                // In Swift, since SQLite folds the case of ASCII letters only.
                try database.forEach(AccountQuery.candidates(reach, onePolicy: policy != nil), reach.values(policy)) {
                    row in
                    let emails = try self.emails(try row.text(3))
                    let identifiers = [try row.text(1), "\(try row.text(4)).\(try row.text(5))"].map { $0.lowercased() }
                    let names = (emails + [try row.optionalText(2), try row.optionalText(6)].compactMap(\.self)).map {
                        $0.lowercased()
                    }
                    if (names + identifiers).contains(wanted) { exact.append(try row.integer(0)) }
                    if wanted.count >= 4, identifiers.contains(where: { $0.hasPrefix(wanted) }) {
                        beginning.append(try row.integer(0))
                    }
                }
                return try (exact.isEmpty ? beginning : exact).compactMap { id in
                    try database.first(AccountQuery.byID(reach), [.integer(id)]) { row in
                        try self.account(row, throwingDamage: false)
                    }
                }
            }
        }
    }
}
