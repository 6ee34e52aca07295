import Crypto
import CryptoExtras
import FoundationEssentials
import SusiBase

/// The derivation of a key from a passphrase or from a command's output: scrypt (RFC 7914).
struct KeyDerivation: Hashable, Sendable {
    /// N, the cost; a power of two.
    let rounds: Int
    /// r, the size of a block in units of 128 bytes.
    let blockSize: Int
    let parallelism: Int
    let salt: [UInt8]

    /// A new salt, and 64 MiB for each guess.
    init() {
        (rounds, blockSize, parallelism) = (1 << 16, 8, 1)
        salt = RandomBytes.make(16)
    }

    /// Makes the derivation of a key file; `nil` if the parameters are unsafe or need more than 256 MiB: a file from another
    /// person must not exhaust the machine.
    init?(rounds: Int, blockSize: Int, parallelism: Int, salt: [UInt8]) {
        guard rounds.nonzeroBitCount == 1, (1 << 14...1 << 20).contains(rounds), (8...32).contains(blockSize),
            (1...4).contains(parallelism), rounds * blockSize <= 1 << 21, (16...32).contains(salt.count)
        else { return nil }
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
        self.salt = salt
    }

    /// Parses the words of a key file.
    init?(_ words: ArraySlice<Substring>) {
        let numbers = words.dropLast().compactMap { Int($0) }
        guard numbers.count == 3, let salt = words.last.flatMap({ Hexadecimal.decode($0, count: $0.utf8.count / 2) })
        else { return nil }
        self.init(rounds: numbers[0], blockSize: numbers[1], parallelism: numbers[2], salt: salt)
    }

    /// The words of a key file: N, r, p and the salt.
    var words: String { "\(rounds) \(blockSize) \(parallelism) \(Hexadecimal.encode(salt))" }

    /// Derives the key from a secret. Takes about 0.2 s and 128 × N × r bytes of memory.
    func key(from secret: [UInt8]) throws -> SealingKey {
        let derived = try KDF.Scrypt.deriveKey(
            from: secret, salt: salt, outputByteCount: SealingKey.count, rounds: rounds, blockSize: blockSize,
            parallelism: parallelism)
        // The library does not reveal the derived bytes; a MAC made with them is an equally good key.
        return SealingKey(
            bytes: Array(HMAC<SHA256>.authenticationCode(for: Data("susi-key-derived-1".utf8), using: derived)))
    }
}
