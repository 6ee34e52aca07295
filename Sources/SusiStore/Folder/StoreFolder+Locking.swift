import SystemPackage

extension StoreFolder {
    /// Takes the lock that separates processes that write from one that replaces the file. The folder exists; returns `nil`
    /// if another process excludes this one for longer than `patience` milliseconds.
    ///
    /// SQLite's own locks belong to the file. A process that waits for one while the file is replaced would continue with
    /// the old file and the new one's log, which damages both.
    func lock(_ mode: FileLock.Mode, patience: Int32) throws(StoreError) -> FileLock? {
        let path = locks.appending("store.lock")
        do {
            let lock = try FileLock(path)
            return try lock.lock(mode, patience: patience) ? lock : nil
        } catch {
            throw StoreError(error, path: path, what: "the store's lock file cannot be used")
        }
    }
}

extension StoreError {
    static func inUse(_ folder: StoreFolder, _ why: String) -> StoreError {
        StoreError(
            .busy, path: folder.database, what: "the store is in use", why: why, next: waitForOther)
    }
}
