import SusiBase
import SusiPolicies
import SusiStore
import SystemPackage

// Errors of the store's key.
extension SusiError {
    static let wrongPassphrase = SusiError(
        .store, "the store is still locked", why: "wrong passphrase", next: .unlockStore)

    static let shortPassphrase = SusiError(
        .store, "passphrase not accepted", why: "it has fewer than \(StoreKeys.shortestPassphrase) characters",
        next: "choose a longer passphrase")

    static let noPassphrase = SusiError(
        .store, "no passphrase", why: "standard input is not a terminal",
        next: "\(.providePassphrase), or run the command on a terminal")

    static let noKeyCommand = SusiError(
        .store, "no key command", why: "your own policies.json has no “keyCommand”",
        next: #"add "keyCommand": ["pass", "show", "susi"] to it"#)

    static let keyCommandChanged = SusiError(
        .store, "the store is still locked",
        why: "the key command's output has changed since the store was encrypted",
        next: "fix keyCommand in your own policies.json")

    static func keyCommandFailed(_ program: String, _ why: String) -> SusiError {
        SusiError(
            .store, "the key command failed", why: "\(program) \(why)",
            next: "fix keyCommand in your own policies.json")
    }

    static func keyNotInService(_ record: KeyRecord) -> SusiError {
        SusiError(
            .store, "the store's key is not in the \(record.source.name)",
            why: "it has no item of susi for the store \(record.id), or the item is locked",
            next: "unlock the \(record.source.name), then \(.unlockStore)")
    }

    static func keyServiceFailed(_ source: KeySource, _ why: String) -> SusiError {
        SusiError(
            .store, "the \(source.name) failed", why: why,
            next: "\(source.serviceRemedy.map { "\($0), then " } ?? "")\(.unlockStore)")
    }

    /// The same error for a key that is only made now: it may have another source, and there is nothing to unlock.
    static func noNewKey(_ source: KeySource, _ error: SusiError) -> SusiError {
        let other = NextStep.name(.keySource, source.alternatives.map(\.rawValue))
        let remedy = source.serviceRemedy.map { NextStep($0) } ?? error.nextStep
        return SusiError(error.code, error.what, why: error.why, next: "\(remedy), or \(other)")
    }

    static func unsupported(_ source: KeySource) -> SusiError {
        let others = KeySource.allCases.filter(\.isSupported).map(\.rawValue)
        return SusiError(
            .store, "no \(source.name) on this system", why: "supported: \(others.joined(separator: ", "))",
            next: .name(.keySource, source.alternatives.map(\.rawValue)))
    }

    static func lockFailed(_ path: FilePath, _ reason: String) -> SusiError {
        SusiError(.store, "cannot lock \(path)", why: reason, next: "check the permissions of the folder")
    }

    static func fileFailed(_ failure: FileFailure) -> SusiError {
        SusiError(
            .failed, "\(failure.path ?? "a file") cannot be read or written", why: failure.reason,
            next: "check the disk and the permissions")
    }

    static func unexpected(_ error: any Error) -> SusiError {
        SusiError(
            .failed, "unexpected error", why: FileFailure.reason(error),
            next: "try again; if it fails again, report this as a bug in susi")
    }
}
