import Crypto
import FoundationEssentials
import SusiBase
package import SusiOAuth
package import SusiPolicies
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder that holds the database, its key and the lock files, all of one user.
package struct StoreFolder: Hashable, Sendable {
    /// The absolute path, or one relative to the working directory.
    package let path: FilePath
    /// The user id that everything in it must belong to.
    package let owner: UInt32

    /// Names a folder; reads and creates nothing.
    package init(_ path: FilePath, owner: UInt32) {
        self.path = path
        self.owner = owner
    }

    /// Names a folder of the user of this process; reads and creates nothing.
    package init(_ path: String) { self.init(FilePath(path), owner: getuid()) }

    package var database: FilePath { path.appending("store.sqlite") }
    /// The file with the key, or with the key's source.
    package var key: FilePath { path.appending("key") }
    /// The next `key`: it exists while the key changes, or after an interrupted change.
    var newKey: FilePath { path.appending("key.new") }
    package var locks: FilePath { path.appending("locks") }

    /// The file that a process locks while it refreshes an account's tokens. Its name does not reveal the account.
    package func lock(of account: Account) -> FilePath { lock(TokenKey.refresh(account).bytes) }

    /// The file that a process locks while it redeems the refresh tokens of a cache.
    package var lockOfImport: FilePath { lock(Array("susi-import".utf8)) }

    /// The file that a process locks during a sign-in under a policy. Its name reveals neither person nor policy.
    package func lock(ofSignIn policy: PolicyName, in registration: Registration) -> FilePath {
        // No part contains a line break.
        let parts = [
            "susi-sign-in-1", registration.origin, registration.tenantName, registration.clientID, policy.lowercased,
        ]
        return lock(Array(parts.joined(separator: "\n").utf8))
    }

    private func lock(_ name: [UInt8]) -> FilePath {
        locks.appending(Hexadecimal.encode(Array(SHA256.hash(data: name).prefix(16))) + ".lock")
    }

    /// Creates the folder and the one for locks if they are missing, for the owner alone, and checks everything.
    ///
    /// Permissions of existing files that are too wide are an error; they are not changed.
    package func prepare() throws(StoreError) {
        for folder in [path, locks] {
            // Checked before anything is created inside: the folder may be a link.
            if try !isThere(folder, as: .folder) { try make(folder) }
        }
        _ = try hasDatabase()
    }

    /// Creates a folder under a temporary name and moves it into place, so that another process never sees it with the
    /// permissions of the umask.
    private func make(_ folder: FilePath) throws(StoreError) {
        let files = FileManager.default
        let new = folder.removingLastComponent().appending(".susi-\(UUID().uuidString)")
        do {
            try files.createDirectory(
                atPath: new.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try files.moveItem(atPath: new.string, toPath: folder.string)
        } catch {
            try? files.removeItem(atPath: new.string)
            // Another process was faster.
            if try isThere(folder, as: .folder) { return }
            throw StoreError(.createFolder, folder, error)
        }
    }

    /// Checks mode, owner and kind of the folder and of every file of the store. Throws `.missing` without a database.
    package func check() throws(StoreError) {
        guard try isThere(path, as: .folder), try hasDatabase() else { throw StoreError(.noStore, database) }
    }

    /// Checks what is in the folder, and returns whether the database is.
    private func hasDatabase() throws(StoreError) -> Bool {
        _ = try isThere(locks, as: .folder)
        for file in [key, newKey] + Self.companions.map(beside) { _ = try isThere(file, as: .file) }
        return try isThere(database, as: .file)
    }

    /// Checks everything that keeps a command from using the store: its files, and a repair that was interrupted. A missing
    /// store is no error.
    package func checkUse() throws(StoreError) {
        do { try check() } catch {
            guard error.kind == .missing else { throw error }
        }
        guard StoreRepair.finished(in: self) == nil else { throw StoreError(.repairInterrupted, database) }
    }

    /// Returns whether a file of the folder exists; throws as ``isThere(_:as:)`` does, for the folder too.
    func hasFile(_ file: FilePath) throws(StoreError) -> Bool {
        guard try isThere(path, as: .folder) else { return false }
        return try isThere(file, as: .file)
    }

    /// Returns whether `path` exists. Throws if it has another type or owner, is open to others, or is a link.
    func isThere(_ path: FilePath, as type: SmallFile.Kind) throws(StoreError) -> Bool {
        guard let entry = try entry(path) else { return false }
        let folder = type == .folder
        if entry.kind == .link {
            throw StoreError(.link(isFolder: folder), path)
        }
        guard entry.kind == type else {
            throw StoreError(.otherType(isFolder: folder), path)
        }
        guard entry.owner == owner else {
            throw StoreError(.otherOwner(entry.owner, expected: owner), path)
        }
        guard !entry.isOpenToOthers else {
            throw StoreError(.openToOthers(isFolder: folder), path)
        }
        return true
    }

    /// Returns whether the database has a log with content. Throws if the log cannot be read: the database without it is an
    /// older state, in which another person may have been the current one.
    func hasReadableLog() throws(StoreError) -> Bool {
        let log = beside("-wal")
        guard try isThere(log, as: .file), let status = try entry(log), !status.isEmpty else { return false }
        do {
            let file = try FileDescriptor.open(log, .readOnly, options: [.noFollow, .closeOnExec])
            try file.close()
        } catch {
            throw StoreError(.readLog, log, error)
        }
        return true
    }

    /// Takes the lock that separates processes that write from one that replaces the file. The folder exists; returns `nil`
    /// if another process excludes this one for longer than `patience` milliseconds.
    ///
    /// SQLite's own locks belong to the file. A process that waits for one while the file is replaced would continue with
    /// the old file and the new one's log, which damages both.
    func lock(_ mode: FileLock.Mode, patience: Int32) throws(StoreError) -> FileLock? {
        let path = locks.appending("store.lock")
        do {
            let lock = try FileLock(path)
            return try lock.lock(mode, patience: patience) ? lock : nil
        } catch {
            throw StoreError(.useLock, path, error)
        }
    }

    private func entry(_ path: FilePath) throws(StoreError) -> SmallFile.Status? {
        do {
            return try SmallFile.Status(at: path)
        } catch {
            throw StoreError(.checkStore, path, error)
        }
    }
}

extension SmallFile.Status {
    /// Reads the status of a path itself; `nil` if it does not exist.
    init?(at path: FilePath) throws(Errno) {
        let (status, error) = SmallFile.entry(path.string)
        guard let status else {
            if Errno(rawValue: error) == .noSuchFileOrDirectory { return nil }
            throw Errno(rawValue: error)
        }
        self = status
    }
}
