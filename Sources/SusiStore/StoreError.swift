package import SusiPolicies
internal import SusiSQLite
package import SystemPackage

/// An error of the store: what failed, why, and what to do next.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        /// The account, the file or the folder does not exist.
        case missing
        /// Other users can read or change it.
        case unsafePermissions
        /// It belongs to another user or another program.
        case notOurs
        /// It is a symbolic link; links are not followed.
        case link
        /// Another version of this program wrote it.
        case otherSchema
        /// The file is damaged or not an SQLite database.
        case damaged
        /// Another process held the lock for too long.
        case busy
        /// There are encrypted values, and the key is missing.
        case keyMissing
        case keyDamaged
        /// The store was encrypted with another key than that of the key file.
        case otherKey
        /// The store has no key yet, and the caller did not ask to make one.
        case noKey
        /// The key has to be loaded from its source.
        case locked
        /// An encrypted value was altered, moved, or encrypted with another key.
        case sealBroken
        /// The store is shared, and another person is signed in.
        case occupied
        case disk
        /// Any other failure inside SQLite.
        case sqlite
    }

    package let kind: Kind
    package let path: FilePath
    /// What failed: one clause without a full stop.
    package let what: String
    /// Why it failed: one clause without a full stop.
    package let why: String
    package let nextStep: NextStep

    package var next: String { nextStep.description }

    package init(_ kind: Kind, path: FilePath, what: String, why: String, next: NextStep) {
        self.kind = kind
        self.path = path
        self.what = what
        self.why = why
        nextStep = next
    }

    package var description: String { "\(what): \(why)" }
}

extension StoreError {
    static let repair = NextStep.repairStore
    static let signIn = NextStep.signIn()
    static let checkDisk: NextStep = "check the disk and the permissions of the folder"
    static let freeSpace: NextStep = "free some space on that disk, then try again"
    static let waitForOther: NextStep = "wait for the other command to finish, then try again"

    /// Explains an error of SQLite. Only this function interprets its codes.
    init(_ error: SQLiteError, database path: FilePath) {
        if error.code == .full || error.extendedCode == SQLiteError.indexNotExtended {
            self.init(
                .disk, path: path, what: "the store cannot be written", why: "the disk is full: \(path)",
                next: Self.freeSpace)
            return
        }
        let (kind, what, next): (Kind, String, NextStep) =
            switch (error.code, error.extendedCode) {
            case (.cannotOpen, SQLiteError.symbolicLink):
                (.link, "the store cannot be opened", "replace the link with the file itself")
            case (.busy, _), (.locked, _):
                (.busy, "the store is in use", Self.waitForOther)
            case (.corrupt, _), (.notADatabase, _), (.mismatch, _):
                (.damaged, "the store is damaged", Self.repair)
            case (.inputOutput, _), (.readOnly, _), (.cannotOpen, _), (.permission, _):
                (.disk, "the store cannot be read or written", Self.checkDisk)
            default:
                (.sqlite, "the store failed", "try again; if it fails again: \(.checkStore)")
            }
        self.init(
            kind, path: path, what: what,
            why: "SQLite \(error.extendedCode) (\(error.meaning)): \(error.message)", next: next)
    }

    init(_ error: Errno, path: FilePath, what: String) {
        let kind: Kind =
            switch error {
            case .noSuchFileOrDirectory: .missing
            case .tooManySymbolicLinkLevels: .link
            default: .disk
            }
        self.init(
            kind, path: path, what: what, why: "\(path): \(error)", next: Self.checkDisk)
    }
}

extension SQLiteError {
    /// SQLITE_CANTOPEN_SYMLINK.
    static let symbolicLink: Int32 = 14 | (6 << 8)

    /// SQLITE_IOERR_SHMSIZE: the index of the log cannot become larger.
    static let indexNotExtended: Int32 = 10 | (19 << 8)

    /// The extended codes that a full or read-only disk, or an index that cannot be made or opened, produces when a store
    /// is opened: SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_READONLY with RECOVERY, CANTLOCK, CANTINIT and DIRECTORY, and
    /// SQLITE_IOERR with SHMOPEN and SHMSIZE. A journal to roll back, or a page that cannot be read, is not among them.
    private static let missingIndex: [Int32] =
        [13, 14, 8] + [1, 2, 5, 6].map { 8 | ($0 << 8) } + [10 | (18 << 8), indexNotExtended]

    /// Whether SQLite may have failed because it cannot make or open the index of its log.
    var isOfMissingIndex: Bool { Self.missingIndex.contains(extendedCode) }
}
