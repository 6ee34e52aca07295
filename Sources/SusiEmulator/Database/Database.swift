import FoundationEssentials
import SusiBase
import SusiPolicies
import SusiSQLite
import Synchronization
import SystemPackage

/// The rows of one tenant in the emulator's file.
struct Database: Sendable {
    let file: DatabaseFile
    /// The key of the tenant.
    let tenant: String

    /// Runs `body` in a transaction that can write. An error rolls it back.
    func write<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T { try file.write(body) }

    /// Runs one statement in a transaction and returns the number of rows that it changed.
    @discardableResult
    func execute(_ statement: String, _ values: [Value]) throws -> Int {
        try write { connection in try connection.execute(statement, values) }
    }

    /// Adds a row to a table whose rows expire, in a transaction, and returns its row ID. Removes expired rows first.
    @discardableResult
    func insert(into table: ExpiringTable, _ columns: KeyValuePairs<String, Value>, now: Int64) throws -> Int64 {
        try write { connection in try insert(into: table, columns, now: now, connection) }
    }

    /// Does the same within a transaction.
    @discardableResult
    func insert(
        into table: ExpiringTable, _ columns: KeyValuePairs<String, Value>, now: Int64, _ connection: Connection
    ) throws -> Int64 {
        try table.removeExpired(now: now, in: connection)
        try connection.execute(
            "INSERT INTO \(table.rawValue) (\(columns.names)) VALUES (\(columns.marks))", columns.map(\.value))
        return connection.lastInsertedID
    }

    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func value<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T { try file.read(body) }
}

/// Columns with their values, in the order in which a statement names them.
extension KeyValuePairs<String, Value> {
    var names: String { map(\.key).joined(separator: ", ") }
    var marks: String { map { _ in "?" }.joined(separator: ", ") }
}

/// The emulator's own file. One connection, used by one request at a time and never across an `await`.
final class DatabaseFile: Sendable {
    /// The version of `schema.sql`, which each change increases. A file of another version is refused and not changed: the
    /// users that have to stay are in a tenant file.
    static let version: Int64 = 2
    /// `suem` in ASCII; files of development builds have another one, or none.
    private static let applicationID: Int64 = 0x7375_656d
    private let connection: Mutex<Connection>
    let outboxChanges = ChangeNotifier()

    static func path(in folder: FilePath) -> FilePath { folder.appending("emulator.sqlite") }

    /// Opens `emulator.sqlite` in `folder`, an absolute path. Creates both if missing, readable by their owner only.
    init(folder: FilePath) throws {
        let path = Self.path(in: folder).string
        do {
            for path in [folder.string, path] { try OwnedFile.check(path) }
            try Self.prepare(folder: folder.string, file: path)
        } catch let flaw as OwnedFile.Flaw {
            throw EmulatorError(flaw)
        } catch {
            throw EmulatorError.folderUnusable(path: folder.string, reason: FileFailure.reason(error))
        }
        do { connection = Mutex(try Self.opened(path)) } catch let error as SQLiteError {
            throw EmulatorError.databaseUnusable(path: path, reason: "\(error)")
        }
    }

    private static func opened(_ path: String) throws -> Connection {
        let connection = try Connection(path: path)
        try connection.forEach("PRAGMA journal_mode = WAL") { _ in }
        // Do not wait for the disk: a killed process loses nothing, and after a power failure a local tenant can start over.
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute("PRAGMA foreign_keys = ON")
        if try connection.read({ try isEmpty(connection, path) }) {
            try connection.write {
                // Another process may have created the tables while this one waited.
                guard try isEmpty(connection, path) else { return }
                try connection.executeScript(String(decoding: PackageResources.schema_sql, as: UTF8.self))
                try connection.execute("PRAGMA application_id = \(applicationID)")
                try connection.execute("PRAGMA user_version = \(version)")
            }
        }
        return connection
    }

    private static func isEmpty(_ connection: Connection, _ path: String) throws -> Bool {
        let id = try connection.first("PRAGMA application_id") { row in try row.integer(0) } ?? 0
        let found = try connection.first("PRAGMA user_version") { row in try row.integer(0) } ?? 0
        if id == applicationID, found == version { return false }
        guard id == 0, found == 0 else {
            throw EmulatorError.databaseUnusable(path: path, reason: "another version of susi wrote it")
        }
        return true
    }

    // SQLite copies the permissions of this file to its companion files.
    private static func prepare(folder: String, file: String) throws {
        let manager = FileManager.default
        if !manager.fileExists(atPath: folder) {
            try manager.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let descriptor = try FileDescriptor.open(
            FilePath(file), .readWrite, options: [.create, .noFollow], permissions: .ownerReadWrite)
        try descriptor.close()
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    func write<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T {
        try connection.withLock { connection in
            let opened = connection
            return try opened.write { try body(opened) }
        }
    }

    func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T {
        try connection.withLock { connection in
            let opened = connection
            return try opened.read { try body(opened) }
        }
    }

    func removeExpired(now: Int64) throws {
        try write { connection in
            for table in ExpiringTable.allCases { try table.removeExpired(now: now, in: connection) }
        }
    }
}

enum ExpiringTable: String, CaseIterable {
    case sessions, transactions, continuations, devices, codes, refresh_tokens, grants

    // Expired codes and tokens are kept for some time, to report why they are refused.
    private var keptAfterwards: Int64 {
        switch self {
        case .sessions, .transactions: 0
        case .codes, .devices, .continuations: 86_400
        case .refresh_tokens, .grants: 90 * 86_400
        }
    }

    /// Removes a limited number of expired rows, so that no request waits long.
    func removeExpired(now: Int64, in connection: Connection) throws {
        let end = Value.integer(now - keptAfterwards)
        // Usually there is none, and checking is faster than preparing to delete.
        let isAny = try connection.first("SELECT 1 FROM \(rawValue) WHERE expires < ? LIMIT 1", [end]) { _ in true }
        guard isAny != nil else { return }
        try connection.execute(
            """
            DELETE FROM \(rawValue) WHERE rowid IN
                (SELECT rowid FROM \(rawValue) WHERE expires < ? ORDER BY expires LIMIT 200)
            """, [end])
    }
}
