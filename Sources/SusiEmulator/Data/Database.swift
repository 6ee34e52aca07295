import FoundationEssentials
import SusiSQLite
import Synchronization
import SystemPackage

/// The emulator's own file. One connection, used by one request at a time and never across an `await`.
final class Database: Sendable {
    private static let version: Int64 = 1
    private let connection: Mutex<Connection>

    /// Opens `emulator.sqlite` in `folder`; both are made when missing, readable by their owner only.
    init(folder: FilePath) throws {
        let path = folder.appending("emulator.sqlite").string
        do {
            try Self.prepare(folder: folder.string, file: path)
        } catch {
            throw EmulatorError.folderUnusable(path: folder.string, reason: "\(error)")
        }
        let connection = try Connection(path: path)
        try connection.forEach("PRAGMA journal_mode = WAL") { _ in }
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("PRAGMA synchronous = NORMAL")
        let found = try connection.first("PRAGMA user_version") { row in try row.integer(0) } ?? 0
        guard found <= Self.version else {
            throw EmulatorError.databaseTooNew(path: path, found: found, known: Self.version)
        }
        if found == 0 {
            try connection.write {
                try connection.executeScript(String(decoding: PackageResources.schema_sql, as: UTF8.self))
                try connection.execute("PRAGMA user_version = \(Self.version)")
            }
        }
        self.connection = Mutex(connection)
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

    /// Runs `body` in a transaction that may write; what it throws rolls everything back.
    func write<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T {
        try connection.withLock { connection in
            let opened = connection
            return try opened.write { try body(opened) }
        }
    }

    /// Runs `body` on one unchanging view.
    func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T {
        try connection.withLock { connection in
            let opened = connection
            return try opened.read { try body(opened) }
        }
    }

    /// Removes some of the rows of a table that expired before `time`; a bounded number, so that nobody waits for it.
    static func removeExpired(_ table: ExpiringTable, before time: Int64, in connection: Connection) throws {
        try connection.execute(
            """
            DELETE FROM \(table.rawValue) WHERE rowid IN
                (SELECT rowid FROM \(table.rawValue) WHERE expires < ? ORDER BY expires LIMIT 200)
            """, [.integer(time)])
    }

    /// The tables whose rows end by themselves.
    enum ExpiringTable: String, CaseIterable {
        case sessions, transactions, codes, refresh_tokens, grants

        // A dead code or refresh token is kept for some time, to say why it is refused.
        var keptAfterwards: Int64 {
            switch self {
            case .sessions, .transactions: 0
            case .codes: 86_400
            case .refresh_tokens, .grants: 90 * 86_400
            }
        }
    }

    /// Removes what has expired, table by table.
    func removeExpired(now: Int64) throws {
        try write { connection in
            for table in ExpiringTable.allCases {
                try Self.removeExpired(table, before: now - table.keptAfterwards, in: connection)
            }
        }
    }
}
