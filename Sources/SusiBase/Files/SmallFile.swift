#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Accesses small files with system calls: on the path to a cached token, a general file manager costs more than the
/// reading.
package enum SmallFile {
    private static let step = 4_096

    /// Reads a file; returns `nil` if it does not exist or cannot be read. Reading stops after `limit` bytes.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return read(descriptor: file, limit: limit)
    }

    package static func read(descriptor file: Int32, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: step)
        while bytes.count <= limit {
            let count = Self.read(file, &buffer)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Returns the first line of a text: without the mark of its encoding, and without the line break of any system.
    package static func firstLine(of text: some Collection<UInt8>) -> [UInt8] {
        let line = Array(text.withoutByteOrderMark.prefix { $0 != UInt8(ascii: "\n") })
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// Reads a line of an open file up to its line feed, which is left out, and nothing behind it. Reading stops after
    /// `limit` bytes. Returns `nil` at the end of the file, or if it cannot be read.
    package static func readLine(descriptor file: Int32, limit: Int) -> [UInt8]? {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        while line.count <= limit {
            let count = Self.read(file, &byte)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 && !line.isEmpty ? line : nil }
            if byte[0] == UInt8(ascii: "\n") { return line }
            line.append(byte[0])
        }
        return line
    }

    package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Whether the path is a link whose target does not exist or cannot be reached.
    package static func isDanglingLink(_ path: String) -> Bool { owner(path) != nil && !exists(path) }

    package enum Kind: Sendable { case file, folder, link, pipe, characterDevice, other }

    package struct Status: Sendable {
        package let kind: Kind
        /// The user id of the owner.
        package let owner: UInt32
        /// Whether its group or others may read, write or enter it.
        package let isOpenToOthers: Bool
        /// Whether its group or others may write to it. A group with the number of the owner is the owner's private one.
        package let isWritableByOthers: Bool
        /// Whether only the owner of a name in the folder may remove or replace it.
        package let isSticky: Bool
        /// In bytes.
        package let size: Int64
        package var isEmpty: Bool { size == 0 }
        /// What tells it from every other file of this machine: another file at the same path has another while this one is
        /// open.
        package let identity: [UInt64]

        fileprivate init(_ status: stat) {
            kind =
                switch UInt32(status.st_mode) & UInt32(S_IFMT) {
                case UInt32(S_IFREG): .file
                case UInt32(S_IFDIR): .folder
                case UInt32(S_IFLNK): .link
                case UInt32(S_IFIFO): .pipe
                case UInt32(S_IFCHR): .characterDevice
                default: .other
                }
            owner = status.st_uid
            isOpenToOthers = status.st_mode & 0o077 != 0
            let byGroup = status.st_mode & 0o020 != 0 && status.st_gid != status.st_uid
            isWritableByOthers = byGroup || status.st_mode & 0o002 != 0
            isSticky = status.st_mode & 0o1000 != 0
            size = Int64(status.st_size)
            identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
        }
    }

    /// Returns the status of a path, or of the target of a link; `nil` if it does not exist.
    package static func status(_ path: String) -> Status? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Status(status) : nil
    }

    /// Returns the status of a path itself, also of a link, or the number of the error.
    package static func entry(_ path: String) -> (status: Status?, error: Int32) {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? (Status(status), 0) : (nil, errno)
    }

    package static func status(descriptor file: Int32) -> Status? {
        var status = stat()
        return unsafe fstat(file, &status) == 0 ? Status(status) : nil
    }

    /// Returns the type of a path, or of the target of a link; `nil` if it does not exist.
    package static func kind(_ path: String) -> Kind? { status(path)?.kind }

    /// The owner of a path; for a link, the owner of the link itself.
    package static func owner(_ path: String) -> UInt32? { entry(path).status?.owner }

    /// Removes a file, ignoring errors.
    package static func remove(_ path: String) { _ = unsafe unlink(path) }

    private static func read(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.read(file, &buffer, buffer.count)
        #else
            unsafe Darwin.read(file, &buffer, buffer.count)
        #endif
    }
}

extension Collection<UInt8> {
    /// The text without the byte order mark that some editors write before UTF-8.
    package var withoutByteOrderMark: SubSequence {
        // `starts(with:)` would search the conformances of the program, on the path to a cached token.
        var rest = self[...]
        for byte: UInt8 in [0xef, 0xbb, 0xbf] {
            guard rest.first == byte else { return self[...] }
            rest = rest.dropFirst()
        }
        return rest
    }
}
