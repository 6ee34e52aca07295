import Crypto
import FoundationEssentials

/// base64url without padding (RFC 4648 section 5).
func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    let text = Data(bytes).base64EncodedString().utf8.prefix { $0 != UInt8(ascii: "=") }
    return String(
        decoding: text.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }, as: UTF8.self)
}

/// The bytes of a base64url text; nil if it is invalid or padded.
func bytes(base64URL text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2f && $0 != 0x3d }) else { return nil }
    var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    while !standard.utf8.count.isMultiple(of: 4) { standard.append("=") }
    // Unused bits at the end must be zero, so that bytes have one text only (RFC 4648 section 3.5).
    guard let data = Data(base64Encoded: standard), base64URL(data) == String(text) else { return nil }
    return Array(data)
}

/// A random secret: 32 bytes as base64url.
func randomSecret() -> String { randomText(words: 4) }

/// An identifier of a token (`uti` of Microsoft's platform): 128 random bits.
func randomTokenID() -> String { randomText(words: 2) }

private func randomText(words: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    // Each number is a system call, so generate words of eight bytes, not single ones.
    return base64URL(
        (0..<words).flatMap { _ -> [UInt8] in
            let number = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        })
}

/// SHA-256 of a text. The database stores secrets as their hash only.
func sha256(_ text: String) -> [UInt8] { sha256(Data(text.utf8)) }

/// SHA-256 of some bytes.
func sha256(_ data: Data) -> [UInt8] { Array(SHA256.hash(data: data)) }
