import SystemPackage

/// A copy of a damaged database to work on: with its log worked in, and with a header that SQLite takes.
enum DamagedCopy {
    private static let piece = 1 << 20
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Copies the database of a folder to `path`; returns what of the log SQLite would not have read.
    static func make(of folder: StoreFolder, at path: FilePath) throws -> (frame: Int, transactions: Int)? {
        let source = try FileDescriptor.open(folder.database, .readOnly, options: [.noFollow, .closeOnExec])
        defer { try? source.close() }
        let copy = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite)
        defer { try? copy.close() }
        while case let bytes = try source.next(piece), !bytes.isEmpty { try copy.writeAll(bytes) }
        var hidden: (frame: Int, transactions: Int)?
        if let log = try WriteAheadLog.beside(folder.database) {
            defer { try? log.file.close() }
            hidden = try log.hidden()
            try workIn(log, copy)
        }
        try mendHeader(of: copy)
        return hidden
    }

    /// The schema that the header names.
    static func version(at path: FilePath) throws -> Int64 {
        let file = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
        return try file.closeAfter {
            let bytes = try file.bytes(4, at: 60)
            return bytes.count == 4 ? Int64(bytes.integer(0)) : 0
        }
    }

    // Every page whose checksum is right, up to the last transaction that is whole: also behind a damaged frame, since rows
    // are taken one by one and need not fit together.
    private static func workIn(_ log: WriteAheadLog, _ copy: FileDescriptor) throws {
        var (number, last) = (0, 0)
        try log.forEachFrame { frame in
            number += 1
            if frame.isSound, frame.databaseSize > 0 { last = number }
        }
        // A page beyond what file and log can hold together would make a file of any size.
        let most = Int(try copy.seek(offset: 0, from: .end)) / log.pageSize + number
        number = 0
        try log.forEachFrame { frame in
            number += 1
            guard number <= last, frame.isSound, (1...most).contains(frame.page) else { return }
            let page = try log.file.bytes(log.pageSize, at: frame.offset)
            try copy.writeAll(toAbsoluteOffset: Int64(frame.page - 1) * Int64(log.pageSize), page)
        }
    }

    // Our header is the same in every store but for a few numbers (https://www.sqlite.org/fileformat2.html section 1.3).
    private static func mendHeader(of copy: FileDescriptor) throws {
        var header = try copy.bytes(100, at: 0)
        guard header.count == 100 else { return }
        let wasSound = header.starts(with: magic)
        let size = try PageFile.pageSize(of: copy)
        let pages = Int(try copy.seek(offset: 0, from: .end)) / size
        header.replaceSubrange(0..<16, with: magic)
        header.replaceSubrange(16..<18, with: bytes(size == 65_536 ? 1 : size).suffix(2))
        // No log: it is worked in.
        header.replaceSubrange(18..<24, with: [1, 1, 0, 64, 32, 32])
        header.replaceSubrange(28..<32, with: bytes(pages))
        header.replaceSubrange(92..<96, with: header[24..<28])
        if !wasSound {
            header.replaceSubrange(32..<40, with: bytes(0) + bytes(0))
            header.replaceSubrange(44..<48, with: bytes(4))
            header.replaceSubrange(52..<60, with: bytes(0) + bytes(1))
        }
        try copy.writeAll(toAbsoluteOffset: 0, header)
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}
