import FoundationEssentials
import SusiOAuth
package import SusiPolicies
internal import SusiSQLite
internal import SystemPackage

/// The result of a check of the whole store, which changes nothing.
package struct StoreCheck: Hashable, Sendable {
    package struct Finding: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            /// A file's mode, owner or kind.
            case file
            /// The key is missing or invalid.
            case key
            /// The schema's version, or a table that differs from the one that susi creates.
            case schema
            /// Pages, rows and indexes, as SQLite's own check reports them.
            case structure
            /// A row that refers to a missing row.
            case reference
            /// A time that is out of range.
            case time
            /// A value that cannot be decrypted.
            case seal
            /// A person without an account.
            case person
        }

        package let kind: Kind
        /// What is wrong: one clause without a full stop.
        package let what: String
        /// What to do if a repair does not help.
        package let next: NextStep?

        init(_ kind: Kind, _ what: String, next: NextStep? = nil) {
            self.kind = kind
            self.what = what
            self.next = next
        }
    }

    /// The schema of the file; nil when it cannot be read.
    package internal(set) var schema: Int64?
    /// The number of accounts that can be read.
    package internal(set) var accounts = 0
    /// The number of intact accounts: claims and tokens can be decrypted.
    package internal(set) var goodAccounts = 0
    package internal(set) var persons = 0
    package internal(set) var tokens = 0
    /// The first problems.
    package internal(set) var findings: [Finding] = []
    package internal(set) var findingCount = 0
    /// Damaged files that an earlier repair kept; they still hold encrypted tokens.
    package internal(set) var keptAside: [String] = []

    package var isGood: Bool { findingCount == 0 }
    /// Whether `StoreRepair` can fix any of the problems.
    package var isRepairable: Bool { kinds.contains { ![.file, .key].contains($0) } }
    private var kinds: Set<Finding.Kind> = []

    private static let most = 1_000

    mutating func add(_ finding: Finding) {
        findingCount += 1
        kinds.insert(finding.kind)
        if findings.count < Self.most { findings.append(finding) }
    }

    /// Checks the store of a folder: files, schema, pages, references, times, encryption. It writes only SQLite's shared
    /// memory, and holds one row at a time in memory.
    ///
    /// `key` is one that the caller unlocked. Throws `.missing` without a store, and other errors if it cannot be opened at
    /// all: a link, a newer schema, another program's database.
    package static func run(
        _ folder: StoreFolder, key: SealingKey? = nil, busyTimeout: Int32 = 5_000
    ) throws(StoreError) -> StoreCheck {
        var check = StoreCheck()
        try check.checkFiles(folder)
        check.keptAside = folder.damagedFiles.map(\.string)
        if StoreRepair.finished(in: folder) != nil {
            check.add(Finding(.structure, "a repair was interrupted; the damaged file is still in place"))
        }
        do {
            let database = try AccountStore.connect(folder, busyTimeout, mode: .readOnly)
            try check.checkDatabase(database, KeyFiles(folder: folder, given: key))
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteError {
            let error = StoreError(error, database: folder.database)
            guard error.kind == .damaged else { throw error }
            check.add(Finding(.structure, "\(folder.database) cannot be read: \(error.why)"))
        } catch {
            throw StoreError(
                error as? Errno ?? .ioError, path: folder.database, what: "the store cannot be checked")
        }
        return check
    }

    private mutating func checkFiles(_ folder: StoreFolder) throws(StoreError) {
        var there = false
        do { there = try folder.isThere(folder.database, as: .file) } catch {
            guard error.kind == .unsafePermissions else { throw error }
            there = true
        }
        guard there else { throw StoreError.noStore(folder) }
        do { try folder.check() } catch {
            guard error.kind == .unsafePermissions else { throw error }
            add(Finding(.file, error.why, next: error.nextStep))
        }
    }

    private mutating func checkDatabase(_ database: Connection, _ keys: KeyFiles) throws {
        guard let version = try Migrations.ours.version(of: database, in: keys.folder) else {
            throw StoreError.noStore(keys.folder)
        }
        schema = version
        try database.read {
            try checkSchema(of: database, version)
            checkPages(database)
            checkReferences(database)
            checkTimes(database)
            try checkEncryption(database, keys)
        }
    }

    private mutating func checkSchema(of database: Connection, _ version: Int64) throws {
        let ours = try Connection(path: ":memory:")
        try Migrations.ours.make(version, in: ours)
        let (expected, found) = (try Self.schema(of: ours), try Self.schema(of: database))
        for name in expected.keys.sorted() where found[name] != expected[name] {
            add(Finding(.schema, "\(name) is \(found[name] == nil ? "missing" : "not as susi creates it")"))
        }
        for name in found.keys.sorted() where expected[name] == nil {
            add(Finding(.schema, "\(name) does not belong to susi"))
        }
    }

    /// Every table, index, view and trigger with its SQL.
    static func schema(of database: Connection) throws -> [String: String] {
        let rows = try database.rows("SELECT type || ' ' || name AS item, coalesce(sql, '') AS sql FROM sqlite_schema")
        { row in
            (try row.text("item"), try row.text("sql"))
        }
        return Dictionary(rows) { first, _ in first }
    }

    private mutating func checkPages(_ database: Connection) {
        attempt("the pages") { check in
            // Row by row, so that what SQLite reported before it failed is kept.
            try database.forEach("PRAGMA integrity_check(100)") { row in
                let text = try row.text(0)
                if text != "ok" { check.add(Finding(.structure, "SQLite reports: \(text)")) }
            }
        }
    }

    private mutating func checkReferences(_ database: Connection) {
        attempt("the references") { check in
            let broken = try database.texts(
                """
                SELECT "table" || ' that refer to missing rows of ' || parent || ': ' || count(*)
                FROM pragma_foreign_key_check GROUP BY "table", parent ORDER BY "table", parent
                """)
            for rows in broken { check.add(Finding(.reference, "rows of \(rows)")) }
        }
        attempt("the persons") { check in
            let sql = """
                SELECT p.label FROM persons AS p WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE person = p.id)
                """
            try database.forEach(sql) { row in
                check.add(Finding(.person, "\(try row.text(0)) has no account"))
            }
        }
    }

    private mutating func checkTimes(_ database: Connection) {
        attempt("the times") { check in
            for column in try TimeColumn.all(of: database) {
                let sql = "SELECT count(*) FROM \"\(column.table)\" WHERE \(column.isOutOfRange)"
                let count = try database.integer(sql) ?? 0
                if count > 0 {
                    check.add(Finding(.time, "times out of range (1970 to 9999) in \(column.name): \(count)"))
                }
            }
        }
    }

    private mutating func checkEncryption(_ database: Connection, _ keys: KeyFiles) throws {
        let counts = [("persons", \StoreCheck.persons), ("accounts", \.accounts), ("tokens", \.tokens)]
        for (table, place) in counts {
            attempt("the table \(table)") { check in
                check[keyPath: place] = try database.count(table)
            }
        }
        guard let seal = seal(of: database, keys) else { return }
        let rows = SealedRows(database: database, seal: seal)
        var (read, damaged) = (0, Set<Int64>())
        for table in SealedValue.Table.ofAccounts {
            attempt("the encrypted values of \(table)") { check in
                try rows.forEach([table]) { value in
                    if table == .accounts { read += 1 }
                    guard value.text == nil else { return }
                    damaged.insert(value.account)
                    check.add(Finding(.seal, "the \(value.name) cannot be decrypted"))
                }
            }
        }
        goodAccounts = max(0, read - damaged.count)
    }

    private mutating func seal(of database: Connection, _ keys: KeyFiles) -> Seal? {
        do {
            if let seal = try keys.candidates(database).first { return seal }
            // Without encrypted values there never was a key.
            if accounts == 0 { return nil }
            let missing = StoreError.keyMissing(keys.folder)
            add(Finding(.key, "\(missing.why); the encrypted values were not checked", next: missing.nextStep))
        } catch {
            add(Finding(.key, error.why, next: error.nextStep))
        }
        return nil
    }

    // Reports what cannot be read, so that the rest is checked too.
    private mutating func attempt(_ subject: String, _ body: (inout StoreCheck) throws -> Void) {
        do { try body(&self) } catch {
            let reason = (error as? SQLiteError)?.message ?? FileFailure.reason(error)
            add(Finding(.structure, "not all of \(subject) can be read: \(reason)"))
        }
    }
}
