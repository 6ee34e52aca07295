import SusiBase
internal import SusiPolicies
internal import SusiSQLite
internal import SystemPackage

/// The result of a check of the whole store, which changes nothing.
package struct StoreCheck: Sendable {
    package struct Finding: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            /// A table or index that differs from the one that susi creates.
            case schema
            /// Pages, rows and indexes, as SQLite's own check reports them.
            case structure
            /// Rows that refer to missing rows.
            case reference
            /// Values that cannot be decrypted.
            case seal
        }

        package let kind: Kind
        /// What is wrong: one clause without a full stop.
        package let what: String
    }

    package private(set) var accounts = 0
    /// The number of intact accounts: claims and tokens can be decrypted.
    package private(set) var goodAccounts = 0
    package private(set) var persons = 0
    package private(set) var tokens = 0
    package private(set) var findings: [Finding] = []
    /// Damaged files that an earlier repair kept; they still hold encrypted tokens.
    package private(set) var keptAside: [String] = []
    /// Why nothing can be decrypted: the key is missing, invalid, locked, or another store's.
    package private(set) var keyError: StoreError?

    package var isGood: Bool { findings.isEmpty && keyError == nil }
    /// Whether `StoreRepair` can fix any of the problems.
    package var isRepairable: Bool { !findings.isEmpty }

    private mutating func add(_ kind: Finding.Kind, _ what: String) { findings.append(Finding(kind: kind, what: what)) }

    /// Checks the store of a folder: schema, pages, references, encryption. It writes only SQLite's shared memory. What comes after
    /// a part that SQLite cannot read is not checked.
    ///
    /// `key` is one that the caller unlocked. Throws `.missing` without a store, and other errors if it may not be opened: a link,
    /// other users' access, another schema, another program's database.
    package static func run(
        _ folder: StoreFolder, key: SealingKey? = nil, busyTimeout: Int32 = 5_000
    ) throws(StoreError) -> StoreCheck {
        try folder.check()
        var check = StoreCheck()
        check.keptAside = folder.damagedFiles.map(\.string)
        if StoreRepair.finished(in: folder) != nil {
            check.add(.structure, "a repair was interrupted; the damaged file is still in place")
        }
        try AccountStore.guarded(folder) {
            do {
                let database = try AccountStore.connect(folder, busyTimeout, mode: .readOnly)
                guard try Schema.isPresent(in: database, of: folder) else {
                    throw StoreError(.noStore, folder.database)
                }
                try database.read { try check.read(database, KeyFiles(folder: folder, given: key)) }
            } catch let error as SQLiteError where error.isDamage {
                check.add(.structure, "SQLite cannot read everything: \(error.message)")
            }
        }
        return check
    }

    private mutating func read(_ database: Connection, _ keys: KeyFiles) throws {
        let ours = try Connection(path: ":memory:")
        try Schema.create(in: ours)
        let (expected, found) = (try Self.schema(of: ours), try Self.schema(of: database))
        for name in Set(expected.keys).union(found.keys).sorted() where expected[name] != found[name] {
            add(.schema, "\(name) differs from the schema that susi creates")
        }
        try database.forEach("PRAGMA integrity_check(100)") { row in
            let text = try row.text(0)
            // Before several lines, one may only name the database.
            let lines = text.split(separator: "\n")
            for line in lines.count > 1 ? lines.filter({ !$0.hasPrefix("***") }) : lines where line != "ok" {
                add(.structure, "SQLite reports: \(line)")
            }
        }
        let broken = "SELECT \"table\", count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1"
        try database.forEach(broken) { row in
            add(.reference, "rows of \(try row.text("table")) that refer to missing rows: \(try row.integer("rows"))")
        }
        (persons, accounts) = (try database.count("persons"), try database.count("accounts"))
        tokens = try database.count("tokens")
        do {
            if let seal = try keys.seal(of: database) { try open(SealedRows(database: database, seal: seal)) }
        } catch let error as StoreError { keyError = error }
    }

    /// Every table, index and trigger with its SQL.
    private static func schema(of database: Connection) throws -> [String: String] {
        let rows = try database.rows("SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema") { row in
            ("\(try row.text("type")) \(try row.text("name"))", try row.text("sql"))
        }
        return Dictionary(rows) { first, _ in first }
    }

    private mutating func open(_ rows: SealedRows) throws {
        var damaged: Set<Int64> = []
        for table in SealedValue.Table.ofAccounts {
            var count = 0
            try rows.forEach([table]) { value in
                if value.text != nil { return }
                count += 1
                damaged.insert(value.account)
            }
            if count > 0 { add(.seal, "\(table.rawValue) that cannot be decrypted: \(count)") }
        }
        goodAccounts = accounts - damaged.count
    }
}
