import SusiOAuth
import SusiPolicies

/// The members of one entry, each checked when it is read: a file may hold anything.
struct CacheFields {
    /// What is wrong with an entry.
    struct Damaged: Error {
        let reason: String
    }

    private static let longestName = 1_024
    private static let longestSecret = 64 << 10
    private static let longestLabel = 256
    let node: JSONNode

    init(_ node: JSONNode) throws(Damaged) {
        guard case .object = node.value else { throw Damaged(reason: "expected an object, found \(node.kind)") }
        self.node = node
    }

    /// The text of a member that must be there.
    func required(_ name: String) throws(Damaged) -> String {
        guard let text = try optional(name) else { throw Damaged(reason: "no \(name)") }
        return text
    }

    /// The text of a member; nil when it is missing, null or empty. It holds no control character and no space.
    func optional(_ name: String) throws(Damaged) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= Self.longestName else { throw Damaged(reason: "\(name) is too long") }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw Damaged(reason: "\(name) contains a space or a control character")
        }
        return text
    }

    /// A secret: visible ASCII, as every token is (RFC 6749 appendix A.17).
    func secret(_ name: String) throws(Damaged) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= Self.longestSecret else {
            throw Damaged(reason: "\(name) is too long for a token")
        }
        guard text.isTokenText else {
            throw Damaged(reason: "\(name) contains characters that a token must not have")
        }
        return text
    }

    /// What to show of an account, cut to a bearable length; nil when it is missing or a placeholder.
    func label(_ name: String) throws(Damaged) -> String? {
        guard let text = try text(name) else { return nil }
        // MSAL's schema demands a user name, and some of the libraries write this where there is none.
        return text == "Missing from the token response" ? nil : String(text.prefix(Self.longestLabel))
    }

    /// The scopes of a space-separated list.
    func scopes(_ name: String) throws(Damaged) -> ScopeSet {
        let text = try text(name) ?? ""
        guard text.utf8.count <= Self.longestSecret else { throw Damaged(reason: "\(name) is too long") }
        return ScopeSet(text: text)
    }

    private func text(_ name: String) throws(Damaged) -> String? {
        guard let member = node[name] else { return nil }
        guard let text = member.string else {
            throw Damaged(reason: "\(name): expected a string, found \(member.kind)")
        }
        return text.isEmpty ? nil : text
    }
}

/// What a reader found.
struct CacheContent {
    var entries: [CacheEntry] = []
    var damages: [CacheFile.Damage] = []
    var tokenless: [String] = []

    private static let longestName = 120

    /// Names an entry that could not be read; the others go on.
    mutating func note(_ damage: CacheFields.Damaged, of name: String) {
        damages.append(CacheFile.Damage(entry: Self.shortened(name), reason: damage.reason))
    }

    /// An entry's name in a bearable length.
    static func shortened(_ name: String) -> String {
        name.count <= longestName ? name : "\(name.prefix(longestName))…"
    }
}
