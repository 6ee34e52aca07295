package import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

/// An encrypted export: a store in memory, encrypted as a whole under a passphrase.
///
/// The file has a line with its version, a line with the derivation of the key as in a key file, and AES-256-GCM's nonce,
/// ciphertext and tag, which authenticates the two lines too. The version is that of the schema.
package enum ExportFile {
    /// The beginning of the first line in every version.
    private static let family = "susi-export-"
    private static let version = "\(family)\(Schema.version)\n"
    /// The maximum size of a file, in bytes.
    package static let largest = 256 << 20

    /// Returns whether a file is an encrypted export, of any version.
    package static func isExport(_ file: some Sequence<UInt8>) -> Bool { file.starts(with: family.utf8) }

    static func seal(_ content: [UInt8], with new: NewKey) throws -> [UInt8] {
        let lines = Array((version + new.record.line).utf8)
        guard content.count < largest - 2 * KeyRecord.largest else { throw ExportFileError.tooLarge }
        return lines + (try Seal(key: new.key).seal(content, authenticating: lines))
    }

    static func open(_ file: [UInt8], passphrase: String) throws(ExportFileError) -> (content: [UInt8], key: SealingKey)
    {
        guard isExport(file) else { throw .notOurs }
        guard file.starts(with: version.utf8) else { throw .otherVersion }
        guard file.count <= largest else { throw .tooLarge }
        let rest = file.dropFirst(version.utf8.count)
        guard let end = rest.prefix(KeyRecord.largest).firstIndex(of: UInt8(ascii: "\n")),
            let record = KeyRecord(Array(rest[...end])), record.source == .passphrase
        else { throw .altered }
        guard let key = record.key(from: passphrase) else { throw .wrongPassphrase }
        guard let content = Seal(key: key).open(Array(file[(end + 1)...]), authenticating: Array(file[...end]))
        else { throw .altered }
        return (content, key)
    }
}

/// Why an encrypted export was refused.
package enum ExportFileError: Error, Hashable, Sendable {
    /// It is not an encrypted export.
    case notOurs
    /// Another version of this program wrote it.
    case otherVersion
    case tooLarge
    /// The passphrase is not that of the file, or the beginning of the file was altered.
    case wrongPassphrase
    /// A byte was altered, or the end is missing.
    case altered
    /// The content is not a store; the text says why.
    case content(String)
    /// The content is a store that cannot be read.
    case store(StoreError)
}

extension AccountStore {
    /// Returns a copy of the accounts, of every application, as an encrypted export. `now` is in seconds since 1970.
    package func export(
        passphrase: String, now: Int64, where isWritten: (Account) -> Bool = { _ in true }
    ) throws -> (file: [UInt8], copy: AccountCopy) {
        // Before the key is derived, which takes time: if this store is locked, the caller unlocks it and tries again.
        _ = try openedSeal()
        let key = try NewKey(for: .passphrase, from: passphrase, lifetime: 0)
        return try export(with: key, now: now, where: isWritten)
    }

    func export(
        with new: NewKey, now: Int64, where isWritten: (Account) -> Bool = { _ in true }
    ) throws -> (file: [UInt8], copy: AccountCopy) {
        let target = try AccountStore.inMemory(key: new.key)
        let copy = try reading {
            try Self.copy(allAccounts().filter { isWritten($0.account) }, from: self, to: target, now: now)
        }
        return (try ExportFile.seal(try target.database.bytes(), with: new), copy)
    }

    /// Copies the accounts of an encrypted export into this store, all of it or nothing. `now` is in seconds since 1970. Throws
    /// ``ExportFileError`` for a file that cannot be read.
    package func importExport(
        _ file: [UInt8], passphrase: String, isDryRun: Bool = false, now: Int64
    ) throws -> AccountCopy {
        _ = try openedSeal()
        let (content, key) = try ExportFile.open(file, passphrase: passphrase)
        let source: AccountStore
        do { source = try AccountStore.inMemory(content, key: key) } catch let error as SQLiteError {
            throw ExportFileError.content(error.message)
        }
        do {
            let copy = try Self.copy(source.allAccounts(), from: source, to: self, isDryRun: isDryRun, now: now)
            if !isDryRun { _ = emptyLog() }
            return copy
        } catch  where error.path == source.folder.database {
            throw ExportFileError.store(error)
        }
    }

    /// Returns what an import would do to a store that does not exist yet.
    package static func importOutlook(_ file: [UInt8], passphrase: String, now: Int64) throws -> AccountCopy {
        try inMemory(key: SealingKey()).importExport(file, passphrase: passphrase, now: now)
    }

    private static func inMemory(key: SealingKey) throws -> AccountStore {
        let database = try Connection(path: ":memory:")
        try database.set("foreign_keys = ON")
        try Schema.create(in: database)
        return AccountStore(database, key: key, isForReading: false)
    }

    /// Opens the bytes of a store's file in memory, for reading. Refuses any other schema: a view or a trigger could play tricks.
    private static func inMemory(_ file: [UInt8], key: SealingKey) throws -> AccountStore {
        let database = try Connection(file: file)
        let ours = try Connection(path: ":memory:")
        try Schema.create(in: ours)
        guard try StoreCheck.schema(of: database) == StoreCheck.schema(of: ours) else {
            throw ExportFileError.content("its tables are not those of a store")
        }
        return AccountStore(database, key: key, isForReading: true)
    }
}
