import SystemPackage

/// A file or a pipe that is read from beginning to end, piece by piece; it closes when it is released.
package final class FileStream: Sendable {
    private let file: FileDescriptor

    package init(_ path: String) throws {
        file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }

    deinit { try? file.close() }

    /// Reads up to `count` of the next bytes; fewer only at the end. Throws if reading fails.
    package func next(_ count: Int) throws -> [UInt8] { try file.next(count) }
}
