import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The status of a path itself; links are not followed.
///
/// Makes the system call directly: on the fast path, the first use of a generic result type costs more than everything
/// that this file does.
struct FileStatus {
    /// The kinds that the store distinguishes.
    enum Kind {
        case regular
        case directory
        case symbolicLink
        case other
    }

    let kind: Kind
    /// The owner's user id.
    let owner: UInt32
    /// Whether the group or others have any permission.
    let isOpenToOthers: Bool
    /// Whether it has no content.
    let isEmpty: Bool
    let identity: Identity

    /// Device and number of a file: another file at the same path has others while this one is open.
    struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    /// Reads the status of a path; `nil` if it does not exist.
    init?(at path: FilePath) throws(Errno) {
        var status = stat()
        guard unsafe lstat(path.string, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw Errno(rawValue: errno)
        }
        let mode = UInt32(status.st_mode)
        kind =
            switch mode & UInt32(S_IFMT) {
            case UInt32(S_IFREG): .regular
            case UInt32(S_IFDIR): .directory
            case UInt32(S_IFLNK): .symbolicLink
            default: .other
            }
        owner = status.st_uid
        isOpenToOthers = mode & 0o077 != 0
        isEmpty = status.st_size == 0
        identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }
}
