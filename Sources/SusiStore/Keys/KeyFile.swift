import FoundationEssentials
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file that holds the key: one line, `susi-key-1 ` and 32 bytes in base64.
struct KeyFile {
    private static let prefix = "susi-key-1 "
    let folder: StoreFolder
    private var path: FilePath { folder.key }

    /// The key; nil when there is no file.
    func read() throws(StoreError) -> [UInt8]? {
        guard try folder.isThere(path, as: .regular) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path.string) else {
            throw StoreError(.permissionDenied, path: path, what: "The store's key could not be read.")
        }
        guard bytes.count <= 128, bytes.starts(with: Self.prefix.utf8), bytes.last == 0x0a,
            let key = Data(base64Encoded: bytes.dropFirst(Self.prefix.utf8.count).dropLast()), key.count == 32
        else {
            throw StoreError(
                .keyDamaged, path: path, what: "The store's key cannot be used.",
                why: "\(path) does not hold one line with “susi-key-1” and 32 bytes in base64.",
                next: "Put the right file back, or move the folder \(folder.path) away and sign in again.")
        }
        return Array(key)
    }

    /// Makes a new key and its file, which must not exist; both are on the disk when this returns.
    func make() throws(StoreError) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let line = Self.prefix + Data(key).base64EncodedString() + "\n"
        do {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite)
            try file.closeAfter {
                try file.writeAll(line.utf8)
                try Self.flush(file)
            }
            let folder = try FileDescriptor.open(self.folder.path, .readOnly, options: .closeOnExec)
            try folder.closeAfter { try Self.flush(folder) }
        } catch {
            let what = "The store's key could not be made."
            throw StoreError(error as? Errno ?? .ioError, path: path, what: what)
        }
        return key
    }

    private static func flush(_ file: FileDescriptor) throws {
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
}
