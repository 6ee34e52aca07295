import FoundationEssentials
import Susi
import SystemPackage

/// A `SUSI_HOME` of its own for one command, removed when that ends.
struct TemporaryHome {
    let path: FilePath
    /// The emulator's folder in it, where `susi` looks for the certificate.
    var emulator: FilePath { path.appending("emulator") }
    /// The policies file in it.
    var policies: FilePath { path.appending("policies.json") }

    static func with<T>(named name: String, _ body: (TemporaryHome) async throws -> T) async throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(RandomText.make().prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(TemporaryHome(path: FilePath(folder.path(percentEncoded: false))))
    }
}
