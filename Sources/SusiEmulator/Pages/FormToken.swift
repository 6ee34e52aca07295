import Crypto
import FoundationEssentials
import SusiBase

/// The token that protects a form against cross-site requests: a message authentication code over the subject of the form with
/// the secret in the browser's form cookie.
enum FormToken {
    static func make(_ secret: String, about subject: String) -> String {
        let key = SymmetricKey(data: Data(secret.utf8))
        return Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Data(subject.utf8), using: key))
    }

    /// Returns whether a token belongs to the browser of the request. Compares in constant time.
    static func isValid(_ token: String?, about subject: String, _ context: RequestContext) -> Bool {
        guard let token = token.flatMap({ Base64URL.decode($0) }), let secret = context.cookie(context.formCookie)
        else {
            return false
        }
        return HMAC<SHA256>.isValidAuthenticationCode(
            token, authenticating: Data(subject.utf8), using: SymmetricKey(data: Data(secret.utf8)))
    }
}
