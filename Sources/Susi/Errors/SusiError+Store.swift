import SusiPolicies
package import SusiStore

// Errors of the store.
extension SusiError {
    package init(_ error: StoreError) { self = Self.explaining(error) }

    private static let refused = "the store is not opened, to keep its tokens safe"
    private static let undecryptable = "the stored accounts cannot be decrypted"
    private static let checkDisk: NextStep = "check the disk and the permissions of the folder"
    private static let waitForOther: NextStep = "wait for the other command to finish, then try again"
    private static let restoreKey: NextStep =
        "restore the right key file, or start with an empty store: \(.dropDamagedRecords)"

    private static func explaining(_ error: StoreError) -> SusiError {
        let path = error.path
        return switch error.fact {
        case .noStore: SusiError(.store, "no store", why: "\(path) does not exist", next: .signIn())
        case .link(let isFolder):
            SusiError(
                .store, refused, why: "\(path) is a symbolic link",
                next: "replace the link with the \(isFolder ? "folder" : "file") itself")
        case .otherType(let isFolder):
            SusiError(
                .store, refused, why: "\(path) is not a \(isFolder ? "folder" : "regular file")", next: "move it away")
        case .otherOwner(let owner, let expected):
            SusiError(
                .store, refused, why: "\(path) belongs to user \(owner), not to user \(expected)",
                next: "set SUSI_HOME to a folder of your own")
        case .openToOthers(let isFolder):
            SusiError(
                .store, refused, why: "other users have access to \(path)",
                next: "chmod \(isFolder ? "700" : "600") '\(path)'")
        case .exists:
            SusiError(.store, "no backup was made", why: "\(path) exists", next: "name a new file, or add --force")
        case .failed(let operation, let reason):
            SusiError(.store, operation.failure, why: "\(path): \(reason)", next: checkDisk)
        case .trustListUnreadable(let limit):
            SusiError(
                .store, "the list of trusted files cannot be read",
                why: "\(path) is not readable, or larger than \(limit) bytes", next: "move the file away")
        case .lineBreakInPath:
            SusiError(
                .store, "the file cannot be trusted", why: "its path contains a line break",
                next: "name it with --config instead")
        case .fullDisk:
            SusiError(
                .store, "the store cannot be written", why: "the disk is full: \(path)",
                next: "free some space on that disk, then try again")
        case .sqlite(let kind, let code, let meaning, let message):
            explaining(kind, why: "SQLite \(code) (\(meaning)): \(message)")
        case .otherProgram:
            SusiError(
                .store, "the store cannot be opened", why: "\(path) is a database of another program",
                next: "move the file away")
        case .otherSchema(let version, let expected):
            SusiError(
                .store, "the store cannot be opened",
                why: "a development version made \(path) with schema \(version); this version has \(expected)",
                next: "keep a copy with “store backup” of that version, or remove the file")
        case .beingRepaired:
            SusiError(.store, "the store is in use", why: "it is being repaired", next: waitForOther)
        case .openForWriting:
            SusiError(
                .store, "the store is in use", why: "another command has it open for writing", next: waitForOther)
        case .repairInterrupted:
            SusiError(.store, "the store cannot be opened", why: "a repair was interrupted", next: .repairStore)
        case .rowMissing: SusiError(.store, "nothing was saved", why: "a written row is missing", next: .repairStore)
        case .emailsUnreadable:
            SusiError(
                .store, "the store is damaged", why: "the email addresses of a person cannot be read",
                next: .repairStore)
        case .openedForReading:
            SusiError(
                .store, "nothing was written", why: "the store was opened for reading",
                next: "open the store for writing")
        case .unexpected(let reason): SusiError(.store, "the store failed", why: reason, next: "try again")
        case .keyMissing:
            SusiError(.store, undecryptable, why: "the key file \(path) is missing", next: restoreKey)
        case .keyDamaged(let isEmpty):
            SusiError(
                .store, "invalid key file",
                why: isEmpty
                    ? "\(path) is empty"
                    : "\(path): expected one line, “susi-key-1” with 32 bytes in hexadecimal digits, or “susi-key-2” "
                        + "with the key's source", next: restoreKey)
        case .otherKey:
            SusiError(
                .store, undecryptable, why: "they were encrypted with a different key than \(path)", next: restoreKey)
        case .noKey:
            SusiError(.store, "the store has no key yet", why: "\(path) does not exist", next: .signIn())
        case .locked(let source):
            SusiError(.store, "the store is locked", why: "its key \(source.location)", next: .unlockStore)
        case .sealBroken(let value, let account):
            SusiError(
                .store,
                "the \(value) of \(account.person.subject) under \(account.policy.spelling) cannot be decrypted",
                why: "it was changed, moved, or encrypted with another key", next: .signIn(account.policy))
        case .rekeyRefused(let first, let count):
            SusiError(
                .store, "the key was not changed",
                why: "not everything can be decrypted: \(first)\(count == 1 ? "" : " and \(count - 1) more")",
                next: "sign in again, or remove what cannot be decrypted: \(.dropDamagedRecords)")
        case .noAccount(let account):
            SusiError(
                .store, "no such account in the store",
                why: "\(account.person.subject) has no account under \(account.policy.spelling)",
                next: .signIn(account.policy))
        case .occupied(let holder, let wasSent):
            SusiError(
                .differentPerson, "\(holder) is signed in, and this store is shared",
                why: "a shared store belongs to one person at a time; nothing was \(wasSent ? "" : "sent or ")stored "
                    + "for another one",
                next: .signOut)
        case .severalPeople(let people):
            SusiError(
                .differentPerson, "the store was not shared", why: "\(people.count) people have accounts in it",
                next: "\(.removePerson)\(remark: "for each person but one")", candidates: people)
        }
    }

    private static func explaining(_ code: StoreError.SQLiteCode, why: String) -> SusiError {
        switch code {
        case .link:
            SusiError(
                .store, "the store cannot be opened", why: why, next: "replace the link with the file itself")
        case .busy: SusiError(.store, "the store is in use", why: why, next: waitForOther)
        case .damaged: SusiError(.store, "the store is damaged", why: why, next: .repairStore)
        case .disk: SusiError(.store, "the store cannot be read or written", why: why, next: checkDisk)
        case .other:
            SusiError(.store, "the store failed", why: why, next: "try again; if it fails again: \(.checkStore)")
        }
    }
}

extension StoreError.Operation {
    fileprivate var failure: String {
        switch self {
        case .checkStore: "the store cannot be checked"
        case .createFolder: "the folder of the store cannot be created"
        case .createStore: "the store cannot be created"
        case .useLock: "the store's lock file cannot be used"
        case .readLog: "the log of the store cannot be read"
        case .copyStore: "the store cannot be copied"
        case .repair: "the store cannot be repaired"
        case .readKey: "the key file cannot be read"
        case .writeKey: "the key file cannot be written"
        case .writeTrustList: "the list of trusted files cannot be written"
        }
    }
}

extension KeySource {
    fileprivate var location: String {
        switch self {
        case .passphrase: "is protected by a passphrase"
        case .command: "comes from the key command"
        case .file, .secretService, .keychain: "is in the \(name)"
        }
    }
}
