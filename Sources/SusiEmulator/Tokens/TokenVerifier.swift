import CryptoExtras
import FoundationEssentials

/// Checks a token as a web API does that knows only the published keys.
struct TokenVerifier {
    /// Why a token is refused, in words that a developer can act on.
    struct Refused: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// The key set as the keys endpoint serves it.
    let keys: JSON
    let now: Int64

    /// The claims of a token whose signature and times are right.
    func claims(of token: String) throws -> JSON {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = decoded(parts[0]), let claims = decoded(parts[1]),
            let signature = bytes(base64URL: parts[2])
        else { throw Refused("The token is no signed JWT") }
        guard header["alg"]?.string == "RS256" else { throw Refused("The token is not signed with RS256") }
        guard let key = publicKey(header["kid"]?.string) else { throw Refused("The token's key is unknown") }
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        let isSigned = key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: signed, padding: .insecurePKCS1v1_5)
        guard isSigned else { throw Refused("The token's signature is wrong") }
        guard let expiry = claims["exp"]?.integer, now < expiry else { throw Refused("The token has expired") }
        guard let start = claims["nbf"]?.integer, start <= now else { throw Refused("The token is not valid yet") }
        return claims
    }

    private func decoded(_ part: Substring) -> JSON? { bytes(base64URL: part).flatMap { try? JSON(parsing: $0) } }

    private func publicKey(_ id: String?) -> _RSA.Signing.PublicKey? {
        guard let id, case .array(let all)? = keys["keys"], let key = all.first(where: { $0["kid"]?.string == id }),
            let n = key["n"]?.string.flatMap({ bytes(base64URL: $0) }),
            let e = key["e"]?.string.flatMap({ bytes(base64URL: $0) })
        else { return nil }
        return try? _RSA.Signing.PublicKey(n: n, e: e)
    }
}
