import SusiPolicies
import SystemPackage

/// A small file that holds the key, or says where it is.
struct KeyFile {
    let folder: StoreFolder
    let path: FilePath

    /// What it says; nil when there is no file.
    func read() throws(StoreError) -> KeyRecord? {
        guard try folder.isThere(path, as: .regular) else { return nil }
        guard let bytes = SmallFile.read(path.string, limit: KeyRecord.largest) else {
            // It may have been moved into its place a moment ago.
            guard try folder.isThere(path, as: .regular) else { return nil }
            throw StoreError(.permissionDenied, path: path, what: "the key file cannot be read")
        }
        guard let record = KeyRecord(bytes) else { throw StoreError.keyDamaged(path, folder) }
        return record
    }

    /// Writes it whole, in the place of an earlier one; it is on the disk when this returns. The caller holds the write
    /// lock of the database, so that nobody else uses the name beside it.
    func write(_ record: KeyRecord) throws(StoreError) {
        let new = FilePath(folder.key.string + ".tmp")
        SmallFile.remove(new.string)
        do {
            let file = try FileDescriptor.open(
                new, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite)
            try file.closeAfter {
                try file.writeAll(record.line.utf8)
                try file.flush()
            }
            try FileName.move(new, to: path)
            try FileName.flush(in: folder.path)
        } catch {
            throw StoreError(error as? Errno ?? .ioError, path: path, what: "the key file cannot be written")
        }
    }

    /// Takes the place of another file.
    func move(to other: KeyFile) throws(StoreError) {
        do {
            try FileName.move(path, to: other.path)
            try FileName.flush(in: folder.path)
        } catch {
            throw StoreError(error as? Errno ?? .ioError, path: path, what: "the key file cannot be replaced")
        }
    }

    /// Removes it.
    func remove() { SmallFile.remove(path.string) }
}
