#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads small files with nothing but system calls: on the way to a cached token, a general file manager costs more than
/// all the reading.
public enum SmallFile {
    private static let step = 4_096

    /// The bytes of a file; nil when there is none or it cannot be read. One that is larger than `limit` bytes is read
    /// just so far that its size tells.
    public static func read(_ path: String, limit: Int) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return read(descriptor: file, limit: limit)
    }

    /// The same of a regular file; nil for anything else. A pipe or a device could keep the caller waiting without an end.
    public static func readRegular(_ path: String, limit: Int) -> [UInt8]? {
        // A pipe without a writer would hold the open itself up, and a terminal could become the program's own.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard status(descriptor: file)?.kind == .file else { return nil }
        return read(descriptor: file, limit: limit)
    }

    /// The same of a file that is open.
    public static func read(descriptor file: Int32, limit: Int) -> [UInt8]? {
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

    /// Whether something is at a path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// What can be at a path.
    public enum Kind: Sendable { case file, folder, pipe, characterDevice, other }

    /// What is at a path or open, and whose it is.
    public struct Status: Sendable {
        /// What it is.
        public let kind: Kind
        /// The user who owns it.
        public let owner: UInt32

        fileprivate init(_ status: stat) {
            kind =
                switch UInt32(status.st_mode) & UInt32(S_IFMT) {
                case UInt32(S_IFREG): .file
                case UInt32(S_IFDIR): .folder
                case UInt32(S_IFIFO): .pipe
                case UInt32(S_IFCHR): .characterDevice
                default: .other
                }
            owner = status.st_uid
        }
    }

    /// What is at a path or where a link there leads; nil when nothing is.
    public static func status(_ path: String) -> Status? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Status(status) : nil
    }

    /// What is open; nil when nothing is.
    public static func status(descriptor file: Int32) -> Status? {
        var status = stat()
        return unsafe fstat(file, &status) == 0 ? Status(status) : nil
    }

    /// What is at a path or where a link there leads; nil when nothing is.
    public static func kind(_ path: String) -> Kind? { status(path)?.kind }

    /// Puts a file in the place of another one, which need not be there, in one step; false when that cannot be done.
    public static func replace(_ path: String, with new: String) -> Bool { unsafe rename(new, path) == 0 }

    /// The user whose a path is, itself and not what a link there leads to; nil when nothing is there.
    public static func owner(_ path: String) -> UInt32? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_uid : nil
    }

    /// Removes a file, when it is there and may be removed.
    public static func remove(_ path: String) { _ = unsafe unlink(path) }

    private static func read(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.read(file, &buffer, buffer.count)
        #else
            unsafe Darwin.read(file, &buffer, buffer.count)
        #endif
    }
}
