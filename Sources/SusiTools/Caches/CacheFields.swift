import SusiBase
import SusiOAuth
import SusiPolicies

/// The members of one entry. Each is checked when it is read, because a file may contain anything.
struct CacheFields {
    private static let longestName = 1_024
    private static let longestSecret = 64 << 10
    private static let longestLabel = 256
    let node: JSONNode

    init(_ node: JSONNode) throws(InvalidInput) {
        guard case .object = node.value else { throw InvalidInput("expected an object, found \(node.kind)") }
        self.node = node
    }

    func required(_ name: String) throws(InvalidInput) -> String {
        guard let text = try optional(name) else { throw InvalidInput("no \(name)") }
        return text
    }

    /// Returns the text of a member; `nil` if it is missing, null or empty. Throws if it contains a control character or a space.
    func optional(_ name: String) throws(InvalidInput) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= Self.longestName else { throw InvalidInput("\(name) is too long") }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw InvalidInput("\(name) contains a space or a control character")
        }
        return text
    }

    /// Returns a secret, which must be visible ASCII (RFC 6749 appendix A.17).
    func secret(_ name: String) throws(InvalidInput) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= Self.longestSecret else {
            throw InvalidInput("\(name) is too long for a token")
        }
        guard text.isTokenText else {
            throw InvalidInput("\(name) contains characters that a token must not have")
        }
        return text
    }

    /// Returns the label of an account, truncated; `nil` if it is missing or a placeholder.
    func label(_ name: String) throws(InvalidInput) -> String? {
        guard let text = try text(name) else { return nil }
        // MSAL's schema requires a user name; some of the libraries write this text if the response has no name.
        return text == "Missing from the token response" ? nil : String(text.prefix(Self.longestLabel))
    }

    /// Returns the scopes of a space-separated list.
    func scopes(_ name: String) throws(InvalidInput) -> ScopeSet {
        let text = try text(name) ?? ""
        guard text.utf8.count <= Self.longestSecret else { throw InvalidInput("\(name) is too long") }
        return ScopeSet(text: text)
    }

    private func text(_ name: String) throws(InvalidInput) -> String? {
        guard let member = node[name] else { return nil }
        guard let text = member.string else {
            throw InvalidInput("\(name): expected a string, found \(member.kind)")
        }
        return text.isEmpty ? nil : text
    }
}

struct CacheContent {
    var entries: [CacheEntry] = []
    var damages: [CacheFile.Damage] = []
    var tokenless: [String] = []

    private static let longestName = 120

    /// Adds an entry that cannot be read.
    mutating func note(_ damage: InvalidInput, of name: String) {
        damages.append(CacheFile.Damage(entry: Self.shortened(name), reason: damage.reason))
    }

    /// Returns an entry's name, truncated.
    static func shortened(_ name: String) -> String {
        name.count <= longestName ? name : "\(name.prefix(longestName))…"
    }
}
