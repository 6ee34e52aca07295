import SusiPolicies
import SystemPackage

// Errors of the store's folder, its files, and their copies.
extension StoreError {
    private static let refused = "the store is not opened, to keep its tokens safe"

    static func noFolder(_ path: FilePath) -> StoreError {
        StoreError(.missing, path: path, what: "no store", why: "the folder \(path) does not exist", next: signIn)
    }

    static func cannotMakeFolder(_ path: FilePath, _ error: any Error) -> StoreError {
        StoreError(
            .disk, path: path, what: "the folder of the store cannot be created",
            why: "\(path): \(FileFailure.reason(error))",
            next: "check the disk and the permissions of the parent folder")
    }

    static func link(_ path: FilePath, isFolder: Bool) -> StoreError {
        StoreError(
            .link, path: path, what: refused, why: "\(path) is a symbolic link",
            next: "replace the link with the \(isFolder ? "folder" : "file") itself")
    }

    static func otherKind(_ path: FilePath, isFolder: Bool) -> StoreError {
        StoreError(
            .notOurs, path: path, what: refused, why: "\(path) is not a \(isFolder ? "folder" : "regular file")",
            next: "move it away")
    }

    static func otherOwner(_ path: FilePath, _ owner: UInt32, expected: UInt32) -> StoreError {
        StoreError(
            .notOurs, path: path, what: refused, why: "\(path) belongs to user \(owner), not to user \(expected)",
            next: "set SUSI_HOME to a folder of your own")
    }

    static func openToOthers(_ path: FilePath, isFolder: Bool) -> StoreError {
        StoreError(
            .unsafePermissions, path: path, what: refused, why: "other users have access to \(path)",
            next: "chmod \(isFolder ? "700" : "600") '\(path)'")
    }

    static func otherSchema(_ version: Int64, _ path: FilePath) -> StoreError {
        StoreError(
            .otherSchema, path: path, what: "the store cannot be opened",
            why: "a development version made \(path) with schema \(version); this version has \(Schema.version)",
            next: "keep a copy with “store backup” of that version, or remove the file")
    }

    static func foreign(_ path: FilePath) -> StoreError {
        StoreError(
            .notOurs, path: path, what: "the store cannot be opened",
            why: "\(path) is a database of another program", next: "move the file away")
    }

    /// An impossible row, or a file that SQLite cannot read.
    static func damaged(_ folder: StoreFolder, _ why: String, what: String = "the store is damaged") -> StoreError {
        StoreError(.damaged, path: folder.database, what: what, why: why, next: repair)
    }

    static func openedForReading(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .sqlite, path: folder.database, what: "nothing was written", why: "the store was opened for reading",
            next: "open the store for writing")
    }

    static func unexpected(_ error: any Error, _ folder: StoreFolder) -> StoreError {
        StoreError(
            .sqlite, path: folder.database, what: "the store failed", why: FileFailure.reason(error), next: "try again")
    }

    static func backupExists(_ file: FilePath) -> StoreError {
        StoreError(
            .notOurs, path: file, what: "no backup was made", why: "\(file) exists",
            next: "name a new file, or add --force")
    }

    static func cannotCopy(to path: FilePath, what: String, _ reason: String) -> StoreError {
        StoreError(.disk, path: path, what: what, why: "\(path) cannot be written: \(reason)", next: checkDisk)
    }

    static func trustListUnreadable(_ path: FilePath, limit: Int) -> StoreError {
        StoreError(
            .disk, path: path, what: "the list of trusted files cannot be read",
            why: "\(path) is not readable, or larger than \(limit) bytes", next: "move the file away")
    }

    static func untrustablePath(_ path: FilePath) -> StoreError {
        StoreError(
            .notOurs, path: path, what: "the file cannot be trusted", why: "its path contains a line break",
            next: "name it with --config instead")
    }

    static func cannotRepair(_ folder: StoreFolder, _ error: any Error) -> StoreError {
        StoreError(
            .disk, path: folder.repair, what: "the store cannot be repaired",
            why: "\(folder.repair): \(FileFailure.reason(error))", next: checkDisk)
    }

    static func repairInterrupted(_ folder: StoreFolder) -> StoreError {
        damaged(folder, "a repair was interrupted", what: "the store cannot be opened")
    }
}
