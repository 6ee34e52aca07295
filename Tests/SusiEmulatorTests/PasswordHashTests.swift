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

    @Test("a password that has matched is accepted again for the same hash only, and no other is")
    func remembersRightPasswordOfOneHash() throws {
        let (first, second) = (try PasswordHash("First-pass-1"), try PasswordHash("Second-pass-1"))
        for _ in 0..<2 {
            #expect(try first.matches("First-pass-1") && second.matches("Second-pass-1"))
            #expect(try !first.matches("Second-pass-1") && !second.matches("First-pass-1") && !first.matches(""))
        }
        // Read from a database: not remembered under other bytes.
        var changed = first.hash
        changed[0] ^= 1
        #expect(try !PasswordHash(salt: first.salt, hash: changed).matches("First-pass-1"))
        #expect(try !PasswordHash(salt: second.salt, hash: first.hash).matches("First-pass-1"))
        #expect(try PasswordHash(salt: first.salt, hash: first.hash).matches("First-pass-1"))
    }
}
