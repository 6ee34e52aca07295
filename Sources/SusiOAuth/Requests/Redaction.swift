import SusiBase
import SusiPolicies

/// Hides the secrets of an exchange in logs: by the names of parameters and headers, and by their form in any text.
package enum Redaction {
    /// The replacement for a secret.
    package static let hidden = "[hidden]"

    package static func header(_ name: String, _ value: String) -> String {
        value.isEmpty || !carriesSecret(name) ? text(value) : hidden
    }

    /// Returns a decoded form or query without secrets; text that cannot be decoded is hidden.
    package static func form(_ text: some StringProtocol) -> String {
        guard let fields = FormEncoding.decode(text) else { return hidden }
        return fields.map { "\(Self.text($0.name))=\(header($0.name, $0.value))" }.joined(separator: "&")
    }

    /// Returns any text without secrets: in an address by the names in query and fragment, elsewhere by their form.
    package static func text(_ text: String) -> String {
        let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
        guard isAddress, let end = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else {
            return isAddress ? text : withoutSecrets(text)
        }
        let marks = text[end...].split(omittingEmptySubsequences: true) { $0 == "?" || $0 == "#" }
        return text[..<end] + "?" + marks.map { form($0) }.joined(separator: "#")
    }

    // Secrets, and what identifies a person.
    private static func carriesSecret(_ name: String) -> Bool {
        isSecret(name) || ["username", "login_hint", "client_info"].contains(name.lowercased())
    }

    /// Whether a field or header of that name contains a secret: the names of OAuth and OpenID Connect, and common other ones.
    package static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        if ["code", "oob", "assertion"].contains(name) { return true }
        if ["token_type", "token_type_hint", "www-authenticate"].contains(name) { return false }
        let parts = [
            "token", "secret", "password", "passwd", "verifier", "authorization", "cookie", "assertion", "session",
            "credential", "signature", "api-key", "apikey", "device_code",
        ]
        return parts.contains { name.contains($0) }
    }

    private static func withoutSecrets(_ text: String) -> String {
        var shown = ""
        var rest = text.utf8[...]
        while let first = rest.first {
            let isRun = isOpaque(first)
            let run = rest.prefix { isOpaque($0) == isRun }
            rest = rest[run.endIndex...]
            let word = String(Substring(run))
            shown += isRun && isSecretText(word) ? hidden : word
        }
        return shown
    }

    // A JWT is such a run too; its parts are joined by dots.
    private static func isOpaque(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "+/=_-~".utf8.contains(byte)
    }

    private static func isSecretText(_ word: String) -> Bool {
        let bytes = word.utf8
        if word.hasPrefix("eyJ"), bytes.count > 8 { return true }
        // Ids of requests and tenants are not hidden: a server's support asks for them.
        guard bytes.count >= 20, !word.lowercased().isGUID else { return false }
        let hasDigit = bytes.contains { (0x30...0x39).contains($0) }
        let hasLower = bytes.contains { (0x61...0x7a).contains($0) }
        let hasUpper = bytes.contains { (0x41...0x5a).contains($0) }
        return hasDigit && hasLower && hasUpper || bytes.count >= 32 && hasDigit && (hasLower || hasUpper)
    }
}
