import FoundationEssentials
import Susi
import SystemPackage

/// A file that `-o` names. It is there whole at the end or not at all, and none is overwritten; what is no plain file, such
/// as `/dev/null` or a pipe, is written as the bytes come.
struct OutputFile: Sendable {
    /// The file as it was named.
    let name: String
    private let file: FileDescriptor
    // Beside the file, so that both are on one disk; nil for what is written as it comes.
    private let temporary: FilePath?

    /// Whether only the whole of it is kept.
    var isWhole: Bool { temporary != nil }

    /// Opens it before anything is asked or sent.
    init(_ name: String) throws {
        self.name = name
        let path = FilePath(name)
        switch SmallFile.kind(name) {
        case .file: throw Self.refused(name, "it exists")
        case .folder: throw Self.refused(name, "it is a folder")
        case .other:
            temporary = nil
            file = try Self.opened(name) { try FileDescriptor.open(path, .writeOnly, options: .closeOnExec) }
        case nil:
            guard path.lastComponent != nil, !name.hasSuffix("/") else { throw Self.refused(name, "it is no name") }
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: name)) == nil else {
                throw Self.refused(name, "it is a link that leads nowhere")
            }
            let beside = path.removingLastComponent().appending(".susi-\(RandomText.make().prefix(12))")
            temporary = beside
            file = try Self.opened(name) {
                try FileDescriptor.open(
                    beside, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: .ownerReadWrite)
            }
        }
    }

    private static func opened(_ name: String, _ open: () throws -> FileDescriptor) throws -> FileDescriptor {
        do { return try open() } catch let error as Errno { throw refused(name, error.inWords) }
    }

    private static func refused(_ name: String, _ why: String) -> UsageError {
        UsageError("“\(name)” cannot be written", why: why, next: "name a new file with -o")
    }

    /// Adds bytes.
    func write(_ bytes: some Sequence<UInt8>) throws(SusiError) {
        do { _ = try file.writeAll(bytes) } catch { throw failed(error) }
    }

    /// Puts the whole into its place.
    func keep() throws(SusiError) {
        do { try file.close() } catch { throw failed(error) }
        guard let temporary else { return }
        let files = FileManager.default
        defer { SmallFile.remove(temporary.string) }
        // A second name for the same file never takes the place of another; not every disk knows second names.
        do { try files.linkItem(atPath: temporary.string, toPath: name) } catch {
            guard SmallFile.kind(name) == nil else { throw failed(Errno.fileExists) }
            do { try files.moveItem(atPath: temporary.string, toPath: name) } catch { throw failed(error) }
        }
    }

    /// Leaves nothing behind.
    func discard() {
        try? file.close()
        if let temporary { SmallFile.remove(temporary.string) }
    }

    private func failed(_ error: any Error) -> SusiError {
        let why = (error as? Errno)?.inWords ?? "\(error)"
        return SusiError(.failed, "“\(name)” cannot be written", why: why, next: "name another file with -o")
    }
}

extension Errno {
    /// The reason for a person.
    var inWords: String {
        switch self {
        case .noSuchFileOrDirectory: "there is no such file or folder"
        case .permissionDenied, .notPermitted: "permission is denied"
        case .isDirectory: "it is a folder"
        case .fileExists: "it exists"
        case .noSpace: "the disk is full"
        default: description
        }
    }
}
