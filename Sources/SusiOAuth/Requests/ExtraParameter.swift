/// A custom parameter of an authorization request; custom policies read such parameters.
package struct ExtraParameter: Hashable, Sendable {
    package let name: String
    /// Its value; it may be empty.
    package let value: String

    /// The reason why a parameter cannot be added.
    package enum Refused: Error, Hashable, Sendable {
        /// The text is not `name=value`.
        case noEqualsSign
        /// The name is empty or contains other characters than visible ASCII.
        case invalidName
        /// ``AuthorizationOptions`` or the policy sets the parameter of this name.
        case isOption(String)
        /// The request itself sets the parameter of this name.
        case isReserved(String)
    }

    /// Makes a parameter. Parameters of the request itself are rejected, so that a caller cannot change its
    /// destination, its binding or its policy.
    package init(_ name: String, _ value: String) throws(Refused) {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .invalidName }
        // B2C ignores the case of names.
        let key = name.lowercased()
        if Self.options.contains(key) { throw .isOption(name) }
        guard !Self.reserved.contains(key), !key.hasPrefix("response_"), !key.hasPrefix("code_") else {
            throw .isReserved(name)
        }
        self.name = name
        self.value = value
    }

    /// Parses `name=value`.
    package init(parsing text: String) throws(Refused) {
        guard let sign = text.firstIndex(of: "=") else { throw .noEqualsSign }
        try self.init(String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    // `request` and `request_uri` would replace all the others (RFC 9101 section 5); `p` names B2C's policy.
    private static let reserved: Set = [
        "client_id", "redirect_uri", "state", "nonce", "scope", "client_info", "request", "request_uri", "p",
        "grant_type", "code", "client_secret", "client_assertion", "client_assertion_type",
    ]

    private static let options: Set = [
        "prompt", "login_hint", "domain_hint", "ui_locales", "claims", "max_age", "response_mode", "id_token_hint",
    ]
}
