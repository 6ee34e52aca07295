import SusiPolicies

/// A set of scopes (RFC 6749 section 3.3): order does not matter, case does.
public struct ScopeSet: Hashable, Sendable, CustomStringConvertible {
    /// The scopes, sorted and without duplicates.
    public let scopes: [String]

    /// Makes a set. A text with spaces counts as several scopes, so that sets with the same wire format are equal.
    public init(_ scopes: some Sequence<String>) {
        var all = Array(scopes)
        if all.contains(where: { $0.isEmpty || $0.utf8.contains(UInt8(ascii: " ")) }) {
            all = all.flatMap { $0.split(separator: " ") }.map(String.init)
        }
        self.scopes = all.sorted().reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    }

    /// Splits a space-separated list.
    package init(text: String) { self.init([text]) }

    /// The scopes of OpenID Connect that every sign-in requests beside those of an API.
    package static let openID = ScopeSet(OpenIDScopes.requested)

    /// The scopes of a request that only has to prove who the person is.
    package static let identity = ScopeSet(["openid", "profile"])

    /// The scope for everything that was granted on a resource of the v1 protocol. A trailing slash of the resource is
    /// kept, so that the scope has two slashes: the audience of the token is the exact resource.
    package static func defaultScope(ofResource resource: String) -> String { "\(resource)/.default" }

    /// The scopes, separated by spaces.
    public var description: String {
        // Not `joined`, whose first use makes the runtime search all protocol conformances.
        scopes.dropFirst().reduce(scopes.first ?? "") { "\($0) \($1)" }
    }

    package var isEmpty: Bool { scopes.isEmpty }

    package func union(_ other: ScopeSet) -> ScopeSet { ScopeSet(scopes + other.scopes) }

    package func subtracting(_ other: ScopeSet) -> ScopeSet {
        ScopeSet(scopes.filter { !other.scopes.contains($0) })
    }

    /// Whether the set contains all scopes of `other`, with the same spelling.
    package func contains(_ other: ScopeSet) -> Bool { other.scopes.allSatisfy(scopes.contains) }

    /// Returns the requested scopes that a server did not grant, except those of OpenID Connect.
    ///
    /// Servers do not repeat `RESOURCE/.default`, which stands for everything that was consented to. Microsoft Graph's
    /// scopes are returned without their resource. Microsoft Entra ID ignores the case of scopes and returns its own
    /// spelling.
    package func declined(granted: ScopeSet) -> ScopeSet { ScopeSet(scopes.filter { !granted.grants($0) }) }

    /// Whether a token with these scopes, requested with the scopes `asked`, can be used for the scopes `wanted`.
    ///
    /// A scope that was not requested must be granted with the same spelling: a name without a resource may belong to
    /// another API.
    package func serves(_ wanted: ScopeSet, asked: ScopeSet) -> Bool {
        wanted.scopes.allSatisfy { scopes.contains($0) || asked.scopes.contains($0) && grants($0) }
    }

    private func grants(_ asked: String) -> Bool {
        if OpenIDScopes.all.contains(asked) { return true }
        let name = asked.split(separator: "/").last.map(String.init) ?? asked
        let spellings = [asked.lowercased(), name.lowercased()]
        return name == ".default" || scopes.contains { spellings.contains($0.lowercased()) }
    }
}
