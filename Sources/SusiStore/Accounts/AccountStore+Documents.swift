import SusiBase
internal import SusiOAuth
internal import SusiSQLite

extension AccountStore {
    /// Returns the stored document of an address with the time of its fetch in seconds since 1970; `nil` if there is none.
    package func document(at address: String) throws(StoreError) -> (body: [UInt8], fetchedOn: Int64)? {
        try guarded {
            try database.first("SELECT body, fetched_on FROM documents WHERE address = ?", [.text(address)]) { row in
                (body: try row.blob("body"), fetchedOn: EpochTime.clamped(try row.integer("fetched_on")))
            }
        }
    }

    /// Stores a document, replaces an earlier one, and removes all that were fetched more than `lifetime` seconds before it.
    package func keepDocument(
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
