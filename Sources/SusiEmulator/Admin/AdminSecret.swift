import Crypto
import FoundationEssentials
import SusiPolicies
import SystemPackage

/// What whoever administers the emulator must know: 32 random bytes, new with each start, in a file that only its owner may
/// read. That a request comes from this machine is not enough, because browsers send requests for any page.
struct AdminSecret: Sendable {
    let text: String
    /// Where it stands.
    let path: FilePath
    private let digest: SHA256.Digest

    /// Makes a secret and writes it into the emulator's folder.
    init(folder: FilePath) throws {
        text = randomSecret()
        path = folder.appending("admin-secret")
        digest = SHA256.hash(data: Data(text.utf8))
        try PrivateFile.write(text, to: path)
    }

    /// Whether `given` is the secret; digests compare in constant time.
    func matches(_ given: String) -> Bool { SHA256.hash(data: Data(given.utf8)) == digest }

    /// Takes the file away, unless a later emulator put its own there.
    func remove() {
        guard let kept = try? Data(contentsOf: URL(filePath: path.string)), kept == Data(text.utf8) else { return }
        SmallFile.remove(path.string)
    }
}
