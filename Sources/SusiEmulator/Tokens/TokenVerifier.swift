import Crypto
import CryptoExtras
import FoundationEssentials
import SusiBase

/// Verifies a token like a web API that only has the published keys.
struct TokenVerifier {
    /// Why a token is refused, for developers.
    struct Refused: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    let keys: JSON
    /// A secret that signs tokens by HS256, instead of the keys.
    var secret: String?
    let now: Int64

    /// The claims of a token with a valid signature and valid times.
    func claims(of token: String) throws -> JSON {
        let claims = try signedClaims(of: token)
        guard let expiry = claims["exp"]?.integer, now < expiry else { throw Refused("The token has expired") }
        if let start = claims["nbf"]?.integer ?? claims["iat"]?.integer, start > now {
            throw Refused("The token is not valid yet")
        }
        return claims
    }

    /// The claims of a token with a valid signature, expired or not: an id token hint may have expired.
    func signedClaims(of token: String) throws -> JSON {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = decoded(parts[0]), let claims = decoded(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw Refused("The token is not a signed JWT") }
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        if let secret {
            let key = SymmetricKey(data: Data(secret.utf8))
            guard header["alg"] == "HS256",
                HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: key)
            else { throw Refused("The token is not signed by HS256 with the secret") }
            return claims
        }
        guard let algorithm = header["alg"]?.string.flatMap(SigningAlgorithm.init) else {
            let known = SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refused("The token has an unsupported signature algorithm; supported: \(known)")
        }
        guard let key = publicKey(header["kid"]?.string) else {
            throw Refused("The token is signed with an unknown key")
        }
        guard isValid(signature, over: signed, key: key, algorithm) else {
            throw Refused("The token has an invalid signature")
        }
        return claims
    }

    /// Returns whether the key set has the key that the token names; does not check the signature.
    func knowsKey(of token: String) -> Bool {
        guard let header = token.split(separator: ".").first.flatMap(decoded) else { return false }
        return publicKey(header["kid"]?.string) != nil
    }

    private func decoded(_ part: Substring) -> JSON? { Base64URL.decode(part).flatMap { try? JSON(parsing: $0) } }

    private func publicKey(_ id: String?) -> JSON? {
        guard let id, case .array(let all)? = keys["keys"] else { return nil }
        return all.first { $0["kid"]?.string == id }
    }

    // The header's algorithm must suit the key (RFC 8725 section 3.1).
    private func isValid(_ signature: [UInt8], over data: Data, key: JSON, _ algorithm: SigningAlgorithm) -> Bool {
        let number = { (name: String) in key[name]?.string.flatMap { Base64URL.decode($0) } }
        switch algorithm {
        case .es256:
            guard key["kty"] == "EC", let x = number("x"), let y = number("y"),
                let point = try? P256.Signing.PublicKey(rawRepresentation: x + y),
                let pair = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return point.isValidSignature(pair, for: data)
        case .rs256, .ps256:
            guard key["kty"] == "RSA", let n = number("n"), let e = number("e"),
                let rsa = try? _RSA.Signing.PublicKey(n: n, e: e)
            else { return false }
            return rsa.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: data,
                padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
        }
    }
}
