import Crypto
import FoundationEssentials

/// What a form carries to show that it came from a page of this browser: a code over what the form is about, which needs the
/// secret of the browser's form cookie.
enum FormToken {
    static func make(_ secret: String, about subject: String) -> String {
        let key = SymmetricKey(data: Data(secret.utf8))
        return base64URL(HMAC<SHA256>.authenticationCode(for: Data(subject.utf8), using: key))
    }

    /// Whether the token of a request is the one of its browser. Compares in constant time.
    static func isValid(_ token: String?, about subject: String, _ context: RequestContext) -> Bool {
        guard let token = token.flatMap({ bytes(base64URL: $0) }), let secret = context.cookie(context.formCookie)
        else {
            return false
        }
        return HMAC<SHA256>.isValidAuthenticationCode(
            token, authenticating: Data(subject.utf8), using: SymmetricKey(data: Data(secret.utf8)))
    }
}
