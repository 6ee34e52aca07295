import SusiPolicies
import SystemPackage

extension StoreError {
    static func keyMissing(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .keyMissing, path: folder.key, what: "The stored accounts cannot be opened.",
            why: "The key that sealed them, \(folder.key), is gone.",
            next: "Put it back, or begin afresh: susi store rekey --drop-damaged")
    }

    static func keyDamaged(_ path: FilePath, _ folder: StoreFolder) -> StoreError {
        StoreError(
            .keyDamaged, path: path, what: "The store's key cannot be used.",
            why:
                "\(path) does not hold one line with “susi-key-1” and 32 bytes in hexadecimal digits, or with “susi-key-2” "
                + "and where the key is.",
            next: "Put the right file back, or move the folder \(folder.path) away and sign in again.")
    }

    static func otherKey(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .otherKey, path: folder.key, what: "The stored accounts cannot be opened.",
            why: "\(folder.key) is of another key than the one that sealed them.",
            next: "Put the right file back, or begin afresh: susi store rekey --drop-damaged")
    }

    static func noKey(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .noKey, path: folder.key, what: "The store has no key yet.", why: "\(folder.key) does not exist.",
            next: "Open it with a rule that makes one.")
    }

    static func locked(_ record: KeyRecord, _ folder: StoreFolder) -> StoreError {
        guard record.source != .memory else {
            return StoreError(
                .keyMissing, path: folder.key, what: "The stored accounts cannot be opened any more.",
                why:
                    "Their key was in this machine's memory only, and it is gone: the store was locked, or the machine "
                    + "restarted.",
                next: "Begin afresh: susi store rekey --drop-damaged")
        }
        let why =
            switch record.source {
            case .passphrase: "Its key is made of a passphrase, which was not given."
            case .command: "Its key is made of what a command prints, which was not asked."
            default: "Its key is in the \(record.source.name), which was not asked."
            }
        return StoreError(
            .locked, path: folder.key, what: "The store is locked.", why: why, next: "Run: susi store unlock")
    }
}
