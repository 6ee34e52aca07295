package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A new file that only its owner may read, unless it has other permissions, from its creation on. It is written beside
/// its place and moved there: it appears complete or not at all. No link is followed: a link there is replaced, or counts
/// as a file.
package struct PrivateFile: Sendable {
    private let place: FilePath
    /// Where the file is until it is kept.
    package let temporary: FilePath
    package let descriptor: FileDescriptor

    /// Creates the file beside its place; the caller keeps or discards it. Throws `Errno`.
    ///
    /// If a file with a secret must not be left by a killed process, `temporary` names it: one with that name is removed
    /// first. The caller excludes other processes.
    package init(for place: FilePath, as temporary: FilePath? = nil, _ permissions: FilePermissions? = nil) throws {
        self.place = place
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        self.temporary = temporary ?? place.removingLastComponent().appending(".susi-\(random)")
        if let temporary { SmallFile.remove(temporary.string) }
        descriptor = try Self.create(self.temporary, permissions ?? .ownerReadWrite)
    }

    /// Writes a whole file; see `init` and `keep`.
    package static func write(
        _ bytes: some Sequence<UInt8>, to place: FilePath, as temporary: FilePath? = nil, replacing: Bool = true,
        isDurable: Bool = false
    ) throws {
        try make(place, as: temporary, replacing: replacing, isDurable: isDurable) { file in
            _ = try file.descriptor.writeAll(bytes)
        }
    }

    /// Keeps the file that `body` fills, or discards it if `body` throws; see `init` and `keep`.
    package static func make<T>(
        _ place: FilePath, as temporary: FilePath? = nil, replacing: Bool = true, isDurable: Bool = false,
        _ body: (PrivateFile) throws -> T
    ) throws -> T {
        let file = try PrivateFile(for: place, as: temporary)
        let made: T
        do { made = try body(file) } catch {
            file.discard()
            throw error
        }
        try file.keep(replacing: replacing, isDurable: isDurable)
        return made
    }

    /// Moves the file to its place; removes it if that fails. Without `replacing`, an existing file is kept, and
    /// `Errno.fileExists` is thrown. With `isDurable`, file and name are on the disk when this returns.
    package func keep(replacing: Bool = true, isDurable: Bool = false) throws {
        defer { SmallFile.remove(temporary.string) }
        try descriptor.closeAfter { if isDurable { try descriptor.flush() } }
        try replacing ? FileName.move(temporary, to: place) : FileName.give(temporary, to: place)
        if isDurable { try FileName.flush(in: place.removingLastComponent()) }
    }

    /// Removes the file.
    package func discard() {
        try? descriptor.close()
        SmallFile.remove(temporary.string)
    }

    /// Creates an empty file at its place. Throws `Errno.fileExists` if the name is not free.
    package static func create(_ path: FilePath, _ mode: FilePermissions = .ownerReadWrite) throws -> FileDescriptor {
        try FileDescriptor.open(
            path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
            permissions: mode)
    }
}

/// Operations on the names of files, each of them atomic.
package enum FileName {
    /// Moves a file and replaces the one at the destination.
    package static func move(_ from: FilePath, to: FilePath) throws(Errno) {
        guard unsafe rename(from.string, to.string) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Gives a file a second name, which must be free.
    package static func add(_ name: FilePath, to file: FilePath) throws(Errno) {
        guard unsafe link(file.string, name.string) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Moves a file to a name that must be free.
    fileprivate static func give(_ file: FilePath, to name: FilePath) throws(Errno) {
        do { try add(name, to: file) } catch {
            // Not every file system supports hard links.
            guard SmallFile.entry(name.string).status == nil else { throw .fileExists }
            try move(file, to: name)
        }
    }

    /// Waits until the names in a folder are on the disk.
    package static func flush(in folder: FilePath) throws {
        let folder = try FileDescriptor.open(folder.isEmpty ? "." : folder, .readOnly, options: .closeOnExec)
        try folder.closeAfter { try folder.flush() }
    }
}

extension FileDescriptor {
    /// Waits until what was written is on the disk.
    fileprivate func flush() throws(Errno) {
        guard fsync(rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
}
