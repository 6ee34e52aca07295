import FoundationEssentials
import Susi
import SusiBase
import SusiStartup
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that a command writes, usually that of `-o`. A regular file appears complete or not at all, and an existing one
/// is not overwritten unless `replaces` is set. A device such as `/dev/null` or the user's own pipe is written directly.
struct OutputFile: Sendable {
    let name: String
    private let file: FileDescriptor
    // `nil` for direct writes.
    private let new: PrivateFile?
    private let replaces: Bool

    /// Whether the file appears only when it is complete.
    var isAtomic: Bool { new != nil }

    /// Opens the file. Callers do this before they prompt or send anything. Without `allowsPipe`, pipes are refused:
    /// tokens must not go into one. With `replaces`, an existing file is replaced atomically. A file that `isPublic` has
    /// no secret: others may read it, if the umask lets them.
    init(_ name: String, allowsPipe: Bool = true, replaces: Bool = false, isPublic: Bool = false) throws {
        self.name = name
        self.replaces = replaces
        if name == "-" { throw Self.refused(name, "it means standard output, which is not supported here") }
        let path = FilePath(name)
        let kind = SmallFile.kind(name)
        switch kind {
        case .file where !replaces: throw Self.refused(name, "the file exists")
        case .folder: throw Self.refused(name, "it is a folder")
        case .pipe, .characterDevice, .link, .other:
            new = nil
            file = try Self.existing(name, allowsPipe: allowsPipe)
        case .file, nil:
            guard path.lastComponent != nil, !name.hasSuffix("/") else {
                throw Self.refused(name, "it is not a file name")
            }
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: name)) == nil else {
                throw Self.refused(name, kind == nil ? "it is a link that leads nowhere" : "it is a link")
            }
            let mode: FilePermissions? = isPublic ? [.ownerReadWrite, .groupRead, .otherRead] : nil
            let new = try Self.opened(name) { try PrivateFile(for: path, mode) }
            (self.new, file) = (new, new.descriptor)
        }
    }

    // In a folder that others can write to, another user can replace the expected file by a pipe. The open descriptor
    // is checked too, because the name may refer to another file by then.
    private static func existing(_ name: String, allowsPipe: Bool) throws -> FileDescriptor {
        try check(SmallFile.status(name), name, allowsPipe: allowsPipe)
        let file = try opened(name) { try openNonblocking(name) }
        do {
            try check(SmallFile.status(descriptor: file.rawValue), name, allowsPipe: allowsPipe)
        } catch {
            try? file.close()
            throw error
        }
        return file
    }

    private static func check(_ status: SmallFile.Status?, _ name: String, allowsPipe: Bool) throws {
        let user = ProcessEnvironment.process.user
        switch status?.kind {
        case .pipe where !allowsPipe:
            throw UsageError(
                "“\(name)” cannot be written",
                why: "it is a pipe; tokens are written to a pipe only through standard output",
                next: "name a new file with -o, or write to standard output: -o -")
        case .pipe where status?.owner == user: return
        // Only root creates devices; a terminal belongs to the user who is logged in there.
        case .characterDevice where status?.owner == 0 || status?.owner == user: return
        case .pipe, .characterDevice: throw refused(name, "it belongs to another user")
        default: throw refused(name, "it is not a file, a pipe or a character device")
        }
    }

    // Opening a pipe without a reader would block, and a terminal could become the controlling terminal.
    private static func openNonblocking(_ name: String) throws -> FileDescriptor {
        let options: FileDescriptor.OpenOptions = [.closeOnExec, .init(rawValue: O_NOCTTY)]
        let file: FileDescriptor
        do { file = try FileDescriptor.open(FilePath(name), .writeOnly, options: options.union(.nonBlocking)) } catch {
            // The user's own pipe may block until its reader opens it.
            guard let error = error as? Errno, error == .noSuchAddressOrDevice, let status = SmallFile.status(name),
                status.kind == .pipe, status.owner == ProcessEnvironment.process.user
            else { throw error }
            return try FileDescriptor.open(FilePath(name), .writeOnly, options: options)
        }
        _ = fcntl(file.rawValue, F_SETFL, fcntl(file.rawValue, F_GETFL) & ~O_NONBLOCK)
        return file
    }

    private static func opened<T>(_ name: String, _ open: () throws -> T) throws -> T {
        do { return try open() } catch let error as Errno { throw refused(name, FileFailure.reason(error)) }
    }

    private static func refused(_ name: String, _ why: String) -> UsageError {
        UsageError("“\(name)” cannot be written", why: why, next: "name a new file")
    }

    func write(_ bytes: some Sequence<UInt8>) throws(SusiError) {
        do { _ = try file.writeAll(bytes) } catch { throw failed(error) }
    }

    /// Writes the content and moves the file into place; on failure, deletes it.
    func keep(_ bytes: some Sequence<UInt8>) throws(SusiError) {
        do { try write(bytes) } catch {
            discard()
            throw error
        }
        try keep()
    }

    func keep() throws(SusiError) {
        do {
            guard let new else { return try file.close() }
            try new.keep(replacing: replaces)
        } catch { throw failed(error) }
    }

    func discard() {
        guard let new else { return _ = try? file.close() }
        new.discard()
    }

    private func failed(_ error: any Error) -> SusiError {
        let why = error as? Errno == .fileExists ? "the file exists" : FileFailure.reason(error)
        return SusiError(.failed, "“\(name)” cannot be written", why: why, next: "name another file")
    }
}
