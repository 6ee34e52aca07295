import SusiOAuth

/// A reader for the lines of an encrypted export. One chunk and one line at a time are in memory.
struct SealedReader {
    /// The maximum size of a line; those that susi writes are much shorter.
    private static let longestLine = 16 << 20
    private let read: (Int) throws -> [UInt8]
    private let keys: SealedFile.Keys
    private var sealed: [UInt8]
    private var opened: [UInt8] = []
    private var number: UInt64 = 0
    private var isAtEnd = false

    /// Reads the header and checks the passphrase. `read` returns at most the requested number of the next bytes, and
    /// none at the end.
    init(passphrase: String, read: @escaping (Int) throws -> [UInt8]) throws {
        var beginning: [UInt8] = []
        while beginning.count < SealedFile.largestHeader {
            let more = try read(SealedFile.largestHeader - beginning.count)
            if more.isEmpty { break }
            beginning += more
        }
        let (header, sum, length) = try Self.header(beginning)
        let keys = try SealedFile.Keys(passphrase, header)
        guard keys.accepts(sum, of: header) else { throw SealedFileError.wrongPassphrase }
        self.read = read
        self.keys = keys
        sealed = Array(beginning[length...])
    }

    /// Returns the next line; `nil` after the last one.
    mutating func next() throws -> [UInt8]? {
        while true {
            if let end = opened.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(opened[..<end])
                opened.removeFirst(end + 1)
                return line
            }
            if isAtEnd {
                guard opened.isEmpty else { throw SealedFileError.cut }
                return nil
            }
            guard opened.count <= Self.longestLine else { throw SealedFileError.line(0, "too long") }
            opened += try nextChunk()
        }
    }

    private mutating func nextChunk() throws -> [UInt8] {
        let size = SealedFile.chunkSize + SealedFile.tagSize
        // One byte more shows whether another chunk follows.
        while sealed.count <= size {
            let more = try read(size + 1 - sealed.count)
            if more.isEmpty { break }
            sealed += more
        }
        let isLast = sealed.count <= size
        let chunk = Array(sealed.prefix(size))
        guard let text = keys.open(chunk, number: number, isLast: isLast) else {
            let isCut = isLast && (chunk.isEmpty || keys.open(chunk, number: number, isLast: false) != nil)
            throw isCut ? SealedFileError.cut : SealedFileError.altered(chunk: Int(number) + 1)
        }
        sealed.removeFirst(chunk.count)
        number += 1
        isAtEnd = isLast
        return text
    }

    // MARK: The header

    /// Parses the header. Returns its MAC and its length too.
    static func header(_ bytes: [UInt8]) throws -> (SealedFile.Header, sum: [UInt8], length: Int) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard let first = lines.first, first.starts(with: SealedFile.family.utf8) else { throw SealedFileError.notOurs }
        guard lines.count == 4 else { throw SealedFileError.header("it ends too early") }
        let texts = lines[..<3].map { String(decoding: $0, as: UTF8.self) }
        guard texts[0] == SealedFile.magic else { throw SealedFileError.newer }
        let words = texts[1].split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        guard words.count == 5, words[0] == "scrypt", let cost = Int(words[1]), words[2...3] == ["8", "1"] else {
            throw SealedFileError.header("its second line does not contain the parameters of scrypt")
        }
        guard SealedFile.costs.contains(cost) else { throw SealedFileError.tooCostly(cost) }
        guard let salt = Base64URL.decode(words[4]), salt.count == SealedFile.saltSize else {
            throw SealedFileError.header("invalid salt")
        }
        let header = SealedFile.Header(cost: cost, salt: salt)
        // Numbers and base64 have several spellings; the MAC covers only the one that susi writes.
        guard header.text == "\(texts[0])\n\(texts[1])\n" else {
            throw SealedFileError.header("its second line is not in the format that susi writes")
        }
        guard texts[2].hasPrefix("mac "), let sum = Base64URL.decode(texts[2].dropFirst(4)), sum.count == 32,
            texts[2].dropFirst(4) == Base64URL.encode(sum)
        else { throw SealedFileError.header("its third line does not contain a MAC") }
        return (header, sum, lines[3].startIndex)
    }
}
