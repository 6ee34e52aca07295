import SusiBase
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
            throw StoreError(.readKey, path, Errno.permissionDenied)
        }
        guard let record = KeyRecord(bytes) else { throw StoreError(.keyDamaged(isEmpty: bytes.isEmpty), path) }
        return record
    }

    /// Replaces the file atomically; it is on the disk when this returns. The caller holds the write lock of the database, so
    /// that no other process uses the temporary name.
    func write(_ record: KeyRecord) throws(StoreError) {
        do {
            let temporary = FilePath(folder.key.string + ".tmp")
            try PrivateFile.write(record.line.utf8, to: path, as: temporary, isDurable: true)
        } catch { throw StoreError(.writeKey, path, error) }
    }

    func move(to other: KeyFile) throws(StoreError) {
        do {
            try FileName.move(path, to: other.path)
            try FileName.flush(in: folder.path)
        } catch { throw StoreError(.writeKey, path, error) }
    }

    func remove() { SmallFile.remove(path.string) }
}
