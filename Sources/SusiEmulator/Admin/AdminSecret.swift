import Crypto
import FoundationEssentials
import SusiBase
import SusiPolicies
import SystemPackage

/// The secret of the admin API: 32 random bytes in a file that only its owner can read, created at the first start. Emulators
/// with the same folder share it. A request from this machine is not enough, because browsers send requests for any page.
struct AdminSecret: Sendable {
    let text: String
    let path: FilePath
    private let digest: SHA256.Digest

    /// Reads or creates the secret of the emulator's folder. A write transaction of `file` serves as the lock for emulators that
    /// start at the same time.
    init(folder: FilePath, file: DatabaseFile) throws {
        let path = folder.appending("admin-secret")
        text = try file.write { _ in
            let kept = try PrivateFile.read(path, limit: 64).map { String(decoding: $0, as: UTF8.self) }
            if let kept, Base64URL.decode(kept)?.count == 32 { return kept }
            let made = RandomBytes.text()
            try PrivateFile.write(made, to: path)
            return made
        }
        self.path = path
        digest = SHA256.hash(data: Data(text.utf8))
    }

    /// Returns whether `given` is the secret; digests compare in constant time.
    func matches(_ given: String) -> Bool { SHA256.hash(data: Data(given.utf8)) == digest }
}
