// All pointers that SQLite returns or accepts stay in this file.
internal import CSQLite

/// One connection to one SQLite file, used by one task at a time.
///
/// Prepared statements are kept by their text and used again. The connection closes when it is released.
@safe
package final class Connection {
    package enum Mode: Sendable {
        /// Creates a missing file.
        case create
        case readWrite
        /// An existing file, only for reading; SQLite refuses every write.
        case readOnly
        /// An existing file that no other process uses, only for reading. Nothing is locked, and no file is made: the index
        /// of the write-ahead log is in memory. `hasLog` says whether there is a log with content.
        case alone(hasLog: Bool)
    }

    private let handle: OpaquePointer
    // An array, because a dictionary takes longer for the first statement than a linear search for all others.
    private var idle: [Statement] = []

    /// Opens `path`; `:memory:` is a private database in memory.
    ///
    /// `busyTimeout` is the time in milliseconds that a statement waits for another process's lock.
    package init(path: String, mode: Mode = .create, busyTimeout: Int32 = 5_000) throws(SQLiteError) {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
        switch mode {
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .alone(hasLog: true): flags |= SQLITE_OPEN_READONLY
        case .alone(hasLog: false): flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(mode.name(of: path), &opened, flags, mode.system)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let text = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) }
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(
                extendedCode: code, meaning: Self.meaning(of: code), message: text ?? "out of memory")
        }
        unsafe handle = opened
        unsafe sqlite3_busy_timeout(opened, busyTimeout)
        try check(unsafe susi_defend(opened))
        // In this mode, SQLite keeps the index of the log in memory.
        if case .alone(hasLog: true) = mode { try executeScript("PRAGMA locking_mode = EXCLUSIVE") }
    }

    deinit {
        idle.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    /// Decides whether the write-ahead log is left as it is when this connection closes, so that a reader never writes to the
    /// file.
    package func keepWALOnClose(_ keeps: Bool = true) throws(SQLiteError) {
        try check(unsafe susi_keep_wal_on_close(handle, keeps ? 1 : 0))
    }

    /// Sets the time in milliseconds that a statement waits for another process's lock.
    package func setBusyTimeout(_ milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

    // MARK: Running statements

    /// Runs one statement and returns the number of rows that it changed.
    @discardableResult
    package func execute(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Int {
        let statement = try take(sql)
        defer { give(statement) }
        try statement.bind(values)
        while try statement.step() {}
        return Int(unsafe sqlite3_changes64(handle))
    }

    /// Runs several statements separated by semicolons, without values, for example a schema.
    package func executeScript(_ sql: String) throws(SQLiteError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil), statement: sql)
    }

    /// Runs a query and passes each row to `read`, in order; one row at a time is in memory.
    package func forEach(_ sql: String, _ values: [Value] = [], _ read: (borrowing Row) throws -> Void) throws {
        let statement = try take(sql)
        defer { give(statement) }
        try statement.bind(values)
        while try statement.step() { try read(Row(statement: statement)) }
    }

    /// Runs a query and returns the result of `read` for each row.
    package func rows<T>(_ sql: String, _ values: [Value] = [], _ read: (borrowing Row) throws -> T) throws -> [T] {
        var result: [T] = []
        try forEach(sql, values) { row in result.append(try read(row)) }
        return result
    }

    /// Runs a query and returns the result of `read` for its first row, or `nil` without rows.
    package func first<T>(_ sql: String, _ values: [Value] = [], _ read: (borrowing Row) throws -> T) throws -> T? {
        let statement = try take(sql)
        defer { give(statement) }
        try statement.bind(values)
        return try statement.step() ? try read(Row(statement: statement)) : nil
    }

    package var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    // MARK: Transactions

    /// Runs `body` in a transaction that takes the write lock at once; an error rolls everything back.
    package func write<T>(_ body: () throws -> T) throws -> T {
        try transaction(begin: "BEGIN IMMEDIATE", body)
    }

    /// Runs `body` on one state of the file, without a write lock; inside of another transaction, on that one's state.
    package func read<T>(_ body: () throws -> T) throws -> T {
        isInTransaction ? try body() : try transaction(begin: "BEGIN DEFERRED", body)
    }

    private func transaction<T>(begin: String, _ body: () throws -> T) throws -> T {
        try execute(begin)
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some failures, for example a full disk, have rolled back already.
            if isInTransaction { try execute("ROLLBACK") }
            throw error
        }
    }

    private var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    // MARK: Statements

    private func take(_ sql: String) throws(SQLiteError) -> Statement {
        if let index = idle.lastIndex(where: { $0.sql == sql }) { return idle.remove(at: index) }
        var prepared: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(handle, sql, -1, 0, &prepared, nil), statement: sql)
        guard let prepared = unsafe prepared else {
            throw SQLiteError(
                extendedCode: SQLITE_MISUSE, meaning: Self.meaning(of: SQLITE_MISUSE),
                message: "the statement is empty", statement: sql)
        }
        return unsafe Statement(prepared, connection: handle, sql: sql)
    }

    private func give(_ statement: Statement) {
        statement.reset()
        idle.append(statement)
    }

    private func check(_ code: Int32, statement: String = "") throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        throw unsafe Self.error(code, handle, statement: statement)
    }

    fileprivate static func error(_ code: Int32, _ handle: OpaquePointer, statement: String) -> SQLiteError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        return SQLiteError(extendedCode: code, meaning: meaning(of: code), message: message, statement: statement)
    }

    fileprivate static func meaning(of code: Int32) -> String { unsafe String(cString: sqlite3_errstr(code)) }
}

/// A prepared statement; the connection keeps it for the next use.
@safe
fileprivate final class Statement {
    let sql: String
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private lazy var names = (0..<(unsafe sqlite3_column_count(handle))).map { column in
        unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }

    init(_ handle: OpaquePointer, connection: OpaquePointer, sql: String) {
        unsafe self.handle = handle
        unsafe self.connection = connection
        self.sql = sql
    }

    deinit { unsafe sqlite3_finalize(handle) }

    func bind(_ values: [Value]) throws(SQLiteError) {
        let places = Int(unsafe sqlite3_bind_parameter_count(handle))
        guard values.count == places else {
            throw failure(SQLITE_RANGE, "\(values.count) values for \(places) places")
        }
        for (place, value) in zip(Int32(1)..., values) {
            let code =
                switch value {
                case .null: unsafe sqlite3_bind_null(handle, place)
                case .integer(let value): unsafe sqlite3_bind_int64(handle, place, value)
                case .real(let value): unsafe sqlite3_bind_double(handle, place, value)
                case .text(let value): unsafe susi_bind_text(handle, place, value, Int32(clamping: value.utf8.count))
                case .blob(let value): unsafe susi_bind_blob(handle, place, value, Int32(clamping: value.count))
                }
            guard code == SQLITE_OK else { throw unsafe Connection.error(code, connection, statement: sql) }
        }
    }

    func step() throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw unsafe Connection.error(code, connection, statement: sql)
        }
    }

    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    func column(_ name: String) throws(SQLiteError) -> Int {
        guard let column = names.firstIndex(of: name) else { throw failure(SQLITE_RANGE, "no column \(name)") }
        return column
    }

    func value(at column: Int) throws(SQLiteError) -> Value {
        let index = Int32(clamping: column)
        guard index >= 0, index < (unsafe sqlite3_data_count(handle)) else {
            throw failure(SQLITE_RANGE, "no column \(column)")
        }
        switch unsafe sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            let text = unsafe sqlite3_column_text(handle, index)
            let count = Int(unsafe sqlite3_column_bytes(handle, index))
            return .text(unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = unsafe sqlite3_column_blob(handle, index)
            let count = Int(unsafe sqlite3_column_bytes(handle, index))
            return .blob(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
    }

    func mismatch(_ column: Int, expected: String, found: Value) -> SQLiteError {
        let name = unsafe sqlite3_column_name(handle, Int32(clamping: column)).map { unsafe String(cString: $0) }
        return failure(SQLITE_MISMATCH, "column \(name ?? "\(column)") contains \(found.kind), expected \(expected)")
    }

    private func failure(_ code: Int32, _ message: String) -> SQLiteError {
        SQLiteError(extendedCode: code, meaning: Connection.meaning(of: code), message: message, statement: sql)
    }
}

/// One row of a result, valid only inside the closure that receives it.
///
/// Columns are read by name; of several with the same name, the first one. Queries for one or two values may use indexes.
package struct Row: ~Copyable {
    fileprivate let statement: Statement

    package func value(_ column: Int) throws(SQLiteError) -> Value { try statement.value(at: column) }

    /// Reads text; throws `SQLITE_MISMATCH` for another type.
    package func text(_ column: Int) throws(SQLiteError) -> String {
        try required(column, "text", try optionalText(column))
    }

    /// Reads text, or `nil` for NULL; throws `SQLITE_MISMATCH` for another type.
    package func optionalText(_ column: Int) throws(SQLiteError) -> String? {
        switch try statement.value(at: column) {
        case .text(let value): return value
        case .null: return nil
        case let other: throw statement.mismatch(column, expected: "text", found: other)
        }
    }

    /// Reads an integer; throws `SQLITE_MISMATCH` for another type.
    package func integer(_ column: Int) throws(SQLiteError) -> Int64 {
        try required(column, "an integer", try optionalInteger(column))
    }

    /// Reads an integer, or `nil` for NULL; throws `SQLITE_MISMATCH` for another type.
    package func optionalInteger(_ column: Int) throws(SQLiteError) -> Int64? {
        switch try statement.value(at: column) {
        case .integer(let value): return value
        case .null: return nil
        case let other: throw statement.mismatch(column, expected: "an integer", found: other)
        }
    }

    /// Reads bytes; throws `SQLITE_MISMATCH` for another type.
    package func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
        try required(column, "bytes", try optionalBlob(column))
    }

    /// Reads bytes, or `nil` for NULL; throws `SQLITE_MISMATCH` for another type.
    package func optionalBlob(_ column: Int) throws(SQLiteError) -> [UInt8]? {
        switch try statement.value(at: column) {
        case .blob(let value): return value
        case .null: return nil
        case let other: throw statement.mismatch(column, expected: "bytes", found: other)
        }
    }

    /// Reads text; throws `SQLITE_MISMATCH` for another type.
    package func text(_ name: String) throws(SQLiteError) -> String { try text(try statement.column(name)) }

    /// Reads text, or `nil` for NULL; throws `SQLITE_MISMATCH` for another type.
    package func optionalText(_ name: String) throws(SQLiteError) -> String? {
        try optionalText(try statement.column(name))
    }

    /// Reads an integer; throws `SQLITE_MISMATCH` for another type.
    package func integer(_ name: String) throws(SQLiteError) -> Int64 { try integer(try statement.column(name)) }

    /// Reads an integer, or `nil` for NULL; throws `SQLITE_MISMATCH` for another type.
    package func optionalInteger(_ name: String) throws(SQLiteError) -> Int64? {
        try optionalInteger(try statement.column(name))
    }

    /// Reads bytes; throws `SQLITE_MISMATCH` for another type.
    package func blob(_ name: String) throws(SQLiteError) -> [UInt8] { try blob(try statement.column(name)) }

    private func required<T>(_ column: Int, _ expected: String, _ value: T?) throws(SQLiteError) -> T {
        guard let value else { throw statement.mismatch(column, expected: expected, found: .null) }
        return value
    }
}

extension Connection.Mode {
    /// SQLite's access to files; `nil` is the usual one.
    fileprivate var system: String? { if case .alone(hasLog: true) = self { "unix-none" } else { nil } }

    /// The name that SQLite opens. Only an address (https://www.sqlite.org/uri.html) can say that the file does not change.
    fileprivate func name(of path: String) -> String {
        guard case .alone(hasLog: false) = self else { return path }
        let quoted = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(quoted)?immutable=1"
    }
}

extension Value {
    fileprivate var kind: String {
        switch self {
        case .null: "NULL"
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .blob: "bytes"
        }
    }
}
