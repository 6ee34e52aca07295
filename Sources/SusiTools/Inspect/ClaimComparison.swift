package import Susi

/// A claim of two tokens.
package struct ClaimComparison: Hashable, Sendable {
    package let name: String
    /// The value in the first token; `nil` if it does not have the claim.
    package let first: JSONNode?
    /// The value in the second token; `nil` if it does not have the claim.
    package let second: JSONNode?

    /// Whether both values are the same. The order does not matter: of an object's members, in a list, and of scopes.
    package var isSame: Bool {
        guard let first, let second else { return false }
        if ["scp", "scope"].contains(name), let scopes = first.string, let others = second.string {
            return ScopeSet(text: scopes) == ScopeSet(text: others)
        }
        return first.sortedText == second.sortedText
    }

    /// Whether tokens with different values differ. Times and random values are different in every token.
    package var counts: Bool { Self.counts(name) }

    static func counts(_ name: String) -> Bool {
        let random = ["aio", "at_hash", "c_hash", "correlationId", "jti", "nonce", "rh", "s_hash", "sid", "uti"]
        return !(ClaimMeaning.row(name)?.isTime ?? false) && !random.contains(name)
    }

    /// Returns the claim of a token that has the meaning of another one.
    static func alternative(to name: String, in claims: JSONNode) -> String? {
        let names = alike.first { $0.contains(name) } ?? []
        return claims.members.map(\.name).first { other in
            other != name && (names.contains(other) || attribute(other) == attribute(name))
        }
    }

    private static let alike = [
        ["tfp", "acr"], ["azp", "appid", "client_id"], ["scp", "scope"], ["emails", "email", "mail"],
        ["preferred_username", "upn", "unique_name"],
    ]

    // The name of an attribute without the prefix that depends on the kind of tenant: B2C's `extension_NAME`, and for the
    // directory extension `extension_APPID_NAME` of Microsoft's identity platform `extn.NAME`.
    private static func attribute(_ claim: String) -> Substring {
        for prefix in ["extension_", "extn."] where claim.hasPrefix(prefix) {
            let name = claim.dropFirst(prefix.count)
            let owner = name.prefix { $0 != "_" }
            return owner.count == 32 && owner.allSatisfy(\.isHexDigit) && name.count > 33 ? name.dropFirst(33) : name
        }
        return claim[...]
    }
}

extension JSONNode {
    /// The value as JSON with sorted members and elements.
    fileprivate var sortedText: String {
        switch value {
        case .object(let members):
            JSONText.object(members.sorted { $0.name < $1.name }.map { ($0.name, $0.node.sortedText) })
        case .array(let nodes): "[\(nodes.map(\.sortedText).sorted().joined(separator: ","))]"
        default: JSONText.compact(self)
        }
    }
}
