import Susi
import SystemPackage

// Errors of the store's keys and of the checks that `doctor` makes.
extension SusiError {
    static func keyringUnavailable(_ reason: any Error) -> SusiError {
        SusiError(.store, "kernel keyring unavailable", why: "\(reason)")
    }

    static func cannotStayUnlocked(_ reason: Errno) -> SusiError {
        SusiError(
            .store, "the store cannot stay unlocked", why: "kernel keyring unavailable: \(reason)",
            next: "\(.providePassphrase), so that each command can unlock the store")
    }

    static func noStoreKey(_ folder: StoreFolder) -> SusiError {
        SusiError(
            .store, "no store", why: "\(folder.path) has no key",
            next: "\(.signIn())\(remark: "creates the store")")
    }

    static let testStoreFailed = SusiError(.store, "a test store did not return what was stored")

    static let keyringLostKey = SusiError(.store, "the kernel keyring did not return the test key")

    static func otherListener(status: Int) -> SusiError {
        SusiError(
            .failed, "another program responds on the loopback interface", why: "it responded with status \(status)")
    }
}
