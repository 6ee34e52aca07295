/// A custom parameter of an authorization request; custom policies read such parameters.
public struct ExtraParameter: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its value; it may be empty.
    public let value: String

    /// Why a parameter cannot be added.
    public struct Refused: Error, Hashable, Sendable {
        /// The reason.
        public let reason: String
    }

    /// Makes a parameter. Parameters of the request itself are rejected, so that a caller cannot change its
    /// destination, its binding or its policy.
    public init(_ name: String, _ value: String) throws(Refused) {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Refused(reason: "expected a name of visible ASCII characters without spaces")
        }
        // B2C ignores the case of names.
        let key = name.lowercased()
        if let option = Self.options[key] { throw Refused(reason: "“\(name)” has its own option: \(option)") }
        guard !Self.reserved.contains(key), !key.hasPrefix("response_"), !key.hasPrefix("code_") else {
            throw Refused(reason: "susi sets “\(name)” itself")
        }
        self.name = name
        self.value = value
    }

    /// Parses `name=value`.
    public init(parsing text: String) throws(Refused) {
        guard let sign = text.firstIndex(of: "=") else { throw Refused(reason: "expected name=value") }
        try self.init(String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    // `request` and `request_uri` would replace all the others (RFC 9101 section 5); `p` names B2C's policy.
    private static let reserved: Set<String> = [
        "client_id", "redirect_uri", "state", "nonce", "scope", "client_info", "request", "request_uri", "p",
        "grant_type", "code", "client_secret", "client_assertion", "client_assertion_type",
    ]

    private static let options = [
        "prompt": "--prompt", "login_hint": "--login-hint", "domain_hint": "--domain-hint",
        "ui_locales": "--ui-locales", "claims": "--claims", "max_age": "--max-age",
        "response_mode": "--response-mode", "id_token_hint": "idTokenHint of the policy in policies.json",
    ]
}
