import SusiBase
import SusiPolicies

/// The code challenge of an authorization request (RFC 7636).
struct PKCEChallenge: Codable, Sendable {
    /// The transformation of the verifier (section 4.2).
    enum Method: String, Codable, CaseIterable, Sendable { case s256 = "S256", plain, none }

    let method: Method
    let text: String

    static let none = PKCEChallenge(method: .none, text: "")
}

extension PKCEChallenge {
    /// Reads the challenge of an authorization request; without a method it is `plain` (section 4.3).
    init(
        _ parameters: Parameters, of application: RegisteredApplication, _ endpoint: PolicyEndpoint,
        _ type: RedirectType?
    ) throws(Refusal) {
        let name = parameters["code_challenge_method"] ?? Method.plain.rawValue
        guard let text = parameters["code_challenge"] else {
            // A method alone has no effect, as in Azure AD B2C.
            guard !application.demandsChallenge || application.isConfidential(at: type) else {
                throw Refusal(.challengeMissing, "The supplied request must present a code_challenge.")
            }
            self = .none
            return
        }
        let methods = endpoint.dialect.traits.challengeMethods
        guard let method = methods.first(where: { $0.rawValue == name }) else {
            throw Refusal(
                .challengeMethod,
                """
                The supplied code_challenge_method is not supported. Supported values are \
                \(methods.map(\.rawValue).reversed().joined(separator: " or "))
                """)
        }
        let isWellFormed = method == .s256 ? Base64URL.decode(text)?.count == 32 : Self.isVerifier(text)
        guard isWellFormed else {
            throw Refusal(.badParameter, "The code_challenge provided in the request is invalid for '\(name)'.")
        }
        self.init(method: method, text: text)
    }

    /// Refuses a verifier that does not match. A verifier without a challenge is refused too, so that no code of another
    /// request can be injected (RFC 9700 section 4.8.2).
    func check(_ verifier: String?) throws(Refusal) {
        guard method != .none else {
            guard verifier != nil else { return }
            throw Refusal(.verifierInvalid, "The supplied code_verifier is invalid.").because(
                "code_verifier was sent, but the authorization request had no code_challenge")
        }
        guard let verifier else { throw .missing("code_verifier") }
        guard Self.isVerifier(verifier) else {
            throw Refusal(.verifierInvalid, "The supplied code_verifier is invalid.").because(
                """
                code_verifier must be 43 to 128 characters of A-Z, a-z, 0-9, “-”, “.”, “_” and “~”; it has \
                \(verifier.count)
                """)
        }
        guard isSameSecret(method == .plain ? verifier : Base64URL.encode(sha256(verifier)), text) else {
            throw Refusal(
                .verifierMismatch, "The supplied code_verifier does not match the associated code_challenge."
            ).because(
                method == .plain
                    ? "code_verifier does not match the code_challenge of the authorization request"
                    : "The SHA-256 of code_verifier in base64url does not match the code_challenge of the authorization request"
            )
        }
    }

    // Section 4.1: 43 to 128 unreserved characters.
    private static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && PercentEncoding.encode(text) == text
    }
}

/// Compares two secrets in constant time.
func isSameSecret(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
