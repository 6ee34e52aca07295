import Crypto
import CryptoExtras
import FoundationEssentials
import NIOSSL
import SusiBase

/// An encrypted token as External ID was seen to send it (RFC 7516): an unsigned JWT (RFC 7519 section 6), compressed and
/// encrypted by RSA-OAEP and A128CBC-HS256.
enum EncryptedToken {
    static func make(_ claims: JSON, for certificate: NIOSSLCertificate) throws -> String {
        let unsigned = [["alg": "none", "typ": "JWT"] as JSON, claims]
        let token = unsigned.map { Base64URL.encode($0.encoded) }.joined(separator: ".") + "."
        let thumbprint = Base64URL.encode(Insecure.SHA1.hash(data: try certificate.toDERBytes()))
        let members: JSON = ["alg": "RSA-OAEP", "enc": "A128CBC-HS256", "x5t": .string(thumbprint), "zip": "DEF"]
        let header = Base64URL.encode(members.encoded)
        let (key, iv) = (RandomBytes.make(32), RandomBytes.make(16))
        let rsa = try _RSA.Encryption.PublicKey(derRepresentation: try certificate.extractPublicKey().toSPKIBytes())
        let wrapped = try rsa.encrypt(key, padding: .PKCS1_OAEP)
        let sealed = try AES._CBC.encrypt(
            stored(Array(token.utf8)), using: SymmetricKey(data: key.suffix(16)), iv: try AES._CBC.IV(ivBytes: iv))
        // RFC 7518 section 5.2.2.1; the last part is the header's length in bits.
        let bits = header.utf8.count * 8
        let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        let tag = HMAC<SHA256>.authenticationCode(
            for: Array(header.utf8) + iv + sealed + length, using: SymmetricKey(data: key.prefix(16)))
        return ([header] + [Array(wrapped), iv, Array(sealed), Array(tag.prefix(16))].map { Base64URL.encode($0) })
            .joined(separator: ".")
    }

    // DEFLATE with one block that is not compressed (RFC 1951 section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let (low, high) = (UInt8(bytes.count & 0xff), UInt8(bytes.count >> 8 & 0xff))
        return [1, low, high, ~low, ~high] + bytes
    }
}
