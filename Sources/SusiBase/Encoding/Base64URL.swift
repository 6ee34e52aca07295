import FoundationEssentials

/// Base64 with the URL-safe alphabet and without padding (RFC 7515 appendix C, RFC 4648 section 5).
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let text = Data(bytes).base64EncodedString().utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: text.map { standard.firstIndex(of: $0).map { urlSafe[$0] } ?? $0 }, as: UTF8.self)
    }

    /// Decodes a text; returns `nil` if it contains a character outside the alphabet, or if unused bits at its end are set, so
    /// that bytes have one text only (RFC 4648 section 3.5). Some servers pad their tokens; nothing else may be padded.
    package static func decode(_ text: some StringProtocol, allowsPadding: Bool = false) -> [UInt8]? {
        var bytes = Array(text.utf8)
        for _ in 0..<2 where allowsPadding && bytes.count > 1 && bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
        guard !bytes.contains(where: { standard.contains($0) || $0 == UInt8(ascii: "=") }) else { return nil }
        let padding = Array(repeating: UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
        let padded = bytes.map { byte in urlSafe.firstIndex(of: byte).map { standard[$0] } ?? byte } + padding
        guard let data = Data(base64Encoded: Data(padded)), encode(data).utf8.elementsEqual(bytes) else { return nil }
        return Array(data)
    }

    private static let standard = Array("+/".utf8)
    private static let urlSafe = Array("-_".utf8)
}
