import SusiBase
package import SusiOAuth
package import SusiPolicies
internal import SusiSQLite
package import SystemPackage

/// What happened in the store, and with which file. `Susi` has the sentences and the next steps.
package struct StoreError: Error, Hashable, Sendable {
    package let fact: Fact
    package let path: FilePath

    package init(_ fact: Fact, _ path: FilePath) {
        self.fact = fact
        self.path = path
    }

    package enum Fact: Hashable, Sendable {
        /// The folder or the database does not exist.
        case noStore
        case link(isFolder: Bool)
        /// It is not a folder, or not a regular file.
        case otherType(isFolder: Bool)
        /// It belongs to another user.
        case otherOwner(UInt32, expected: UInt32)
        /// Other users have access to it.
        case openToOthers(isFolder: Bool)
        /// A backup must not replace it.
        case exists
        /// The file system refused an operation, for this reason.
        case failed(Operation, String)
        /// The list of trusted files is larger than this number of bytes, or cannot be read.
        case trustListUnreadable(limit: Int)
        /// A path with a line break cannot be in the list of trusted files.
        case lineBreakInPath
        case fullDisk
        /// SQLite's code, its meaning and its message.
        case sqlite(SQLiteCode, code: Int32, meaning: String, message: String)
        case otherProgram
        /// A development version wrote it.
        case otherSchema(Int64, expected: Int64)
        case beingRepaired
        case openForWriting
        case repairInterrupted
        /// A row that was just written cannot be found.
        case rowMissing
        case emailsUnreadable
        case openedForReading
        /// An error that no part of the store expects, for this reason.
        case unexpected(String)
        /// There are encrypted values, and the key file is missing.
        case keyMissing
        case keyDamaged(isEmpty: Bool)
        /// The values were encrypted with another key than that of the key file.
        case otherKey
        /// The store has no key yet, and the caller did not ask to make one.
        case noKey
        /// The key has to be loaded from its source.
        case locked(KeySource)
        /// An encrypted value of an account was altered, moved, or encrypted with another key.
        case sealBroken(String, Account)
        /// The names of the first values that cannot be decrypted, of `count`; the key was not changed.
        case rekeyRefused(first: String, count: Int)
        case noAccount(Account)
        /// The store is shared, and this other person is signed in. Whether a server was asked before that was known.
        case occupied(String, wasSent: Bool)
        /// The store cannot be shared: these people have accounts in it.
        case severalPeople([String])
    }

    /// The codes of SQLite that the program tells apart.
    package enum SQLiteCode: Hashable, Sendable { case link, busy, damaged, disk, other }

    package enum Operation: CaseIterable, Sendable {
        case checkStore, createFolder, createStore, useLock, readLog, copyStore, repair
        case readKey, writeKey, writeTrustList
    }

    /// What a program decides by.
    package enum Kind: Sendable {
        case missing, unsafePermissions, notOurs, link, otherSchema, damaged, busy, disk, sqlite
        case keyMissing, keyDamaged, otherKey, noKey, locked, sealBroken, occupied
    }

    package var kind: Kind {
        switch fact {
        case .noStore, .noAccount: .missing
        case .openToOthers: .unsafePermissions
        case .otherType, .otherOwner, .exists, .lineBreakInPath, .otherProgram: .notOurs
        case .link, .sqlite(.link, _, _, _): .link
        case .otherSchema: .otherSchema
        case .sqlite(.damaged, _, _, _), .repairInterrupted, .rowMissing, .emailsUnreadable: .damaged
        case .sqlite(.busy, _, _, _), .beingRepaired, .openForWriting: .busy
        case .sqlite(.disk, _, _, _), .fullDisk, .failed, .trustListUnreadable: .disk
        case .sqlite(.other, _, _, _), .openedForReading, .unexpected: .sqlite
        case .keyMissing: .keyMissing
        case .keyDamaged: .keyDamaged
        case .otherKey: .otherKey
        case .noKey: .noKey
        case .locked: .locked
        case .sealBroken, .rekeyRefused: .sealBroken
        case .occupied, .severalPeople: .occupied
        }
    }
}

extension StoreError {
    /// Explains an error of SQLite. Only this function interprets its codes.
    init(_ error: SQLiteError, database path: FilePath) {
        if error.code == .full || error.extendedCode == SQLiteError.indexNotExtended {
            self.init(.fullDisk, path)
            return
        }
        let code: SQLiteCode =
            switch (error.code, error.extendedCode) {
            case (.cannotOpen, SQLiteError.symbolicLink): .link
            case (.busy, _), (.locked, _): .busy
            case (.corrupt, _), (.notADatabase, _), (.mismatch, _): .damaged
            case (.inputOutput, _), (.readOnly, _), (.cannotOpen, _), (.permission, _): .disk
            default: .other
            }
        self.init(
            .sqlite(code, code: error.extendedCode, meaning: error.meaning, message: error.message), path)
    }

    /// Explains an error of the system or of Foundation about a file.
    init(_ operation: Operation, _ path: FilePath, _ error: any Error) {
        let isLink = error as? Errno == .tooManySymbolicLinkLevels
        self.init(isLink ? .link(isFolder: false) : .failed(operation, FileFailure.reason(error)), path)
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
