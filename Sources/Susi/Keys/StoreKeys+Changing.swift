public import SusiPolicies
public import SusiStore
import SystemPackage

/// How far a store is open.
public struct StoreStatus: Sendable {
    /// Whether its key is at hand.
    public enum Access: Sendable {
        /// There is no store, or it has no key yet.
        case none
        /// The key file holds the key.
        case open
        /// The kernel keeps the key until a time in seconds since 1970; nil when it does so without an end.
        case kept(until: Int64?)
        /// The key has to be asked for.
        case locked
        /// The key is lost, or its file is not right.
        case unusable(SusiError)
    }

    /// The folder.
    public let folder: StoreFolder
    /// What is known of the database; nil when there is none, or one of an earlier version.
    public let facts: StoreFacts?
    /// Where the key is; nil without a store.
    public let source: KeySource?
    /// Which key it is.
    public let keyID: KeyID?
    /// Whether the key is at hand.
    public let access: Access
    /// Why the kernel keeps no keys here; nil when it does.
    public let keyringRefusal: String?
}

extension StoreKeys {
    /// Looks at the store. Nobody is asked, and nothing is made or written.
    public func status() throws(SusiError) -> StoreStatus {
        var facts: StoreFacts?
        do {
            facts = try AccountStore(existing: folder)?.facts()
        } catch {
            guard [.olderSchema, .keyDamaged].contains(error.kind) else { throw SusiError(error) }
        }
        let record: KeyRecord?
        var access = StoreStatus.Access.none
        do {
            record = try folder.keyRecord()
            if let record { access = self.access(record) }
        } catch {
            record = nil
            access = .unusable(SusiError(error))
        }
        return StoreStatus(
            folder: folder, facts: facts, source: record?.source, keyID: record?.id, access: access,
            keyringRefusal: KernelKeyring.refusal.map(String.init(describing:)))
    }

    private func access(_ record: KeyRecord) -> StoreStatus.Access {
        if record.source == .file { return .open }
        if let held = record.held() { return .kept(until: held.until) }
        let locked = record.locked(in: folder)
        return locked.kind == .locked ? .locked : .unusable(SusiError(locked))
    }

    /// Asks for the key and has the kernel keep it for `lifetime` seconds, else for the time that the store says. Gives the
    /// time when the kernel forgets it, or nil when that is never.
    ///
    /// ``SusiError/Code/store`` when it is not to be had, and where the kernel keeps no keys.
    public func unlock(lifetime: Int64? = nil) async throws(SusiError) -> Int64? {
        do {
            let record = try existingRecord()
            guard record.source != .file else { return nil }
            if let held = record.held() {
                // What is kept already is kept for another time.
                try record.hold(held.key, lifetime: lifetime, now: clock())
            } else {
                let key = try await key(of: record, lifetime: lifetime)
                try record.hold(key, lifetime: lifetime, now: clock())
            }
            return record.held()?.until
        } catch let reason as Errno {
            throw SusiError.cannotStayUnlocked(reason)
        } catch {
            throw SusiError(keys: error)
        }
    }

    /// Has the kernel forget the key, for all processes at once; false when it kept none. What is in a key file or a key
    /// service stays there.
    public func lock() throws(SusiError) -> (source: KeySource, wasOpen: Bool) {
        do {
            let record = try existingRecord()
            return (record.source, record.release())
        } catch { throw SusiError(keys: error) }
    }

    /// Seals everything with a new key, which goes to `source`, else to where the old one is, and forgets the old one.
    ///
    /// The store opens at any time, also when this process dies. `lifetime` is how many seconds the kernel keeps the new key
    /// after each use. What does not open is refused, or removed with `droppingDamaged`; so is everything when the old key is
    /// lost.
    public func rekey(
        to source: KeySource? = nil, lifetime: Int64? = nil, droppingDamaged: Bool = false
    ) async throws(SusiError) -> (source: KeySource, change: KeyChange) {
        do {
            let old = try? folder.keyRecord()
            let key = try await oldKey(old, droppingDamaged)
            // Before anything is made: a store that does not open is better known now.
            let store = try AccountStore(opening: folder, key: key, rule: droppingDamaged ? .unneeded : .existing)
            let new = try await newKey(try source ?? old?.source ?? keeper.choices().source, lifetime: lifetime)
            let change: KeyChange
            do { change = try store.rekey(to: new, droppingDamaged: droppingDamaged) } catch {
                // It may have been written all the same, when only the answer was lost.
                if try folder.keyRecord()?.id != new.record.id { await release(new.record) }
                throw error
            }
            if let leftover = store.leftover { await release(leftover) }
            if let old = change.old ?? old, old.id != new.record.id { await release(old) }
            return (new.record.source, change)
        } catch { throw SusiError(keys: error) }
    }

    /// Asks for the key where it has to be asked for; nil when it is at hand, lost, or not known.
    public func askedKey() async throws(SusiError) -> SealingKey? {
        do { return try await oldKey(try? folder.keyRecord(), true) } catch { throw SusiError(keys: error) }
    }

    // Nil when the store needs none, or when it is lost and that is accepted.
    private func oldKey(_ record: KeyRecord?, _ droppingDamaged: Bool) async throws -> SealingKey? {
        guard let record, record.source != .file, record.held() == nil else { return nil }
        let locked = record.locked(in: folder)
        if locked.kind == .keyMissing {
            if droppingDamaged { return nil }
            throw locked
        }
        return try await key(of: record)
    }

    private func existingRecord() throws -> KeyRecord {
        if let record = try folder.keyRecord() { return record }
        throw SusiError.noStoreKey(folder)
    }
}

extension SusiError {
    /// Errors of keys, whatever their type.
    init(keys error: any Error) {
        switch error {
        case let error as SusiError: self = error
        case let error as StoreError: self.init(error)
        case is CancellationError: self.init(.cancelled, "cancelled")
        default: self = .unexpected(error)
        }
    }
}
