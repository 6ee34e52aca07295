import SusiSQLite
import SystemPackage

/// The rows of a SQLite file, taken from its pages one by one and not by what leads to them
/// (https://www.sqlite.org/fileformat2.html): whatever else is damaged, a sound leaf page gives its rows.
///
/// What was deleted does not come back: this program's connections overwrite it.
struct PageFile {
    /// A row of a table with row ids.
    struct Row {
        let id: Int64
        let values: [Value]
    }

    private static let tableLeaf: UInt8 = 0x0d
    /// No row of ours comes near it.
    private static let largestRow = 64 << 20
    private let file: FileDescriptor
    private let size: Int
    private let count: Int

    /// Reads pages of `size` bytes.
    init(_ file: FileDescriptor, pageSize size: Int) throws {
        self.file = file
        self.size = size
        count = Int(try file.seek(offset: 0, from: .end)) / size
    }

    /// The page size that a file's header names, or the usual one where it names none that could be.
    static func pageSize(of file: FileDescriptor) throws(Errno) -> Int {
        let bytes = try file.bytes(2, at: 16)
        let size = bytes.count == 2 ? bytes.integer(0, size: 2) : 0
        return size >= 512 && size & (size - 1) == 0 ? size : size == 1 ? 65_536 : 4_096
    }

    /// Hands every row of every table to `body`, and returns how many pages hold something that is no page.
    func forEachRow(_ body: (Row) throws -> Void) throws -> Int {
        var strange = 0
        for number in 1...max(count, 1) where number <= count {
            let page = try page(number)
            let header = number == 1 ? 100 : 0
            if page[header] == Self.tableLeaf {
                if try !rows(page, header, body) { strange += 1 }
            }
        }
        return strange
    }

    private func page(_ number: Int) throws(Errno) -> [UInt8] {
        let bytes = try file.bytes(size, at: Int64(number - 1) * Int64(size))
        guard bytes.count == size else { throw .ioError }
        return bytes
    }

    // False when a cell is none; the others of the page count all the same.
    private func rows(_ page: [UInt8], _ header: Int, _ body: (Row) throws -> Void) throws -> Bool {
        let cells = page.integer(header + 3, size: 2)
        guard header + 8 + 2 * cells <= size else { return false }
        var isSound = true
        for cell in 0..<cells {
            if let row = try row(page, at: page.integer(header + 8 + 2 * cell, size: 2)) {
                try body(row)
            } else {
                isSound = false
            }
        }
        return isSound
    }

    private func row(_ page: [UInt8], at start: Int) throws -> Row? {
        var place = start
        guard start >= 8, let length = page.varint(&place), let id = page.varint(&place),
            length >= 1, length <= Self.largestRow,
            let record = try record(page, place, Int(length)), let values = Self.values(record)
        else { return nil }
        return Row(id: id, values: values)
    }

    // How much of a row is on its own page is reckoned as SQLite does; the rest is a chain of pages.
    private func record(_ page: [UInt8], _ place: Int, _ length: Int) throws -> [UInt8]? {
        let most = size - 35
        if length <= most { return place + length <= size ? Array(page[place..<place + length]) : nil }
        let least = (size - 12) * 32 / 255 - 23
        let usual = least + (length - least) % (size - 4)
        let local = usual <= most ? usual : least
        guard place + local + 4 <= size else { return nil }
        var bytes = Array(page[place..<place + local])
        var next = page.integer(place + local)
        while bytes.count < length {
            guard (2...max(count, 2)).contains(next), next <= count else { return nil }
            let more = try self.page(next)
            next = more.integer(0)
            bytes += more[4..<min(size, 4 + length - bytes.count)]
        }
        return bytes
    }

    private static func values(_ record: [UInt8]) -> [Value]? {
        var place = 0
        guard let header = record.varint(&place), header >= 1, header <= record.count else { return nil }
        var body = Int(header)
        var values: [Value] = []
        while place < Int(header) {
            guard let type = record.varint(&place), let value = value(record, &body, type) else { return nil }
            values.append(value)
        }
        return place == Int(header) ? values : nil
    }

    private static func value(_ record: [UInt8], _ place: inout Int, _ type: Int64) -> Value? {
        let size: Int
        switch type {
        case 0, 8, 9: size = 0
        case 1...4: size = Int(type)
        case 5: size = 6
        case 6, 7: size = 8
        case 12...: size = Int(type - 12) / 2
        default: return nil
        }
        guard size <= record.count - place else { return nil }
        let bytes = Array(record[place..<place + size])
        place += size
        switch type {
        case 0: return .null
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 1...6:
            // Two's complement of any width.
            let start: Int64 = bytes[0] >= 0x80 ? -1 : 0
            return .integer(bytes.reduce(start) { $0 << 8 | Int64($1) })
        case 7: return .real(Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        default:
            if type.isMultiple(of: 2) { return .blob(bytes) }
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
        }
    }
}

extension [UInt8] {
    /// SQLite's variable-length integer at `place`, which moves behind it; nil when the bytes end before.
    fileprivate func varint(_ place: inout Int) -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place < count else { return nil }
            let byte = self[place]
            place += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte & 0x80 == 0 { break }
        }
        return Int64(bitPattern: value)
    }
}
