#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Decides whether the program may take settings, keys, authorities or secrets from a file or a folder: only if no other
/// user could have written what is there.
///
/// A file counts if it, every link that leads to it, and the folder that it is in belong to the user or to root, and no other
/// user may write to them. A folder with the sticky bit, such as `/tmp`, may be open: others cannot replace the names in it.
/// The user's private group, which has the user's own number, is no other user.
package enum OwnedFile {
    /// What another user could have changed.
    package struct Flaw: Error, Hashable, Sendable {
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
        package var repair: String? { reason == .writable ? "chmod go-w \(path.shellWord)" : nil }
    }

    /// Reads a regular file, and finds what speaks against it. `nil` if it does not exist or cannot be read. Reading stops
    /// after `limit` bytes.
    package static func read(
        _ path: String, limit: Int, user: UInt32 = getuid()
    ) -> (content: [UInt8], flaw: Flaw?)? {
        guard let found = Found(path, user) else { return nil }
        defer { close(found.descriptor) }
        guard found.status.kind == .file else { return nil }
        return SmallFile.read(descriptor: found.descriptor, limit: limit).map { ($0, found.flaw) }
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

    /// Reads a pipe or a device to its end. Throws if another user made it or may write to it; returns `nil` if it cannot be read, and
    /// for a regular file.
    package static func pipe(_ path: String, limit: Int, user: UInt32 = getuid()) throws(Flaw) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard let status = SmallFile.status(descriptor: file), status.kind != .file else { return nil }
        if ![user, 0].contains(status.owner) { throw Flaw(path, .owner(status.owner)) }
        // A terminal may be open to others; what they write there is not what is read here.
        if status.kind == .pipe, status.isWritableByOthers { throw Flaw(path, .writable) }
        return SmallFile.read(descriptor: file, limit: limit)
    }

    /// Checks a file or a folder that is opened later, by its path. A missing one has no flaw.
    package static func check(_ path: String, user: UInt32 = getuid()) throws(Flaw) {
        guard path.hasPrefix("/") else { throw Flaw(path, .relative) }
        guard let found = Found(path, user) else { return }
        defer { close(found.descriptor) }
        if let flaw = found.flaw { throw flaw }
    }

    /// An open file or folder, with what speaks against it. The caller closes it.
    private struct Found {
        let descriptor: Int32
        let status: SmallFile.Status
        private(set) var flaw: Flaw?

        /// Opens one name after the other, each in the folder that is open: what is checked is what is read. `nil` if it does
        /// not exist or cannot be opened.
        init?(_ path: String, _ user: UInt32) {
            var (place, links) = (path.hasPrefix("/") ? "" : ".", 0)
            var folder = unsafe open(path.hasPrefix("/") ? "/" : ".", OwnedFile.folderOnly)
            var rest = path.split(separator: "/").filter { $0 != "." }[...]
            defer { if folder >= 0 { close(folder) } }
            while folder >= 0, let name = rest.popFirst() {
                let next = unsafe openat(folder, String(name), rest.isEmpty ? OwnedFile.anything : OwnedFile.folderOnly)
                if next >= 0, rest.isEmpty {
                    guard let own = SmallFile.status(descriptor: next) else { break }
                    (descriptor, status) = (next, own)
                    flaw = flaw ?? Self.flaw("\(place)/\(name)", own, user)
                    // The owner of the folder above a folder can put only an own one in its place.
                    guard own.kind != .folder, let above = SmallFile.status(descriptor: folder) else { return }
                    let isSafe = above.isSticky && [user, 0].contains(above.owner)
                    flaw = flaw ?? (isSafe ? nil : Self.flaw(place.isEmpty ? "/" : place, above, user))
                    return
                }
                guard next < 0, links < 40, let link = OwnedFile.link(name, in: folder) else {
                    close(folder)
                    (folder, place) = (next, "\(place)/\(name)")
                    continue
                }
                links += 1
                if ![user, 0].contains(link.owner) { flaw = flaw ?? Flaw("\(place)/\(name)", .owner(link.owner)) }
                rest = link.target.split(separator: "/") + rest
                if link.target.hasPrefix("/") {
                    close(folder)
                    (folder, place) = (unsafe open("/", OwnedFile.folderOnly), "")
                }
            }
            return nil
        }

        private static func flaw(_ path: String, _ status: SmallFile.Status, _ user: UInt32) -> Flaw? {
            if ![user, 0].contains(status.owner) { return Flaw(path, .owner(status.owner)) }
            return status.isWritableByOthers ? Flaw(path, .writable) : nil
        }
    }

    private static func link(_ name: Substring, in folder: Int32) -> (owner: UInt32, target: String)? {
        var status = stat()
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe fstatat(folder, String(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let length = unsafe readlinkat(folder, String(name), &target, target.count)
        guard length > 0 else { return nil }
        return (status.st_uid, String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    // Opening a pipe without a writer would block, and a terminal could become the controlling one.
    private static let anything = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC

    #if canImport(Glibc)
        // A folder that may be entered need not be readable: O_PATH, which the module Glibc lacks.
        private static let folderOnly = 0o10_000_000 | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    #else
        private static let folderOnly = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    #endif
}
