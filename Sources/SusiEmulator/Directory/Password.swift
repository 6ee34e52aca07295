import Crypto
import CryptoExtras
import FoundationEssentials
import SusiBase
import Synchronization

/// A stored password: scrypt (RFC 7914) with N = 16384, r = 8, p = 1 derives a key of 32 bytes, and HMAC-SHA-256 with that
/// key signs the word `password`.
package struct PasswordHash: Codable, Hashable, Sendable {
    /// The salt: 16 bytes.
    package internal(set) var salt: [UInt8]
    /// The signature: 32 bytes.
    package internal(set) var hash: [UInt8]

    /// Hashes a password with a new salt, deliberately slowly.
    package init(_ password: String) throws {
        salt = RandomBytes.make(16)
        hash = Array(HMAC<SHA256>.authenticationCode(for: Self.label, using: try Self.derive(password, salt)))
    }

    package init(salt: [UInt8], hash: [UInt8]) {
        self.salt = salt
        self.hash = hash
    }

    /// A hash that matches no password, so that an unknown user takes as long as a wrong password.
    static let unmatchable = PasswordHash(
        salt: [UInt8](repeating: 0, count: 16), hash: [UInt8](repeating: 0, count: 32))

    /// The hash of `User.usualPassword`, which is public anyway, so that an emulator with the usual users hashes nothing.
    static let usual = PasswordHash(
        salt: Array("susi usual users".utf8),
        hash: [
            0xe7, 0xea, 0xae, 0x4a, 0xef, 0x01, 0x54, 0x61, 0x30, 0xa1, 0x44, 0x0a, 0xf2, 0x4a, 0x17, 0xdd,
            0xc7, 0x36, 0x44, 0x13, 0xad, 0x31, 0x37, 0xe2, 0xfc, 0x1d, 0x48, 0x5f, 0xda, 0xb4, 0x00, 0x18,
        ])

    /// Compares in constant time. The usual password is not hashed, because it is public; every other one is, so that an
    /// unknown user takes as long as a wrong password.
    func matches(_ password: String) throws -> Bool {
        if self == .usual, password == User.usualPassword { return true }
        let key = try Self.derive(password, salt)
        return HMAC<SHA256>.isValidAuthenticationCode(hash, authenticating: Self.label, using: key)
    }

    private static let label = Data("password".utf8)

    // The derived key signs a constant, so that the key itself is not stored.
    private static func derive(_ password: String, _ salt: [UInt8]) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: salt, outputByteCount: 32, rounds: 16_384, blockSize: 8, parallelism: 1)
    }
}

/// The hashes of shared passwords, each computed once because hashing is slow.
final class SharedHashes: Sendable {
    private let made = Mutex<[String: PasswordHash]>([User.usualPassword: .usual])

    func hash(_ password: String) throws -> PasswordHash {
        try made.withLock { made in
            if let hash = made[password] { return hash }
            let hash = try PasswordHash(password)
            made[password] = hash
            return hash
        }
    }
}

/// The rule of Azure AD B2C's "strong" passwords: 8 to 64 characters, three of four classes. External ID accepts longer ones.
func passwordProblem(_ password: String, longest: Int = 64) -> LocalizedText? {
    guard (8...longest).contains(password.count) else { return .passwordLength }
    let classes: [(Character) -> Bool] = [
        { $0.isLowercase }, { $0.isUppercase }, { $0.isNumber }, { !$0.isLetter && !$0.isNumber },
    ]
    return classes.count(where: { password.contains(where: $0) }) >= 3 ? nil : .passwordClasses
}
