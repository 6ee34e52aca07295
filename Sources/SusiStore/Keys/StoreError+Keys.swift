import SusiPolicies
import SystemPackage

extension StoreError {
    static let dropDamaged = NextStep.dropDamagedRecords

    static func keyMissing(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .keyMissing, path: folder.key, what: "the stored accounts cannot be decrypted",
            why: "the key file \(folder.key) is missing",
            next: "restore the file, or start with an empty store: \(dropDamaged)")
    }

    static func keyDamaged(_ path: FilePath, isEmpty: Bool, _ folder: StoreFolder) -> StoreError {
        let expected =
            "expected one line, “susi-key-1” with 32 bytes in hexadecimal digits, or “susi-key-2” with the key's source"
        return StoreError(
            .keyDamaged, path: path, what: "invalid key file",
            why: isEmpty ? "\(path) is empty" : "\(path): \(expected)",
            next: "restore the file, or start with an empty store: \(dropDamaged)")
    }

    static func otherKey(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .otherKey, path: folder.key, what: "the stored accounts cannot be decrypted",
            why: "they were encrypted with a different key than \(folder.key)",
            next: "restore the right key file, or start with an empty store: \(dropDamaged)")
    }

    static func noKey(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .noKey, path: folder.key, what: "the store has no key yet", why: "\(folder.key) does not exist",
            next: "open the store with a rule that creates a key")
    }

    static func locked(_ record: KeyRecord, _ folder: StoreFolder) -> StoreError {
        guard record.source != .memory else {
            return StoreError(
                .keyMissing, path: folder.key, what: "the stored accounts cannot be decrypted",
                why:
                    "the key was only in this machine's memory and is gone: the store was locked, or the machine was "
                    + "restarted",
                next: "start with an empty store: \(dropDamaged)")
        }
        let why =
            switch record.source {
            case .passphrase: "its key is protected by a passphrase"
            case .command: "its key comes from the key command"
            default: "its key is in the \(record.source.name)"
            }
        return StoreError(
            .locked, path: folder.key, what: "the store is locked", why: why,
            next: .unlockStore)
    }
}
