package import Susi
import SystemPackage

package struct StoreStatus: Sendable {
    package enum Access: Sendable {
        /// There is no store, or it has no key yet.
        case none
        /// The key file holds the key.
        case open
        /// The kernel keeps the key until a time in seconds since 1970; `nil` for no limit.
        case kept(until: Int64?)
        /// The key has to be requested.
        case locked
        /// The key is lost, or its file is invalid.
        case unusable(SusiError)
    }

    package let folder: StoreFolder
    /// Facts about the database; `nil` if there is none, or its key file is invalid.
    package let facts: StoreFacts?
    /// The key source; `nil` without a store.
    package let source: KeySource?
    package let keyID: KeyID?
    package let access: Access
    /// Why the kernel keyring is unavailable; `nil` if it is available.
    package let keyringRefusal: String?

    /// Whether the key is lost, or its file is invalid.
    package var isUnusable: Bool { if case .unusable = access { true } else { false } }
}

extension StoreKeys {
    /// Reads the state of the store. No key is requested, and nothing is written.
    package func status() throws(SusiError) -> StoreStatus {
        var (facts, record, problem): (StoreFacts?, KeyRecord?, StoreError?)
        do {
            let store = try AccountStore(existing: folder)
            facts = try store?.facts()
            problem = try store?.missingKey()
            record = try folder.keyRecord()
        } catch {
            guard error.kind == .keyDamaged else { throw SusiError(error) }
            problem = error
        }
        let access: StoreStatus.Access =
            if let problem { .unusable(SusiError(problem)) } else if let record { Self.access(record) } else { .none }
        return StoreStatus(
            folder: folder, facts: facts, source: record?.source, keyID: record?.id, access: access,
            keyringRefusal: KernelKeyring.refusal.map(String.init(describing:)))
    }

    private static func access(_ record: KeyRecord) -> StoreStatus.Access {
        if record.source == .file { return .open }
        return record.held().map { .kept(until: $0.until) } ?? .locked
    }

    /// Requests the key and keeps it in the kernel for `lifetime` seconds, else for the store's own time. Returns the time
    /// when the kernel removes it; `nil` for never.
    ///
    /// Throws ``SusiError/Code/store`` if the key or the kernel keyring is unavailable.
    package func unlock(lifetime: Int64? = nil) async throws(SusiError) -> Int64? {
        do {
            let record = try existingRecord()
            guard record.source != .file else { return nil }
            // A key in the kernel gets a new time limit.
            let key = if let held = record.held() { held.key } else { try await key(of: record, lifetime: lifetime) }
            try record.hold(key, lifetime: lifetime, now: clock())
            return record.held()?.until
        } catch let reason as Errno {
            throw SusiError.cannotStayUnlocked(reason)
        } catch {
            throw SusiError(plain: error)
        }
    }

    /// Removes the key from the kernel, for all processes; `wasOpen` is `false` if it was not there. A key in a key file or a
    /// key service is kept.
    package func lock() throws(SusiError) -> (source: KeySource, wasOpen: Bool) {
        do {
            let record = try existingRecord()
            return (record.source, record.release())
        } catch { throw SusiError(plain: error) }
    }

    /// Re-encrypts the store with a new key, which is stored at `source`, else at the old key's source, and removes the old
    /// key.
    ///
    /// The store can be opened at any time, even if this process is killed. The kernel keeps the new key for `lifetime`
    /// seconds after each use. Records that cannot be decrypted are an error, or are removed with `droppingDamaged`; if the
    /// old key is lost, these are all records.
    package func rekey(
        to source: KeySource? = nil, lifetime: Int64? = nil, droppingDamaged: Bool = false
    ) async throws(SusiError) -> (source: KeySource, change: KeyChange) {
        do {
            let old = try? folder.keyRecord()
            let key = try await oldKey(old)
            // Opened first, so that an error of the store is reported before a key is made.
            let store = try AccountStore(opening: folder, key: key, rule: droppingDamaged ? .unneeded : .existing)
            let new = try await newKey(try source ?? old?.source ?? keeper.choices().source, lifetime: lifetime)
            let change: KeyChange
            do { change = try store.rekey(to: new, droppingDamaged: droppingDamaged) } catch {
                // The change may have been written although the call failed.
                if try folder.keyRecord()?.id != new.record.id { await release(new.record) }
                throw error
            }
            if let leftover = store.leftover { await release(leftover) }
            if let old = change.old ?? old, old.id != new.record.id { await release(old) }
            return (new.record.source, change)
        } catch { throw SusiError(plain: error) }
    }

    /// Shares the store, which is created if it is missing, or ends that. No key is requested.
    package func share(_ isShared: Bool) throws(SusiError) {
        do {
            if try !isShared && status().facts?.isShared != true { return }
            try AccountStore(opening: folder, rule: .unneeded).share(isShared)
        } catch { throw SusiError(plain: error) }
    }

    /// Requests the key if necessary; returns `nil` if it is available or unknown.
    package func askedKey() async throws(SusiError) -> SealingKey? {
        do { return try await oldKey(try? folder.keyRecord()) } catch { throw SusiError(plain: error) }
    }

    // Returns `nil` if the key need not be requested.
    private func oldKey(_ record: KeyRecord?) async throws -> SealingKey? {
        guard let record, record.source != .file, record.held() == nil else { return nil }
        return try await key(of: record)
    }

    private func existingRecord() throws -> KeyRecord {
        if let record = try folder.keyRecord() { return record }
        throw SusiError.noStoreKey(folder)
    }
}
