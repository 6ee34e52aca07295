import Crypto
import SusiBase

/// A code verifier with its challenge (RFC 7636 sections 4.1 and 4.2, method S256).
package struct PKCE: Hashable, Sendable {
    /// The verifier, which is sent only with the code.
    package let verifier: String

    package init() { verifier = RandomBytes.text() }

    package init(verifier: String) { self.verifier = verifier }

    package var challenge: String { Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))) }
}
