import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error of Foundation about a file, in plain words: its own description names types and members.
package struct FileFailure {
    /// The file or folder, if it is known.
    package let path: String?
    /// The reason: one clause without a full stop.
    package let reason: String

    /// Returns `nil` if the error is not about a file.
    package init?(_ error: any Error) {
        switch error {
        case let error as CocoaError:
            let inner = error.underlying.flatMap { FileFailure($0) }
            path = error.filePath ?? inner?.path
            reason = inner?.reason ?? "error \(error.code.rawValue) of the file system"
        case let error as POSIXError:
            path = nil
            reason = Self.words(error.code.rawValue) ?? "error \(error.code.rawValue) of the system"
        default: return nil
        }
    }

    /// The reason of any error in words, if it is about a file; else the error's description.
    package static func reason(_ error: any Error) -> String { FileFailure(error)?.reason ?? "\(error)" }

    private static func words(_ code: Int32) -> String? {
        switch code {
        case ENOSPC: "the disk is full"
        case EDQUOT: "the disk quota is used up"
        case EROFS: "the file system is read-only"
        case EACCES, EPERM: "permission denied"
        case ENOENT: "no such file or folder"
        case EEXIST: "the name is in use"
        case ENOTDIR: "a part of the path is not a folder"
        case EISDIR: "it is a folder"
        case ENAMETOOLONG: "the name is too long"
        case ELOOP: "too many symbolic links"
        case EIO: "the disk cannot be read or written"
        default: nil
        }
    }
}
