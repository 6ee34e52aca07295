import Crypto
import FoundationEssentials
import SusiPolicies
import SystemPackage

/// What whoever administers the emulator must know: 32 random bytes in a file that only its owner may read, made at the first
/// start, so that emulators that share a folder share it too. That a request comes from this machine is not enough, because
/// browsers send requests for any page.
struct AdminSecret: Sendable {
    let text: String
    /// Where it stands.
    let path: FilePath
    private let digest: SHA256.Digest

    /// Reads the secret of the emulator's folder, or makes one. Of several emulators that start at once one makes it: nobody
    /// else looks while `file` is being written to.
    init(folder: FilePath, file: DatabaseFile) throws {
        let path = folder.appending("admin-secret")
        text = try file.write { _ in
            let kept = SmallFile.read(path.string, limit: 64).map { String(decoding: $0, as: UTF8.self) }
            if let kept, bytes(base64URL: kept)?.count == 32 { return kept }
            let made = randomSecret()
            try PrivateFile.write(made, to: path)
            return made
        }
        self.path = path
        digest = SHA256.hash(data: Data(text.utf8))
    }

    /// Whether `given` is the secret; digests compare in constant time.
    func matches(_ given: String) -> Bool { SHA256.hash(data: Data(given.utf8)) == digest }
}
