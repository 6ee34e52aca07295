import Foundation
package import SystemPackage

/// Makes an empty folder that only its owner can read (0700), passes it to `body` and removes it with its content.
package func withTemporaryFolder<T>(_ body: (FilePath) async throws -> T) async throws -> T {
    let folder = FilePath(FileManager.default.temporaryDirectory.path)
        .appending("susi-\(UUID().uuidString.prefix(8).lowercased())")
    try makeFolder(folder)
    defer { try? folder.remove() }
    return try await body(folder)
}

extension FilePath {
    package var exists: Bool { FileManager.default.fileExists(atPath: string) }

    package func text() throws -> String { try String(contentsOfFile: string, encoding: .utf8) }

    /// Writes the file, and replaces an existing one.
    package func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: string)) }

    /// Removes the file, or the folder with its content.
    package func remove() throws { try FileManager.default.removeItem(atPath: string) }

    /// Makes the folder, with those above it.
    package func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: string, withIntermediateDirectories: true)
    }

    package func permissions() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: string)[.posixPermissions] as? Int
    }

    package func permit(_ permissions: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: string)
    }
}

/// Makes one folder, 0700.
func makeFolder(_ folder: FilePath) throws {
    try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
}

/// Writes a file with these permissions (0600 by default), and replaces an existing one.
func write(_ text: String, to file: FilePath, permissions: Int = 0o600) throws {
    try file.write(text)
    try file.permit(permissions)
}
