import Crypto
import FoundationEssentials

/// base64url without padding (RFC 4648 section 5).
func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    String(
        Data(bytes).base64EncodedString().compactMap { character in
            switch character {
            case "+": "-"
            case "/": "_"
            case "=": nil
            default: character
            }
        })
}

/// The bytes of a base64url text; nil when it holds anything else, padding included.
func bytes(base64URL text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2f && $0 != 0x3d }) else { return nil }
    var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    while !standard.utf8.count.isMultiple(of: 4) { standard.append("=") }
    return Data(base64Encoded: standard).map(Array.init)
}

/// A secret nobody can guess: 32 random bytes as base64url.
func randomSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    return base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
}

/// SHA-256 of a text. Secrets are looked up by their hash, so that the database holds none.
func sha256(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
