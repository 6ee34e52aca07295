import SusiPolicies
import SystemPackage

/// The file with the key, or with the key's source.
struct KeyFile {
    let folder: StoreFolder
    let path: FilePath

    /// Reads the record; `nil` if there is no file.
    func read() throws(StoreError) -> KeyRecord? {
        guard try folder.isThere(path, as: .file) else { return nil }
        guard let bytes = SmallFile.read(path.string, limit: KeyRecord.largest) else {
            // Another process may be moving it into place.
            guard try folder.isThere(path, as: .file) else { return nil }
            throw StoreError(.permissionDenied, path: path, what: "the key file cannot be read")
        }
        guard let record = KeyRecord(bytes) else { throw StoreError.keyDamaged(path, isEmpty: bytes.isEmpty, folder) }
        return record
    }

    /// Replaces the file atomically; it is on the disk when this returns. The caller holds the write lock of the database, so
    /// that no other process uses the temporary name.
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

    func move(to other: KeyFile) throws(StoreError) {
        do {
            try FileName.move(path, to: other.path)
            try FileName.flush(in: folder.path)
        } catch {
            throw StoreError(error as? Errno ?? .ioError, path: path, what: "the key file cannot be replaced")
        }
    }

    func remove() { SmallFile.remove(path.string) }
}
