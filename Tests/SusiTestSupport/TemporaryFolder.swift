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

    /// Writes the file with these permissions, in a folder that is made if it is missing.
    package func write(_ text: String, mode: Int) throws {
        try FileManager.default.createDirectory(
            atPath: removingLastComponent().string, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try write(text)
        try permit(mode)
    }

    /// Removes the file, or the folder with its content.
    package func remove() throws { try FileManager.default.removeItem(atPath: string) }

    /// Makes the folder, with those above it.
    package func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: string, withIntermediateDirectories: true)
    }

    /// Returns the names in the folder, sorted.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: string).sorted() }

    /// Returns the paths of the files below the folder that contain a text in UTF-8.
    package func files(containing text: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: string).filter { name in
            // Reading a pipe would wait for its writer.
            let bytes = name.hasSuffix(".pipe") ? nil : FileManager.default.contents(atPath: appending(name).string)
            return bytes?.range(of: Data(text.utf8)) != nil
        }
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
