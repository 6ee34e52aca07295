import FoundationEssentials
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
        guard try folder.isThere(folder.database, as: .file) else { throw StoreError.noStore(folder) }
        return try AccountStore.guarded(folder) {
            let database = try AccountStore.connect(folder, busyTimeout, mode: .readOnly)
            guard try Schema.isPresent(in: database, of: folder) else { throw StoreError.noStore(folder) }
            let new = FilePath("\(file.string).\(UUID().uuidString.prefix(8)).new")
            do {
                try database.copy(to: new)
                let made = try facts(of: new)
                try place(new, at: file, replaces: replaces)
                return made
            } catch {
                try? FileName.remove(new)
                throw error
            }
        }
    }

    private static func facts(of copy: FilePath) throws -> Made {
        let database = try Connection(path: copy.withoutLinksAbove.string, mode: .readOnly)
        let accounts = try database.count("accounts")
        let file = try FileDescriptor.open(copy, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            Made(size: try file.seek(offset: 0, from: .end), accounts: accounts)
        }
    }

    private static func place(_ new: FilePath, at file: FilePath, replaces: Bool) throws {
        do {
            if replaces {
                try FileName.move(new, to: file)
            } else {
                try FileName.give(new, to: file)
            }
            let above = file.removingLastComponent()
            try FileName.flush(in: above.isEmpty ? "." : above)
        } catch Errno.fileExists {
            throw StoreError.backupExists(file)
        } catch let error as Errno {
            throw StoreError(error, path: file, what: "the backup cannot be moved into place")
        }
    }
}

extension Connection {
    /// Copies what is committed now into a new file that only its owner may read; it is on the disk when this returns.
    /// Other processes can write meanwhile, and deleted content is not copied.
    func copy(to path: FilePath) throws {
        do {
            // SQLite would create the file with the permissions of the umask.
            try FileName.make(path)
            try execute("VACUUM INTO ?", [.text(path.withoutLinksAbove.string)])
            try FileName.flush(path)
        } catch {
            try? FileName.remove(path)
            let what = "the store cannot be copied"
            switch error {
            case let error as Errno: throw StoreError(error, path: path, what: what)
            case let error as SQLiteError where [.full, .cannotOpen].contains(error.code):
                throw StoreError.cannotCopy(to: path, what: what, error.message)
            default: throw error
            }
        }
    }
}

extension StoreError {
    static func noStore(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .missing, path: folder.database, what: "no store", why: "\(folder.database) does not exist", next: signIn)
    }
}
