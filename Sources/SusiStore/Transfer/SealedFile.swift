import Crypto
import CryptoExtras
import FoundationEssentials
import SusiOAuth

/// The format of an encrypted export: three lines of text, then chunks encrypted by AES-256-GCM with a key that scrypt derives
/// from a passphrase (RFC 7914). The article "Moving" of the target `Susi` describes it byte by byte.
///
/// The chunks follow the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár: Online Authenticated-Encryption and its
/// Nonce-Reuse Misuse-Resistance, 2015): each nonce contains the number of the chunk and whether it is the last one, so
/// that no chunk can be left out, repeated, moved or cut off.
enum SealedFile {
    /// The first line: the format and its version.
    static let magic = "susi-export-1"
    /// The beginning of the first line in every version.
    static let family = "susi-export-"
    /// The bytes of text in a chunk; only the last one is shorter.
    static let chunkSize = 64 << 10
    static let tagSize = 16
    static let saltSize = 16
    static let largestHeader = 256
    /// The supported exponents of scrypt's N. 18 needs 256 MiB of memory, before the passphrase is checked.
    static let costs = 10...18

    /// The content of the first two lines.
    struct Header {
        let cost: Int
        let salt: [UInt8]

        /// The two lines.
        var text: String { "\(SealedFile.magic)\nscrypt \(cost) 8 1 \(Base64URL.encode(salt))\n" }
    }

    struct Keys {
        private let payload: SymmetricKey
        private let header: SymmetricKey

        /// Derives the keys; the cost determines the time and the memory.
        init(_ passphrase: String, _ header: Header) throws {
            let secret = try KDF.Scrypt.deriveKey(
                from: Array(passphrase.utf8), salt: header.salt, outputByteCount: 32, rounds: 1 << header.cost,
                blockSize: 8, parallelism: 1)
            let key = { (use: String) in
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: secret, info: Array("\(SealedFile.magic) \(use)".utf8), outputByteCount: 32)
            }
            payload = key("payload")
            self.header = key("header")
        }

        /// Returns the MAC in the third line, which detects a wrong passphrase before anything is read.
        func sum(of header: Header) -> [UInt8] {
            Array(HMAC<SHA256>.authenticationCode(for: Array(header.text.utf8), using: self.header))
        }

        /// Returns whether `sum` is the MAC of a header, in constant time.
        func accepts(_ sum: [UInt8], of header: Header) -> Bool {
            HMAC<SHA256>.isValidAuthenticationCode(
                sum, authenticating: Array(header.text.utf8), using: self.header)
        }

        func seal(_ text: [UInt8], number: UInt64, isLast: Bool) throws -> [UInt8] {
            let box = try AES.GCM.seal(text, using: payload, nonce: try Self.nonce(number, isLast))
            return Array(box.ciphertext) + box.tag
        }

        /// Decrypts a chunk; `nil` if it was altered, moved or truncated.
        func open(_ chunk: [UInt8], number: UInt64, isLast: Bool) -> [UInt8]? {
            guard chunk.count >= SealedFile.tagSize, let nonce = try? Self.nonce(number, isLast),
                let box = try? AES.GCM.SealedBox(
                    nonce: nonce, ciphertext: chunk.dropLast(SealedFile.tagSize), tag: chunk.suffix(SealedFile.tagSize))
            else { return nil }
            return (try? AES.GCM.open(box, using: payload)).map { Array($0) }
        }

        // Eleven bytes are the number of the chunk, big-endian; the twelfth is 1 for the last chunk.
        private static func nonce(_ number: UInt64, _ isLast: Bool) throws -> AES.GCM.Nonce {
            let count = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            return try AES.GCM.Nonce(data: [0, 0, 0] + count + [isLast ? 1 : 0])
        }
    }
}

/// Why an encrypted export was refused.
package enum SealedFileError: Error, Hashable, Sendable {
    /// It is not an encrypted export.
    case notOurs
    /// A newer version of this program wrote it.
    case newer
    case header(String)
    /// The exponent of scrypt's N is not supported.
    case tooCostly(Int)
    /// The passphrase is not that of the file, or the header was altered.
    case wrongPassphrase
    /// A chunk was altered, left out, repeated or moved.
    case altered(chunk: Int)
    /// The end is missing.
    case cut
    /// It was written that many seconds after now.
    case fromTheFuture(Int64)
    /// A line inside is not a record, or a member of it breaks a rule.
    case line(Int, String)
}
