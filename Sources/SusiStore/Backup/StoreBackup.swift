import FoundationEssentials
import SusiBase
import SusiPolicies
internal import SusiSQLite
package import SystemPackage

/// A copy of the store in one file, made while other processes read and write.
package enum StoreBackup {
    package struct Made: Hashable, Sendable {
        /// The size of the copy in bytes.
        package let size: Int64
        package let accounts: Int
    }

    /// Copies the store of `folder` to `file`, which only its owner may read. The key is not in the copy.
    ///
    /// The copy gets its name when it is complete. An existing file is refused unless `replaces` is set. Throws `.missing`
    /// without a store, and `.damaged` if the store is.
    package static func make(
        of folder: StoreFolder, at file: FilePath, replaces: Bool = false, busyTimeout: Int32 = 5_000
    ) throws(StoreError) -> Made {
        try folder.check()
        return try AccountStore.guarded(folder) {
            let database = try AccountStore.connect(folder, busyTimeout, mode: .readOnly)
            guard try Schema.isPresent(in: database, of: folder) else { throw StoreError(.noStore, folder.database) }
            do {
                return try PrivateFile.make(file, replacing: replaces, isDurable: true) { new in
                    try copy(database, to: new)
                }
            } catch Errno.fileExists {
                throw StoreError(.exists, file)
            } catch let error as Errno {
                throw StoreError(.copyStore, file, error)
            } catch let error as SQLiteError where [.full, .cannotOpen].contains(error.code) {
                throw StoreError(.failed(.copyStore, error.message), file)
            }
        }
    }

    // Copies what is committed now. Other processes can write meanwhile, and deleted content is not copied.
    private static func copy(_ database: Connection, to file: PrivateFile) throws -> Made {
        // SQLite would create the file with the permissions of the umask.
        let path = file.temporary.withoutLinksAbove.string
        try database.execute("VACUUM INTO ?", [.text(path)])
        let accounts = try Connection(path: path, mode: .readOnly).count("accounts")
        return Made(size: SmallFile.status(path)?.size ?? 0, accounts: accounts)
    }
}
