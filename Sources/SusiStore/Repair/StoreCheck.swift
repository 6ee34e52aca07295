import FoundationEssentials
import SusiOAuth
public import SusiPolicies
internal import SusiSQLite
internal import SystemPackage

/// What a look at the whole store found; nothing is changed by it.
public struct StoreCheck: Hashable, Sendable {
    /// One thing that is wrong.
    public struct Finding: Hashable, Sendable {
        /// What callers tell apart.
        public enum Kind: String, CaseIterable, Sendable {
            /// A file's mode, owner or kind.
            case file
            /// The key is not there, or is none.
            case key
            /// The schema's version, or a table that is not as this program makes it.
            case schema
            /// What SQLite's own check says of pages, rows and indexes.
            case structure
            /// A row that refers to one that is not there.
            case reference
            /// A time that is out of range.
            case time
            /// Something sealed that does not open.
            case seal
            /// A person without an account.
            case person
            /// Changes in the write-ahead log that SQLite would not read.
            case log
        }

        /// What it is about.
        public let kind: Kind
        /// What is wrong: one clause without a full stop.
        public let what: String
        /// What to do about it, when a repair does not help.
        public let next: NextStep?

        init(_ kind: Kind, _ what: String, next: NextStep? = nil) {
            self.kind = kind
            self.what = what
            self.next = next
        }
    }

    /// The schema of the file; nil when it cannot be read.
    public internal(set) var schema: Int64?
    /// How many accounts there are, as far as they can be read.
    public internal(set) var accounts = 0
    /// How many of them have nothing wrong: claims and tokens open, and the person is there.
    public internal(set) var goodAccounts = 0
    /// How many persons there are.
    public internal(set) var persons = 0
    /// How many tokens there are.
    public internal(set) var tokens = 0
    /// How many tokens of another library's cache wait for their first use.
    public internal(set) var imported = 0
    /// What is wrong, the first of it.
    public internal(set) var findings: [Finding] = []
    /// How much is wrong in all.
    public internal(set) var findingCount = 0
    /// Damaged files that an earlier repair kept; they still hold sealed tokens.
    public internal(set) var keptAside: [String] = []

    /// Whether nothing is wrong.
    public var isGood: Bool { findingCount == 0 }
    /// Whether `StoreRepair` would find something to do.
    public var isRepairable: Bool { kinds.contains { ![.file, .key].contains($0) } }
    private var kinds: Set<Finding.Kind> = []

    /// More than anybody reads.
    private static let most = 1_000

    mutating func add(_ finding: Finding) {
        findingCount += 1
        kinds.insert(finding.kind)
        if findings.count < Self.most { findings.append(finding) }
    }

    /// Looks at the store of a folder: files, schema, pages, references, times, seals, log. Nothing is written but SQLite's
    /// shared memory, and of a million rows one at a time is in memory.
    ///
    /// `key` is one that the caller unlocked. Throws `.missing` when there is no store, and what keeps it from being opened
    /// at all: a link, a newer schema, another program's database.
    public static func run(
        _ folder: StoreFolder, key: SealingKey? = nil, busyTimeout: Int32 = 5_000
    ) throws(StoreError) -> StoreCheck {
        var check = StoreCheck()
        try check.lookAtFiles(folder)
        check.keptAside = folder.damagedFiles.map(\.string)
        if StoreRepair.finished(in: folder) != nil {
            check.add(Finding(.structure, "a repair was interrupted; the damaged file is still in place"))
        }
        do {
            if let log = try WriteAheadLog.beside(folder.database) {
                defer { try? log.file.close() }
                if let hidden = try log.hidden() {
                    check.add(
                        Finding(
                            .log,
                            "the write-ahead log is damaged at frame \(hidden.frame); \(hidden.transactions) later changes are not read"
                        ))
                }
            }
            let database = try AccountStore.connect(folder, busyTimeout, mode: .readOnly)
            try check.look(at: database, KeyFiles(folder: folder, given: key))
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

    private mutating func lookAtFiles(_ folder: StoreFolder) throws(StoreError) {
        var there = false
        do { there = try folder.isThere(folder.database, as: .regular) } catch {
            guard error.kind == .unsafePermissions else { throw error }
            there = true
        }
        guard there else { throw StoreError.noStore(folder) }
        do { try folder.check() } catch {
            guard error.kind == .unsafePermissions else { throw error }
            add(Finding(.file, error.why, next: error.nextStep))
        }
    }

    private mutating func look(at database: Connection, _ keys: KeyFiles) throws {
        let state = try Migrations.state(of: database)
        try database.read {
            try lookAtSchema(database, keys.folder, state)
            lookAtPages(database)
            lookAtReferences(database)
            lookAtTimes(database)
            try lookAtSeals(database, keys)
        }
    }

    private mutating func lookAtSchema(
        _ database: Connection, _ folder: StoreFolder, _ state: Migrations.State
    ) throws {
        let version: Int64
        switch state {
        case .empty: throw StoreError.noStore(folder)
        case .newer(let version): throw StoreError.newer(version, folder.database)
        case .foreign: throw StoreError.foreign(folder.database)
        case .current: version = Migrations.newest
        case .older(let older): version = older
        }
        schema = version
        let ours = try Connection(path: ":memory:")
        try Migrations.make(version, in: ours)
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
        let rows = try database.rows("SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema") { row in
            (try row.text(0), try row.text(1))
        }
        return Dictionary(rows) { first, _ in first }
    }

    private mutating func lookAtPages(_ database: Connection) {
        attempt("the pages") { check in
            try database.forEach("PRAGMA integrity_check(100)") { row in
                let text = try row.text(0)
                if text != "ok" { check.add(Finding(.structure, "SQLite reports: \(text)")) }
            }
        }
    }

    private mutating func lookAtReferences(_ database: Connection) {
        attempt("the references") { check in
            let broken = try database.rows(
                #"SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2"#
            ) { row in (try row.text(0), try row.text(1), try row.integer(2)) }
            for (table, parent, count) in broken {
                check.add(Finding(.reference, "rows of \(table) that refer to missing rows of \(parent): \(count)"))
            }
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

    private mutating func lookAtTimes(_ database: Connection) {
        attempt("the times") { check in
            for column in try TimeColumn.all(of: database) {
                let sql = "SELECT count(*) FROM \"\(column.table)\" WHERE \(column.isOutOfRange)"
                let count = try database.first(sql) { row in try row.integer(0) } ?? 0
                if count > 0 {
                    check.add(Finding(.time, "times out of range (1970 to 9999) in \(column.name): \(count)"))
                }
            }
        }
    }

    private mutating func lookAtSeals(_ database: Connection, _ keys: KeyFiles) throws {
        let counts = [("persons", \StoreCheck.persons), ("accounts", \.accounts), ("tokens", \.tokens)]
        for (table, place) in counts + (schema ?? 0 >= 5 ? [("imported", \.imported)] : []) {
            attempt("the table \(table)") { check in
                let count = try database.first("SELECT count(*) FROM \(table)") { row in try row.integer(0) }
                check[keyPath: place] = Int(count ?? 0)
            }
        }
        guard let seal = seal(of: database, keys) else { return }
        let rows = SealedRows(database: database, seal: seal)
        var (read, damaged) = (0, Set<Int64>())
        attempt("the accounts") { check in
            try rows.forEachClaims { claims in
                read += 1
                guard claims.text == nil else { return }
                damaged.insert(claims.id)
                check.add(
                    Finding(.seal, "the claims of \(claims.label) under \(claims.account.policy) cannot be decrypted"))
            }
        }
        attempt("the tokens") { check in
            try rows.forEachToken { token in
                guard !token.opens else { return }
                damaged.insert(token.account)
                check.add(Finding(.seal, "the \(token.kind.rawValue) token of \(token.owner) cannot be decrypted"))
            }
        }
        attempt("the imported tokens") { check in
            try rows.forEachImported { token in
                if !token.opens {
                    check.add(Finding(.seal, "the imported token of \(token.label) cannot be decrypted"))
                }
            }
        }
        goodAccounts = max(0, read - damaged.count)
    }

    private mutating func seal(of database: Connection, _ keys: KeyFiles) -> Seal? {
        do {
            if let seal = try keys.candidates(database).first { return seal }
            // Without anything sealed no key was ever made.
            if accounts + imported == 0 { return nil }
            let missing = StoreError.keyMissing(keys.folder)
            add(Finding(.key, "\(missing.why); the encrypted values were not checked", next: missing.nextStep))
        } catch {
            add(Finding(.key, error.why, next: error.nextStep))
        }
        return nil
    }

    // What cannot be read is a finding; the rest goes on.
    private mutating func attempt(_ subject: String, _ body: (inout StoreCheck) throws -> Void) {
        do { try body(&self) } catch {
            let reason = (error as? SQLiteError)?.message ?? "\(error)"
            add(Finding(.structure, "not all of \(subject) can be read: \(reason)"))
        }
    }
}
