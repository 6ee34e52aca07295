#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Decides whether the program may take settings, keys, authorities or secrets from a file or a folder: only if no other
/// user could have written what is there.
///
/// A file counts if it, every link that leads to it, and the folders that contain them belong to the user or to root, and no
/// other user may write to them. A folder with the sticky bit, such as `/tmp`, may be open: others cannot replace the names in
/// it. The user's private group, which has the user's own number, is no other user.
package enum OwnedFile {
    /// What another user could have changed.
    package struct Flaw: Error, Hashable, Sendable {
        /// The file, link or folder.
        package let path: String
        package let reason: Reason

        package enum Reason: Hashable, Sendable {
            /// It belongs to that user.
            case owner(UInt32)
            /// Others may write to it.
            case writable
            /// The path depends on the working folder.
            case relative
        }

        package init(_ path: String, _ reason: Reason) {
            self.path = path
            self.reason = reason
        }

        /// The reason in words, with the path as “it”.
        package var why: String {
            switch reason {
            case .owner(let user): "it belongs to another user (user ID \(user))"
            case .writable: "other users may write to it"
            case .relative: "its path is not absolute"
            }
        }

        /// The command that repairs it; `nil` if only the user can decide what to do.
        package var repair: NextStep? { reason == .writable ? NextStep("chmod go-w \(path.shellWord)") : nil }
    }

    /// Reads a regular file, and finds what speaks against it. `nil` if it does not exist or cannot be read. Reading stops
    /// after `limit` bytes.
    package static func read(
        _ path: String, limit: Int, user: UInt32 = getuid()
    ) -> (content: [UInt8], flaw: Flaw?)? {
        guard let (file, flaw) = opened(path, user, links: 0) else { return nil }
        defer { close(file) }
        guard let status = SmallFile.status(descriptor: file), status.kind == .file else { return nil }
        return SmallFile.read(descriptor: file, limit: limit).map { ($0, flaw ?? self.flaw(path, status, user)) }
    }

    /// Reads a regular file that has no flaw. Throws its flaw; returns `nil` if it does not exist or cannot be read.
    package static func content(
        _ path: String, limit: Int, user: UInt32 = getuid()
    ) throws(Flaw) -> [UInt8]? {
        guard path.hasPrefix("/") else { throw Flaw(path, .relative) }
        guard let read = read(path, limit: limit, user: user) else { return nil }
        if let flaw = read.flaw { throw flaw }
        return read.content
    }

    /// Checks a file or a folder that is opened later, by its path. A missing one has no flaw.
    package static func check(_ path: String, user: UInt32 = getuid()) throws(Flaw) {
        guard path.hasPrefix("/") else { throw Flaw(path, .relative) }
        guard let (entry, flaw) = opened(path, user, links: 0) else { return }
        defer { close(entry) }
        guard let status = SmallFile.status(descriptor: entry) else { return }
        // The owner of a folder above may move this folder away, but can put only an own one in its place.
        if status.kind != .folder, let flaw { throw flaw }
        if let flaw = self.flaw(path, status, user) { throw flaw }
    }

    private static func flaw(_ path: String, _ status: SmallFile.Status, _ user: UInt32) -> Flaw? {
        if status.owner != user, status.owner != 0 { return Flaw(path, .owner(status.owner)) }
        return status.isWritableByOthers ? Flaw(path, .writable) : nil
    }

    // Opens the folder, then the name in it: what is checked is what is read. Each link is followed in the same way.
    private static func opened(_ path: String, _ user: UInt32, links: Int) -> (descriptor: Int32, flaw: Flaw?)? {
        let (above, name) = split(path)
        let folder = unsafe open(above, folderOnly | O_CLOEXEC)
        guard folder >= 0, let folderStatus = SmallFile.status(descriptor: folder) else { return nil }
        defer { close(folder) }
        let isSafe = folderStatus.isSticky && (folderStatus.owner == user || folderStatus.owner == 0)
        let flaw = isSafe ? nil : flaw(above, folderStatus, user)
        // Opening a pipe without a writer would block, and a terminal could become the controlling one.
        let file = unsafe openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        if file >= 0 { return (file, flaw) }
        guard errno == ELOOP || errno == EMLINK, links < 8, let (owner, target) = link(name, in: folder) else {
            return nil
        }
        let own = owner == user || owner == 0 ? nil : Flaw(path, .owner(owner))
        return opened(target.hasPrefix("/") ? target : "\(above)/\(target)", user, links: links + 1)
            .map { ($0.descriptor, flaw ?? own ?? $0.flaw) }
    }

    private static func link(_ name: String, in folder: Int32) -> (owner: UInt32, target: String)? {
        var status = stat()
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let length = unsafe readlinkat(folder, name, &target, target.count)
        guard length > 0 else { return nil }
        return (status.st_uid, String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    // The folder and the last name of a path.
    private static func split(_ path: String) -> (folder: String, name: String) {
        let path = path.prefix(
            1 + (path.lastIndex { $0 != "/" }.map { path.distance(from: path.startIndex, to: $0) } ?? 0))
        guard let slash = path.lastIndex(of: "/") else { return (".", String(path)) }
        let name = path[path.index(after: slash)...]
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name.isEmpty ? "." : String(name))
    }

    #if canImport(Glibc)
        // A folder that may be entered need not be readable.
        private static let folderOnly = O_DIRECTORY | 0o10_000_000  // O_PATH, which the module Glibc lacks
    #else
        private static let folderOnly = O_RDONLY | O_DIRECTORY
    #endif
}
