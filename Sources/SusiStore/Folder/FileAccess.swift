import FoundationEssentials
import SusiPolicies
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// System calls for files that SystemPackage lacks.
extension FileDescriptor {
    /// Waits until what was written is on the disk.
    func flush() throws(Errno) {
        guard fsync(rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
}

/// Operations on the names of files, each of them atomic.
enum FileName {
    /// Creates an empty file that only its owner may read. Throws `Errno.fileExists` if the name is not free.
    static func make(_ name: FilePath) throws {
        try FileDescriptor.open(
            name, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        ).close()
    }

    /// Waits until the content of a file is on the disk.
    static func flush(_ name: FilePath) throws {
        let file = try FileDescriptor.open(name, .readWrite, options: [.noFollow, .closeOnExec])
        try file.closeAfter { try file.flush() }
    }

    /// Moves a file and replaces the one at the destination.
    static func move(_ from: FilePath, to: FilePath) throws(Errno) {
        guard unsafe rename(from.string, to.string) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Moves a file to a name that must be free.
    static func give(_ file: FilePath, to name: FilePath) throws(Errno) {
        do {
            try add(name, to: file)
            try remove(file)
        } catch .notPermitted, .notSupported {
            // The file system does not support hard links.
            guard try SmallFile.Status(at: name) == nil else { throw .fileExists }
            try move(file, to: name)
        }
    }

    /// Gives a file a second name, which must be free.
    static func add(_ name: FilePath, to file: FilePath) throws(Errno) {
        guard unsafe link(file.string, name.string) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Keeps the content of a file under a second name, which must be free.
    static func keep(_ file: FilePath, as name: FilePath) throws {
        do { try add(name, to: file) } catch .notPermitted, .notSupported {
            try FileManager.default.copyItem(atPath: file.string, toPath: name.string)
        }
    }

    /// Removes a name; a missing one is no error.
    static func remove(_ name: FilePath) throws(Errno) {
        guard unsafe unlink(name.string) != 0, errno != ENOENT else { return }
        throw Errno(rawValue: errno)
    }

    /// Waits until the names in a folder are on the disk.
    static func flush(in folder: FilePath) throws {
        let folder = try FileDescriptor.open(folder, .readOnly, options: .closeOnExec)
        try folder.closeAfter { try folder.flush() }
    }
}
