import Crypto
import SusiBase

package enum RandomText {
    /// Returns 256 random bits of the system's generator in base64url, 43 characters.
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

/// A code verifier with its challenge (RFC 7636 sections 4.1 and 4.2, method S256).
package struct PKCE: Hashable, Sendable {
    /// The verifier, which is sent only with the code.
    package let verifier: String

    package init() { verifier = RandomText.make() }

    package init(verifier: String) { self.verifier = verifier }

    package var challenge: String { Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))) }
}
