import Crypto
import FoundationEssentials
public import SusiOAuth
public import SusiPolicies
public import SystemPackage

/// The folder that holds the database, its key and the lock files, all of one user.
public struct StoreFolder: Hashable, Sendable {
    /// The folder.
    public let path: FilePath
    /// The user id that everything in it must belong to.
    public let owner: UInt32

    /// Names a folder; nothing is read or made.
    public init(_ path: FilePath, owner: UInt32) {
        self.path = path
        self.owner = owner
    }

    /// The SQLite file.
    public var database: FilePath { path.appending("store.sqlite") }
    /// The file that says where the key is that seals, or holds it.
    public var key: FilePath { path.appending("key") }
    /// What `key` will be: there while the key changes, or after a change that was cut short.
    var newKey: FilePath { path.appending("key.new") }
    /// The folder for lock files.
    public var locks: FilePath { path.appending("locks") }

    /// The file that a process locks while it refreshes an account's tokens. Its name tells nothing of the account.
    public func lock(of account: Account) -> FilePath { lock(TokenKey.refresh(account).bytes) }

    /// The file that a process locks while it uses an imported token for the first time.
    public func lock(of imported: ImportedToken.Key) -> FilePath { lock(imported.bytes) }

    /// The file that a process locks while a person signs in under a policy. Its name tells nothing of either.
    public func lock(ofSignIn policy: PolicyName, in scope: ApplicationScope) -> FilePath {
        // None of the parts holds a line's end.
        let parts = ["susi-sign-in-1", scope.origin, scope.tenantName, scope.clientID, policy.lowercased]
        return lock(Array(parts.joined(separator: "\n").utf8))
    }

    private func lock(_ name: [UInt8]) -> FilePath {
        let hash = SHA256.hash(data: name).prefix(16)
        return locks.appending(hash.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined() + ".lock")
    }

    /// Makes the folder and the one for locks when they are missing, for the owner alone, and checks everything.
    ///
    /// What is there already is never changed: too wide permissions are said, not mended.
    public func prepare() throws(StoreError) {
        if try entry(path) == nil { try make(path) }
        // Before anything is made inside: the folder may be a link to somewhere else.
        _ = try isThere(path, as: .directory)
        if try entry(locks) == nil { try make(locks) }
        try check()
    }

    /// Makes a folder under a name of its own and moves it into place, so that another process that starts at the same
    /// time never sees it with the mode that the umask gave.
    private func make(_ folder: FilePath) throws(StoreError) {
        let files = FileManager.default
        let new = folder.removingLastComponent().appending(".susi-\(UUID().uuidString)")
        do {
            try files.createDirectory(
                atPath: new.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try files.moveItem(atPath: new.string, toPath: folder.string)
        } catch {
            try? files.removeItem(atPath: new.string)
            // Another process was faster; what it made is checked like everything else.
            if try entry(folder) != nil { return }
            throw StoreError.cannotMakeFolder(folder, error)
        }
    }

    /// Checks mode, owner and kind of the folder and of every file of the store that is there.
    public func check() throws(StoreError) {
        guard try isThere(path, as: .directory) else {
            throw StoreError.noFolder(path)
        }
        _ = try isThere(locks, as: .directory)
        for file in [database, key, newKey] + ["-wal", "-shm", "-journal"].map({ FilePath(database.string + $0) }) {
            _ = try isThere(file, as: .regular)
        }
    }

    /// Whether something is at `path`; what is there must be of that type, ours, closed to others, and no link.
    func isThere(_ path: FilePath, as type: FileStatus.Kind) throws(StoreError) -> Bool {
        guard let entry = try entry(path) else { return false }
        let folder = type == .directory
        if entry.kind == .symbolicLink {
            throw StoreError.link(path, isFolder: folder)
        }
        guard entry.kind == type else {
            throw StoreError.otherKind(path, isFolder: folder)
        }
        guard entry.owner == owner else {
            throw StoreError.otherOwner(path, entry.owner, expected: owner)
        }
        guard !entry.isOpenToOthers else {
            throw StoreError.openToOthers(path, isFolder: folder)
        }
        return true
    }

    private func entry(_ path: FilePath) throws(StoreError) -> FileStatus? {
        do {
            return try FileStatus(at: path)
        } catch {
            throw StoreError(error, path: path, what: "the store cannot be checked")
        }
    }
}
