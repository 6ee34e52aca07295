internal import SusiOAuth
internal import SusiSQLite

extension AccountStore {
    /// The document that was fetched from an address, with the time in seconds since 1970; nil when none is kept.
    public func document(at address: String) throws(StoreError) -> (body: [UInt8], fetchedOn: Int64)? {
        try guarded {
            try database.first("SELECT body, fetched_on FROM documents WHERE address = ?", [.text(address)]) { row in
                (body: try row.blob("body"), fetchedOn: EpochTime.clamped(try row.integer("fetched_on")))
            }
        }
    }

    /// Keeps a document in the place of an earlier one, and forgets all that came more than `lifetime` seconds before it.
    public func keepDocument(
        _ body: [UInt8], at address: String, fetchedOn: Int64, lifetime: Int64
    ) throws(StoreError) {
        try write {
            try database.execute("DELETE FROM documents WHERE fetched_on < ?", [.integer(fetchedOn - lifetime)])
            try upsert(
                "documents", key: ["address"],
                ["address": .text(address), "body": .blob(body), "fetched_on": .integer(fetchedOn)])
        }
    }
}
