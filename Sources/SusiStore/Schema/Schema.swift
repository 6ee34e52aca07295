import SusiSQLite

/// The tables of the store, as `schema.sql` creates them. The header of a file tells whether it has them.
enum Schema {
    /// `susi` in ASCII: `file` and SQLite's own tools show it.
    static let applicationID: Int64 = 0x7375_7369
    /// The version of the first release. Stores before it are refused.
    private static let first: Int64 = 14
    /// The version of `schema.sql`.
    static var version: Int64 { first + Int64(steps.count) }

    /// What makes a store of each version, from the first release on, one of the next: SQL. A change of `schema.sql` adds a
    /// step with the same effect; a published one never changes.
    static let steps: [String] = []

    /// Takes the steps that a file of an earlier version lacks, all or none.
    static func takeSteps(_ steps: [String], in database: Connection) throws {
        let missing = {
            let id = try database.integer("PRAGMA application_id") ?? 0
            let taken = (try database.integer("PRAGMA user_version") ?? 0) - first
            return id == applicationID && taken >= 0 ? steps.dropFirst(Int(taken)) : []
        }
        guard try !database.read(missing).isEmpty else { return }
        try database.write {
            // Another process may have taken them while this one waited.
            guard case let left = try missing(), !left.isEmpty else { return }
            for step in left { try database.executeScript(step) }
            try database.execute("PRAGMA user_version = \(first + Int64(steps.count))")
        }
    }

    /// Returns whether the file has the schema; `false` for an empty file. Throws if another version or another program wrote it.
    static func isPresent(in database: Connection, of folder: StoreFolder) throws -> Bool {
        // One transaction, because another process may be creating the schema at this moment.
        try database.read {
            let id = try database.integer("PRAGMA application_id") ?? 0
            let version = try database.integer("PRAGMA user_version") ?? 0
            if id == applicationID && version == Self.version { return true }
            if try id == 0 && version == 0 && database.count("sqlite_schema") == 0 { return false }
            // Otherwise, closing the connection would write the log into the refused file.
            try database.keepWALOnClose()
            throw id == applicationID
                ? StoreError(.otherSchema(version, expected: Self.version), folder.database)
                : StoreError(.otherProgram, folder.database)
        }
    }

    /// Prepares a file for writing: turns its log on, and creates the schema if the file is empty.
    static func prepare(_ database: Connection, of folder: StoreFolder) throws {
        let isThere = try isPresent(in: database, of: folder)
        // A restored copy has no log yet.
        try useLog(database)
        if isThere { return }
        try database.write {
            if try !isPresent(in: database, of: folder) { try create(in: database) }
        }
    }

    /// Creates the schema in an empty file; the caller has a transaction open.
    static func create(in database: Connection) throws {
        // The SQL is loaded here: every command opens a store, and few create one.
        try database.executeScript(String(decoding: PackageResources.schema_sql, as: UTF8.self))
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Turns the write-ahead log on; the file records that. It is not possible inside a transaction, and SQLite does not wait
    /// for other processes there, so an empty transaction waits for them.
    private static func useLog(_ database: Connection) throws {
        for attempt in 1... {
            do {
                return try database.set("journal_mode = WAL")
            } catch let error as SQLiteError where error.code == .busy && attempt < 100 {
                try database.write {}
            }
        }
    }
}
