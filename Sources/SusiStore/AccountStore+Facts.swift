internal import SusiSQLite

/// Facts about a store that need no key.
public struct StoreFacts: Hashable, Sendable {
    /// The number of the newest step of its schema.
    public let schema: Int64
    /// How many accounts it has, of all applications.
    public let accounts: Int
    /// How many imported tokens wait in it.
    public let imported: Int
    /// The size of the database's file in bytes, without its log.
    public let size: Int64
}

extension AccountStore {
    /// Counts the rows. It needs no key.
    public func facts() throws(StoreError) -> StoreFacts {
        try guarded {
            try database.read {
                let number = { (sql: String) in try self.database.first(sql) { row in try row.integer(0) } ?? 0 }
                return StoreFacts(
                    schema: try number("PRAGMA user_version"),
                    accounts: Int(try number("SELECT count(*) FROM accounts")),
                    imported: Int(try number("SELECT count(*) FROM imported")),
                    size: try number("PRAGMA page_count") * number("PRAGMA page_size"))
            }
        }
    }
}
