import FoundationEssentials
import SusiSQLite
import Synchronization
import SystemPackage

/// What one tenant keeps in the emulator's file.
struct Database: Sendable {
    let file: DatabaseFile
    /// The tenant whose rows these are.
    let tenant: String

    /// Runs `body` in a transaction that may write; what it throws rolls everything back.
    func write<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T { try file.write(body) }

    /// Runs `body` on one unchanging view.
    func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T { try file.read(body) }
}

/// The emulator's own file. One connection, used by one request at a time and never across an `await`.
final class DatabaseFile: Sendable {
    /// The steps of the schema, in order; a file's version is how many of them it has seen.
    private static var steps: [[UInt8]] {
        [
            PackageResources.schema_1_sql, PackageResources.schema_2_sql, PackageResources.schema_3_sql,
            PackageResources.schema_4_sql, PackageResources.schema_5_sql, PackageResources.schema_6_sql,
        ]
    }
    static var version: Int64 { Int64(steps.count) }
    private let connection: Mutex<Connection>
    /// Messages in the outbox.
    let outboxNews = ChangeNotifier()

    /// Where it is in an emulator's folder, or would be.
    static func path(in folder: FilePath) -> FilePath { folder.appending("emulator.sqlite") }

    /// Opens `emulator.sqlite` in `folder`; both are made when missing, readable by their owner only. Rows of a file
    /// that knew one tenant only are given to `heir`.
    init(folder: FilePath, heir: String) throws {
        let path = Self.path(in: folder).string
        do {
            try Self.prepare(folder: folder.string, file: path)
        } catch {
            throw EmulatorError.folderUnusable(path: folder.string, reason: "\(error)")
        }
        do { connection = Mutex(try Self.opened(path, heir: heir)) } catch let error as SQLiteError {
            throw EmulatorError.databaseUnusable(path: path, reason: "\(error)")
        }
    }

    private static func opened(_ path: String, heir: String) throws -> Connection {
        let connection = try Connection(path: path)
        try connection.forEach("PRAGMA journal_mode = WAL") { _ in }
        // Nobody waits for the disk: what a dead process wrote stays, and when the whole machine fails its local tenant may
        // begin anew.
        try connection.execute("PRAGMA synchronous = OFF")
        let found = try version(of: connection)
        guard found <= version else {
            throw EmulatorError.databaseTooNew(path: path, found: found, known: version)
        }
        if found < version { try migrate(connection, heir: heir) }
        // Only now: a step that replaces a table may not take along the rows that refer to it.
        try connection.execute("PRAGMA foreign_keys = ON")
        return connection
    }

    private static func version(of connection: Connection) throws -> Int64 {
        try connection.first("PRAGMA user_version") { row in try row.integer(0) } ?? 0
    }

    private static func migrate(_ connection: Connection, heir: String) throws {
        try connection.write {
            // Another process may have taken these steps while this one waited.
            let found = Int(try version(of: connection))
            for step in steps.dropFirst(found) { try connection.executeScript(String(decoding: step, as: UTF8.self)) }
            for table in ["users", "keys", "grants"] {
                try connection.execute("UPDATE \(table) SET tenant = ? WHERE tenant = ''", [.text(heir)])
            }
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    // SQLite gives its two companion files the permissions of the first one, so that one is made here.
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

    /// Removes what has expired, table by table.
    func removeExpired(now: Int64) throws {
        try write { connection in
            for table in ExpiringTable.allCases { try table.removeExpired(now: now, in: connection) }
        }
    }
}

/// The tables whose rows end by themselves.
enum ExpiringTable: String, CaseIterable {
    case sessions, transactions, continuations, devices, codes, refresh_tokens, grants

    // A dead code or token is kept for some time, to say why it is refused.
    private var keptAfterwards: Int64 {
        switch self {
        case .sessions, .transactions: 0
        case .codes, .devices, .continuations: 86_400
        case .refresh_tokens, .grants: 90 * 86_400
        }
    }

    /// Removes some of the expired rows; a bounded number, so that nobody waits for it.
    func removeExpired(now: Int64, in connection: Connection) throws {
        let end = Value.integer(now - keptAfterwards)
        // Mostly there is none, and looking takes a part of the time in which SQLite gets ready to delete.
        let isAny = try connection.first("SELECT 1 FROM \(rawValue) WHERE expires < ? LIMIT 1", [end]) { _ in true }
        guard isAny != nil else { return }
        try connection.execute(
            """
            DELETE FROM \(rawValue) WHERE rowid IN
                (SELECT rowid FROM \(rawValue) WHERE expires < ? ORDER BY expires LIMIT 200)
            """, [end])
    }
}
