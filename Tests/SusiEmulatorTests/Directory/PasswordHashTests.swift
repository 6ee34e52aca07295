import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import SusiEmulator

/// Stored passwords.
@Suite("Password hashes")
struct PasswordHashTests {
    @Test("the constant hash is that of the usual users' password")
    func usualHashIsRight() throws {
        let usual = PasswordHash.usual
        let key = try KDF.Scrypt.deriveKey(
            from: Array(User.usualPassword.utf8), salt: usual.salt, outputByteCount: 32, rounds: 16_384, blockSize: 8,
            parallelism: 1)
        #expect(HMAC<SHA256>.isValidAuthenticationCode(usual.hash, authenticating: Data("password".utf8), using: key))
    }

    @Test("a hash accepts its own password only, also that of the usual users")
    func acceptsOwnPasswordOnly() throws {
        let first = try PasswordHash("First-pass-1")
        #expect(try first.matches("First-pass-1") && !first.matches(User.usualPassword) && !first.matches(""))
        #expect(try PasswordHash.usual.matches(User.usualPassword) && !PasswordHash.usual.matches("First-pass-1"))
        var changed = PasswordHash.usual
        changed.hash[0] ^= 1
        #expect(try !changed.matches(User.usualPassword))
    }
}
