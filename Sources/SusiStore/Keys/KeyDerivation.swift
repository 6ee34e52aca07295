import Crypto
import CryptoExtras
import FoundationEssentials

/// How a key is made of a passphrase or of a command's answer: scrypt (RFC 7914).
struct KeyDerivation: Hashable, Sendable {
    /// N, the cost: a power of two.
    let rounds: Int
    /// r, the size of a block: 128 bytes each.
    let blockSize: Int
    /// p.
    let parallelism: Int
    let salt: [UInt8]

    /// A new salt, and 64 MiB for each guess.
    init() {
        (rounds, blockSize, parallelism) = (1 << 16, 8, 1)
        salt = SealingKey.random(16)
    }

    /// What a file says; nil when it asks for less than is safe, or for more than 256 MiB: a file that somebody else wrote
    /// must not exhaust the machine.
    init?(rounds: Int, blockSize: Int, parallelism: Int, salt: [UInt8]) {
        guard rounds.nonzeroBitCount == 1, (1 << 14...1 << 20).contains(rounds), (8...32).contains(blockSize),
            (1...4).contains(parallelism), rounds * blockSize <= 1 << 21, (16...32).contains(salt.count)
        else { return nil }
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
        self.salt = salt
    }

    /// The key that a secret gives. It takes about 0.2 s and the memory that was said.
    func key(from secret: [UInt8]) throws -> SealingKey {
        let derived = try KDF.Scrypt.deriveKey(
            from: secret, salt: salt, outputByteCount: SealingKey.count, rounds: rounds, blockSize: blockSize,
            parallelism: parallelism)
        // The library hands its bytes to nobody; what they sign is as good a key.
        return SealingKey(
            bytes: Array(HMAC<SHA256>.authenticationCode(for: Data("susi-key-derived-1".utf8), using: derived)))
    }
}
