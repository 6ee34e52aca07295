import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error of Foundation or of the system about a file, in plain words: its own description names types and members.
package struct FileFailure {
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
            reason = Self.words(error.code.rawValue)
        // An error number of the system as the file functions of Swift throw it.
        case let error as any RawRepresentable:
            guard let code = error.rawValue as? Int32 else { return nil }
            path = nil
            reason = Self.words(code)
        default: return nil
        }
    }

    /// The reason of any error in words. An error of another kind is named by the words of its type's name: its own
    /// description would be for programmers.
    package static func reason(_ error: any Error) -> String {
        FileFailure(error)?.reason ?? words(ofType: "\(type(of: error))")
    }

    // “HTTPParserError” is “http parser error”.
    private static func words(ofType name: String) -> String {
        let letters = Array(name)
        return letters.indices.reduce(into: "") { words, place in
            let isStart =
                letters[place].isUppercase && place > 0
                && (letters[place - 1].isLowercase || place + 1 < letters.count && letters[place + 1].isLowercase)
            words += isStart ? " \(letters[place].lowercased())" : letters[place].lowercased()
        }
    }

    /// The meaning of an error number of the system.
    package static func words(_ code: Int32) -> String {
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
        case ECONNREFUSED: "the connection was refused"
        case ECONNRESET, EPIPE, ENOTCONN: "the other side closed the connection"
        case ETIMEDOUT: "no response in time"
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN: "no route to the server"
        case EADDRINUSE: "the address is in use"
        case EADDRNOTAVAIL: "this machine does not have the address"
        default: "error \(code) of the system"
        }
    }
}
