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
        let path = Self.path(in: folder)
        text = try file.write { _ in
            if let kept = try Self.kept(in: folder) { return kept }
            let made = RandomBytes.text()
            try PrivateFile.write(made, to: path)
            return made
        }
        self.path = path
        digest = SHA256.hash(data: Data(text.utf8))
    }

    /// Returns the secret of an emulator's folder.
    static func kept(in folder: FilePath) throws -> String? {
        let text = try PrivateFile.read(path(in: folder), limit: 64).map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { Base64URL.decode($0)?.count == 32 ? $0 : nil }
    }

    private static func path(in folder: FilePath) -> FilePath { folder.appending("admin-secret") }

    /// A public name of the secret, from which it cannot be computed.
    static func identifier(_ text: String) -> String {
        Base64URL.encode(SHA256.hash(data: Data("emulator \(text)".utf8)).prefix(12))
    }

    var identifier: String { Self.identifier(text) }

    /// Returns whether `given` is the secret; digests compare in constant time.
    func matches(_ given: String) -> Bool { SHA256.hash(data: Data(given.utf8)) == digest }
}
