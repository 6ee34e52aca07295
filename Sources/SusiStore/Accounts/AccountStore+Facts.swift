internal import SusiSQLite

/// Facts about a store that need no key.
package struct StoreFacts: Hashable, Sendable {
    package let schema: Int64
    /// The number of accounts of all applications.
    package let accounts: Int
    /// Whether the store is shared: everything in it belongs to one person.
    package let isShared: Bool
    /// The size of the database file in bytes, without its log.
    package let size: Int64
}

extension AccountStore {
    /// Counts the rows. It needs no key.
    package func facts() throws(StoreError) -> StoreFacts {
        try guarded {
            try database.read {
                StoreFacts(
                    schema: Schema.version, accounts: try database.count("accounts"),
                    isShared: try isShared(),
                    size: try (database.integer("PRAGMA page_count") ?? 0)
                        * (database.integer("PRAGMA page_size") ?? 0))
            }
        }
    }
}
