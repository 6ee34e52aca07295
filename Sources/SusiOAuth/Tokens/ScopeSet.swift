import SusiPolicies

/// Scopes as a set (RFC 6749 section 3.3): the order means nothing, the case does.
public struct ScopeSet: Hashable, Sendable, CustomStringConvertible {
    /// The scopes, each once, in the order of their characters.
    public let scopes: [String]

    /// Makes a set of any scopes. No scope holds a space: a text with spaces is several, so that sets which are sent alike
    /// are equal.
    public init(_ scopes: some Sequence<String>) {
        var all = Array(scopes)
        if all.contains(where: { $0.isEmpty || $0.utf8.contains(UInt8(ascii: " ")) }) {
            all = all.flatMap { $0.split(separator: " ") }.map(String.init)
        }
        self.scopes = all.sorted().reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    }

    /// Splits a space-separated list.
    public init(text: String) { self.init([text]) }

    /// The scopes of OpenID Connect that every sign-in requests beside those of an API.
    public static let openID = ScopeSet(OpenIDScopes.requested)

    /// The scope that stands for all that was granted on a resource of the older protocol. A resource that ends in a
    /// slash keeps it, which gives two: the audience of the token is the resource letter for letter.
    public static func defaultScope(ofResource resource: String) -> String { "\(resource)/.default" }

    /// Space-separated, as requests carry it.
    public var description: String {
        // Not `joined`: its first use makes the runtime search every conformance of the program.
        scopes.dropFirst().reduce(scopes.first ?? "") { "\($0) \($1)" }
    }

    /// Whether there is none.
    public var isEmpty: Bool { scopes.isEmpty }

    /// All of both.
    public func union(_ other: ScopeSet) -> ScopeSet { ScopeSet(scopes + other.scopes) }

    /// Those that `other` lacks.
    public func subtracting(_ other: ScopeSet) -> ScopeSet {
        ScopeSet(scopes.filter { !other.scopes.contains($0) })
    }

    /// Whether all of the other's scopes are among these, letter for letter.
    public func contains(_ other: ScopeSet) -> Bool { other.scopes.allSatisfy(scopes.contains) }

    /// Those of the asked scopes that a server did not grant. Scopes of OpenID Connect are no API's: they do not count.
    ///
    /// `RESOURCE/.default` stands for whatever was consented to, and servers do not repeat it; Microsoft Graph's scopes come
    /// back without their resource. Microsoft Entra ID compares scopes without case, and answers in its own spelling.
    public func declined(granted: ScopeSet) -> ScopeSet { ScopeSet(scopes.filter { !granted.grants($0) }) }

    /// Whether a token that was asked for with the scopes `asked` and got these serves a request for the scopes `wanted`.
    ///
    /// A scope that was not asked for has to be granted letter for letter: a name without its resource may be another API's.
    public func serves(_ wanted: ScopeSet, asked: ScopeSet) -> Bool {
        wanted.scopes.allSatisfy { scopes.contains($0) || asked.scopes.contains($0) && grants($0) }
    }

    private func grants(_ asked: String) -> Bool {
        if scopes.contains(asked) || OpenIDScopes.all.contains(asked) { return true }
        let name = asked.split(separator: "/").last.map(String.init) ?? asked
        let spellings = [asked.lowercased(), name.lowercased()]
        return name == ".default" || scopes.contains { spellings.contains($0.lowercased()) }
    }
}
