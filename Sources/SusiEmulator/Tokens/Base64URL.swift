import Crypto
import FoundationEssentials

/// base64url without padding (RFC 4648 section 5).
func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    let alphabet = base64URLAlphabet
    // An array's bytes come faster than those of `Data`.
    let bytes = Array(bytes)
    var text = [UInt8](repeating: 0, count: (bytes.count * 4 + 2) / 3)
    var (rest, count, end): (UInt32, UInt32, Int) = (0, 0, 0)
    for byte in bytes {
        rest = rest << 8 | UInt32(byte)
        count += 8
        while count >= 6 {
            count -= 6
            text[end] = alphabet[Int(rest >> count & 0x3f)]
            end += 1
        }
    }
    if count > 0 { text[end] = alphabet[Int(rest << (6 - count) & 0x3f)] }
    return String(decoding: text, as: UTF8.self)
}

private let base64URLAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

/// The bytes of a base64url text; nil when it holds anything else, padding included.
func bytes(base64URL text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2f && $0 != 0x3d }) else { return nil }
    var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    while !standard.utf8.count.isMultiple(of: 4) { standard.append("=") }
    // One text for the same bytes: bits at the end that say nothing must be zero (RFC 4648 section 3.5).
    guard let data = Data(base64Encoded: standard), base64URL(data) == String(text) else { return nil }
    return Array(data)
}

/// A secret nobody can guess: 32 random bytes as base64url.
func randomSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    // Each number is a system call: four of eight bytes, not 32 of one.
    return base64URL(
        (0..<4).flatMap { _ -> [UInt8] in
            let number = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        })
}

/// SHA-256 of a text. Secrets are looked up by their hash, so that the database holds none.
func sha256(_ text: String) -> [UInt8] { sha256(Data(text.utf8)) }

/// SHA-256 of some bytes.
func sha256(_ data: Data) -> [UInt8] { Array(SHA256.hash(data: data)) }
