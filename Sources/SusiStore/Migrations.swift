import SusiPolicies
import SusiSQLite
import SystemPackage

/// The steps that create the schema, in order. A published step is never changed; a new one is added to ``ours``.
struct Migrations: Sendable {
    /// One step, with the name recorded in the file.
    struct Step: Sendable {
        /// The version of the schema after the step.
        let number: Int64
        let name: String
        /// The SQL. It is loaded when the step runs: every command opens a store, and few create one.
        let sql: @Sendable () -> [UInt8]
    }

    let steps: [Step]

    /// The steps of the store.
    static let ours = Migrations(steps: [
        Step(number: 1, name: "accounts") { PackageResources.schema_001_sql },
        // Development builds used the numbers between.
        Step(number: 8, name: "homes of persons") { PackageResources.schema_008_sql },
        Step(number: 9, name: "no waiting tokens") { PackageResources.schema_009_sql },
        Step(number: 10, name: "sharing") { PackageResources.schema_010_sql },
    ])

    /// `susi` in ASCII: `file` and SQLite's own tools show it.
    static let applicationID: Int64 = 0x7375_7369

    var newest: Int64 { steps.last?.number ?? 0 }

    /// The state of a file according to its header.
    private enum State: Equatable {
        case empty
        case older(Int64)
        case current
        case newer(Int64)
        case foreign
    }

    /// The state of a file. Another process may be creating it at this moment, so every other state than `current` is read
    /// again in one transaction.
    private func state(of database: Connection) throws -> State {
        let state = try header(of: database)
        return state == .current ? state : try database.read { try header(of: database) }
    }

    /// Returns the version of the schema; `nil` for an empty file. Throws if a newer version or another program wrote the file.
    func version(of database: Connection, in folder: StoreFolder) throws -> Int64? {
        try version(state(of: database), folder)
    }

    private func version(_ state: State, _ folder: StoreFolder) throws(StoreError) -> Int64? {
        switch state {
        case .empty: return nil
        case .older(let version): return version
        case .current: return newest
        case .newer(let version): throw StoreError.newer(version, folder.database)
        case .foreign: throw StoreError.foreign(folder.database)
        }
    }

    private func header(of database: Connection) throws -> State {
        let id = try database.integer("PRAGMA application_id")
        let version = try database.integer("PRAGMA user_version") ?? 0
        if id == Self.applicationID {
            if version == newest { return .current }
            return version == 0 || steps.contains { $0.number == version } ? .older(version) : .newer(version)
        }
        return try id == 0 && version == 0 && database.count("sqlite_schema") == 0 ? .empty : .foreign
    }

    /// Brings an empty or older file to the newest schema, in one transaction that other processes wait for.
    ///
    /// An older file is copied first, in case the new schema is wrong. The next successful opening removes the copy
    /// (``StoreFolder/removeLeftovers()``).
    func apply(to database: Connection, in folder: StoreFolder) throws {
        try Self.useLog(database)
        guard case .older(1...) = try state(of: database) else { return try run(on: database, folder) }
        // A million accounts take minutes.
        guard let turn = try folder.lock(.migration, .exclusive, patience: 600_000) else {
            throw StoreError.inUse(folder, "another command is updating it")
        }
        try withExtendedLifetime(turn) {
            if case .older = try state(of: database) { try keepBackup(of: database, in: folder) }
            try run(on: database, folder)
        }
    }

    private func run(on database: Connection, _ folder: StoreFolder) throws {
        try database.write {
            let done = try version(header(of: database), folder) ?? 0
            if done == newest { return }
            try make(newest, in: database, from: done)
            if try database.hasRow("PRAGMA foreign_key_check") {
                throw StoreError.damaged(folder, "after the update, some rows refer to missing rows")
            }
        }
    }

    /// Runs the steps after schema `done` up to `version`; the caller has a transaction open.
    func make(_ version: Int64, in database: Connection, from done: Int64 = 0) throws {
        if done == 0 { try database.executeScript(Self.list) }
        for step in steps where step.number > done && step.number <= version {
            try database.executeScript(String(decoding: step.sql(), as: UTF8.self))
            // SQLite's clock, because the date is only ever shown.
            try database.execute(
                "INSERT INTO migrations (number, name, applied_on) VALUES (?, ?, unixepoch())",
                [.integer(step.number), .text(step.name)])
        }
        try database.execute("PRAGMA application_id = \(Self.applicationID)")
        try database.execute("PRAGMA user_version = \(version)")
    }

    // The copy gets its name when it is complete and on the disk.
    private func keepBackup(of database: Connection, in folder: StoreFolder) throws {
        let backup = folder.backup(before: newest)
        let new = FilePath(backup.string + ".new")
        try FileName.remove(new)
        try database.copy(to: new)
        try FileName.move(new, to: backup)
        try FileName.flush(in: folder.path)
    }

    /// Turns the write-ahead log on; the file records that. It is not possible inside a transaction, and SQLite does not wait
    /// for other processes there, so an empty transaction waits for them.
    static func useLog(_ database: Connection) throws {
        for attempt in 1... {
            do {
                return try database.set("journal_mode = WAL")
            } catch let error as SQLiteError where error.code == .busy && attempt < 100 {
                try database.write {}
            }
        }
    }

    private static let list = """
        CREATE TABLE migrations (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE CHECK (name <> ''),
            applied_on INTEGER NOT NULL
        ) STRICT;
        """
}

extension StoreError {
    /// An impossible row, or a file that SQLite cannot read.
    static func damaged(_ folder: StoreFolder, _ why: String, what: String = "the store is damaged") -> StoreError {
        StoreError(.damaged, path: folder.database, what: what, why: why, next: repair)
    }

    static func newer(_ version: Int64, _ path: FilePath) -> StoreError {
        StoreError(
            .newerSchema, path: path, what: "the store cannot be opened",
            why: "\(path) has schema \(version); this version supports \(Migrations.ours.newest)",
            next: "install the version of susi that wrote it, or a newer one")
    }

    static func older(_ version: Int64, _ path: FilePath) -> StoreError {
        StoreError(
            .olderSchema, path: path, what: "the store cannot be read",
            why: "\(path) has schema \(version); this version reads \(Migrations.ours.newest)",
            next: "open the store for writing, which updates it")
    }

    static func foreign(_ path: FilePath) -> StoreError {
        StoreError(
            .notOurs, path: path, what: "the store cannot be opened",
            why: "\(path) is a database of another program", next: "move the file away")
    }
}
