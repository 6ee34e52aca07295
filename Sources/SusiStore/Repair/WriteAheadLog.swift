import SystemPackage

/// SQLite's write-ahead log as it lies on the disk (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
///
/// SQLite reads it up to the first frame whose checksum is wrong and takes that for the end: a write that a power failure
/// cut short. When whole transactions stand behind such a frame it was none, and what they hold would be lost without a word.
struct WriteAheadLog {
    /// A page as the log holds it.
    struct Frame {
        /// The page's number, from 1.
        let page: Int
        /// Where its bytes begin in the file.
        let offset: Int64
        /// The database's size in pages after a transaction's last frame; 0 in every other frame.
        let databaseSize: Int
        /// Whether its checksum is right, seen from the frame before it.
        let isSound: Bool
    }

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    let file: FileDescriptor
    let pageSize: Int
    private let isBigEndian: Bool
    private let salts: [UInt8]
    private let start: Checksum

    /// Reads the header; nil when it is not that of a log, and then SQLite reads nothing of it either.
    init?(_ file: FileDescriptor) throws(Errno) {
        let header = try file.bytes(Self.headerSize, at: 0)
        guard header.count == Self.headerSize, header.integer(0) & ~1 == 0x377f_0682, header.integer(4) == 3_007_000
        else { return nil }
        self.file = file
        isBigEndian = header.integer(0) & 1 == 1
        pageSize = header.integer(8)
        guard pageSize >= 512, pageSize <= 65_536, pageSize & (pageSize - 1) == 0 else { return nil }
        salts = Array(header[16..<24])
        var sum = Checksum()
        sum.add(header[..<24], isBigEndian)
        start = sum
        guard sum == Checksum(header[24..<32]) else { return nil }
    }

    /// Hands each frame of this generation of the log to `body`, also those behind a damaged one: each frame's checksum
    /// begins with the one that the frame before it holds.
    func forEachFrame(_ body: (Frame) throws -> Void) throws {
        var (place, before) = (Int64(Self.headerSize), start)
        while true {
            let bytes = try file.bytes(Self.frameHeaderSize + pageSize, at: place)
            guard bytes.count == Self.frameHeaderSize + pageSize else { return }
            let stored = Checksum(bytes[16..<24])
            var sum = before
            sum.add(bytes[..<8], isBigEndian)
            sum.add(bytes[Self.frameHeaderSize...], isBigEndian)
            let isOurs = bytes[8..<16].elementsEqual(salts)
            try body(
                Frame(
                    page: bytes.integer(0), offset: place + Int64(Self.frameHeaderSize), databaseSize: bytes.integer(4),
                    isSound: isOurs && sum == stored))
            before = stored
            place += Int64(bytes.count)
        }
    }

    /// How many transactions SQLite would not read, and the frame that hides them; nil when it reads all of them.
    func hidden() throws -> (frame: Int, transactions: Int)? {
        var (number, damaged, transactions) = (0, Int?.none, 0)
        try forEachFrame { frame in
            number += 1
            if !frame.isSound {
                if damaged == nil { damaged = number }
            } else if damaged != nil, frame.databaseSize > 0 {
                transactions += 1
            }
        }
        return damaged.flatMap { transactions > 0 ? (frame: $0, transactions: transactions) : nil }
    }

    /// The log beside a database; nil when there is none, or an empty one.
    static func beside(_ database: FilePath) throws(Errno) -> WriteAheadLog? {
        do {
            return try WriteAheadLog(
                FileDescriptor.open(FilePath(database.string + "-wal"), .readOnly, options: [.noFollow, .closeOnExec]))
        } catch {
            guard let error = error as? Errno, error != .noSuchFileOrDirectory else { return nil }
            throw error
        }
    }

    /// Throws when SQLite would lose transactions of the log without a word: then nobody may write, since that overwrites
    /// them. Of a single one it cannot be told whether it was ever complete, so it is left to SQLite.
    static func check(_ folder: StoreFolder) throws {
        let look = { () throws -> (frame: Int, transactions: Int)? in
            guard let log = try beside(folder.database) else { return nil }
            defer { try? log.file.close() }
            return try log.hidden()
        }
        guard let first = try look(), first.transactions > 1 else { return }
        // A frame may have been read while it was written.
        guard let second = try look(), second.transactions > 1, second.frame == first.frame else { return }
        throw StoreError.damaged(
            folder,
            "its write-ahead log is damaged at frame \(second.frame), with \(second.transactions) more changes after it"
        )
    }
}

/// The two sums of the log's checksum.
private struct Checksum: Equatable {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init() {}

    init(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        first = UInt32(bytes.integer(0))
        second = UInt32(bytes.integer(4))
    }

    mutating func add(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) {
        var place = bytes.startIndex
        while place + 8 <= bytes.endIndex {
            first &+= Self.word(bytes, place, isBigEndian) &+ second
            second &+= Self.word(bytes, place + 4, isBigEndian) &+ first
            place += 8
        }
    }

    private static func word(_ bytes: ArraySlice<UInt8>, _ place: Int, _ isBigEndian: Bool) -> UInt32 {
        let word =
            UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
            | UInt32(bytes[place + 3])
        return isBigEndian ? word : word.byteSwapped
    }
}

extension [UInt8] {
    /// The four bytes from `place` on as a number, the highest first.
    func integer(_ place: Int, size: Int = 4) -> Int {
        self[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
    }
}
