import FoundationEssentials

/// Base64 with padding (RFC 4648 section 4).
package enum Base64 {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }
}
