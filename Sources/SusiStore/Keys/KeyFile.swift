import SusiPolicies
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file that holds the key: one line, `susi-key-1 ` and 32 bytes in hexadecimal digits.
struct KeyFile {
    private static let prefix = "susi-key-1 "
    private static let longest = 128
    let folder: StoreFolder
    private var path: FilePath { folder.key }

    /// The key; nil when there is no file.
    func read() throws(StoreError) -> [UInt8]? {
        guard try folder.isThere(path, as: .regular) else { return nil }
        guard let bytes = SmallFile.read(path.string, limit: Self.longest) else {
            throw StoreError(.permissionDenied, path: path, what: "The store's key could not be read.")
        }
        guard bytes.starts(with: Self.prefix.utf8), bytes.last == UInt8(ascii: "\n"),
            let key = Self.decode(bytes.dropFirst(Self.prefix.utf8.count).dropLast())
        else {
            throw StoreError(
                .keyDamaged, path: path, what: "The store's key cannot be used.",
                why: "\(path) does not hold one line with “susi-key-1” and 32 bytes in hexadecimal digits.",
                next: "Put the right file back, or move the folder \(folder.path) away and sign in again.")
        }
        return key
    }

    /// Makes a new key and its file, which must not exist; both are on the disk when this returns.
    func make() throws(StoreError) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let digits = key.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
        let line = "\(Self.prefix)\(digits)\n"
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

    // Exactly 64 digits; nil for anything else.
    private static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count == 64 else { return nil }
        var key: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high { key.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return key
    }

    private static func flush(_ file: FileDescriptor) throws {
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
}
