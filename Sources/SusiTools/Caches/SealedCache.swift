import FoundationEssentials
import SusiBase
import SusiOAuth
import SusiPolicies

/// Recognizes caches that only their own machine or program can decrypt, so that errors can name them.
package enum SealedCache {
    /// How a file is encrypted or encoded.
    package enum Kind: String, Hashable, Sendable {
        /// Windows' data protection (DPAPI), as MSAL's extensions use it: only the same user on the same machine can open it.
        case dpapi
        /// The binary form of ADAL .NET and of MSAL .NET before version 3.
        case binary
        case unknown
    }

    // A DPAPI blob begins with its version, 1, and the GUID of the provider df9d8cd0-1501-11d1-8c7a-00c04fc297eb.
    private static let dpapi: [UInt8] = [
        0x01, 0x00, 0x00, 0x00, 0xd0, 0x8c, 0x9d, 0xdf, 0x01, 0x15, 0xd1, 0x11, 0x8c, 0x7a, 0x00, 0xc0, 0x4f, 0xc2,
        0x97,
        0xeb,
    ]

    /// Returns how bytes are encrypted or encoded; `nil` if they may be text.
    static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.starts(with: dpapi) { return .dpapi }
        // BinaryWriter puts the schema's version first, in four bytes.
        if bytes.count > 8, (1...4).contains(bytes[0]), bytes[1...3].allSatisfy({ $0 == 0 }) { return .binary }
        return String(validating: bytes, as: UTF8.self) == nil ? .unknown : nil
    }

    /// Decodes a text in base64, also with line breaks; returns `nil` for other text.
    static func base64(_ text: [UInt8]) -> [UInt8]? {
        let letters = text.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        guard letters.count >= 16, letters.count % 4 == 0 else { return nil }
        return Data(base64Encoded: Data(letters)).map(Array.init)
    }

    /// Whether an object is an encrypted envelope, for example of MSAL.js or a JWE in JSON.
    static func looksSealed(_ node: JSONNode) -> Bool {
        let isEnvelope = node["data"]?.string != nil && (node["nonce"] ?? node["iv"])?.string != nil
        return isEnvelope || node["ciphertext"]?.string != nil
    }
}
