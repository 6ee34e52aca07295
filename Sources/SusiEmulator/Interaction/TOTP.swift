import Crypto
import FoundationEssentials
import SusiBase

/// Time-based one-time passwords (RFC 6238) as authenticator apps make them: SHA-1, six digits, steps of 30 seconds.
struct TOTP: Sendable {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    private static let seconds: Int64 = 30

    private let key: SymmetricKey

    /// Takes a secret in base32 (RFC 4648 section 6), without padding.
    init(secret: String) {
        var (bits, count) = (0, 0)
        var bytes: [UInt8] = []
        for digit in secret.compactMap(Self.alphabet.firstIndex) {
            (bits, count) = (bits << 5 | digit, count + 5)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= 1 << count - 1
        }
        key = SymmetricKey(data: bytes)
    }

    /// A new secret of 160 bits, the length of the digest (RFC 4226 section 4).
    static func newSecret() -> String {
        String(RandomBytes.make(32).map { alphabet[Int($0 & 31)] })
    }

    /// The address with which an app adds an account.
    static func address(_ secret: String, account: String, issuer: String) -> String {
        let (account, issuer) = (PercentEncoding.encode(account), PercentEncoding.encode(issuer))
        return "otpauth://totp/\(issuer):\(account)?secret=\(secret)&issuer=\(issuer)"
    }

    /// The step in which a code is valid: the one at `now`, or one beside it for clocks that differ. A code is valid once, so
    /// that only steps after `used` count. Returns `nil` for a wrong code.
    func step(of code: String, now: Int64, after used: Int64) -> Int64? {
        let current = now / Self.seconds
        return (current - 1...current + 1).first { $0 > used && self.code($0) == code }
    }

    /// The next code that is valid at `now`; every valid one was used if it is not.
    func nextCode(now: Int64, after used: Int64) -> String {
        let current = now / Self.seconds
        return code(min(max(current, used + 1), current + 1))
    }

    // RFC 4226 section 5.3.
    private func code(_ step: Int64) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let digest = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: key))
        let offset = Int(digest[19] & 15)
        let number = digest[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        return String("\(1_000_000 + number % 1_000_000)".dropFirst())
    }
}
