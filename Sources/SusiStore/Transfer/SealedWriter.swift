import SusiOAuth

/// A writer for the lines of an encrypted export. One chunk at a time is in memory.
struct SealedWriter {
    private let keys: SealedFile.Keys
    private let write: ([UInt8]) throws -> Void
    private var chunk: [UInt8] = []
    private var number: UInt64 = 0

    /// Writes the header with a new random salt; `cost` is the exponent of scrypt's N.
    init(passphrase: String, cost: Int, write: @escaping ([UInt8]) throws -> Void) throws {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<SealedFile.saltSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let header = SealedFile.Header(cost: cost, salt: salt)
        keys = try SealedFile.Keys(passphrase, header)
        self.write = write
        try write(Array("\(header.text)mac \(Base64URL.encode(keys.sum(of: header)))\n".utf8))
    }

    /// Adds a line, which must not contain a line break.
    mutating func add(_ line: [UInt8]) throws {
        chunk += line
        chunk.append(UInt8(ascii: "\n"))
        // A full chunk is kept until more text follows, because it may be the last one.
        while chunk.count > SealedFile.chunkSize {
            try write(try keys.seal(Array(chunk.prefix(SealedFile.chunkSize)), number: number, isLast: false))
            chunk.removeFirst(SealedFile.chunkSize)
            number += 1
        }
    }

    /// Writes the last chunk. Without it, readers reject the file.
    func finish() throws { try write(try keys.seal(chunk, number: number, isLast: true)) }
}
