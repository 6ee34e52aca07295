import Foundation
package import SystemPackage

/// Makes an empty folder that only its owner can read (0700), passes it to `body` and removes it with its content.
package func withTemporaryFolder<T>(_ body: (FilePath) async throws -> T) async throws -> T {
    let folder = FilePath(FileManager.default.temporaryDirectory.path)
        .appending("susi-\(UUID().uuidString.prefix(8).lowercased())")
    try makeFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder.string) }
    return try await body(folder)
}

/// Makes one folder, 0700.
func makeFolder(_ folder: FilePath) throws {
    try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
}

/// Writes a file with these permissions (0600 by default), and replaces an existing one.
func write(_ text: String, to file: FilePath, permissions: Int = 0o600) throws {
    try Data(text.utf8).write(to: URL(filePath: file.string))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.string)
}
