import FoundationEssentials

/// Base64 with the URL-safe alphabet and without padding (RFC 7515 appendix C).
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let text = Data(bytes).base64EncodedString()
        return String(
            text.compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// Decodes a text; returns `nil` if it contains a character outside the alphabet. Padding is accepted, because some
    /// servers send it.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var standard: [UInt8] = []
        for byte in Self.withoutPadding(text) {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(byte)
            }
        }
        standard += Array(repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: Data(standard)).map(Array.init)
    }

    // At most two padding characters, at the end of a text.
    private static func withoutPadding(_ text: some StringProtocol) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<2 where bytes.count > 1 && bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
        return bytes
    }
}
