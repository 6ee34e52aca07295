package import SusiBase
import SusiPolicies

/// The parameter `claims`: a JSON object with requested claims (OpenID Connect Core 5.5).
///
/// APIs and token endpoints that require more send one in their challenge.
package struct ClaimsRequest: Hashable, Sendable, CustomStringConvertible {
    /// The object as compact JSON.
    package let text: String

    /// In bytes.
    package static let largest = ClaimsChallenge.largest

    /// Parses a JSON object.
    package init(parsing text: some Collection<UInt8>) throws(InvalidInput) {
        guard text.count <= Self.largest else { throw InvalidInput("larger than \(Self.largest) bytes") }
        let node: JSONNode
        do { node = try JSONNode(parsing: text) } catch {
            throw InvalidInput("not JSON, line \(error.line): \(error.problem)")
        }
        guard case .object = node.value else { throw InvalidInput("expected a JSON object, found \(node.kind)") }
        self.init(node)
    }

    package init(_ challenge: ClaimsChallenge) { self.init(challenge.claims) }

    /// Merges two requests. For the same member `other` takes precedence.
    package func merged(with other: ClaimsRequest) -> ClaimsRequest {
        // Both were parsed before, so the result can be parsed too.
        guard let mine = try? JSONNode(parsing: text.utf8), let theirs = try? JSONNode(parsing: other.text.utf8)
        else { return other }
        return ClaimsRequest(text: mine.merged(with: theirs))
    }

    /// The accepted authentication contexts of the id token: those of an essential `acr` (OpenID Connect Core 5.5.1.1).
    /// Empty accepts any; `nil` requires none.
    package var essentialACR: [String]? {
        guard let acr, acr["essential"]?.bool == true else { return nil }
        return (acr["values"]?.array ?? []).compactMap(\.string) + [acr["value"]?.string].compactMap(\.self)
    }

    /// Whether it names authentication contexts for the id token. The response to a request that names them in
    /// `acr_values` too is undefined (OpenID Connect Core 5.5.1.1).
    package var namesACR: Bool { acr.map { $0["values"] != nil || $0["value"] != nil } ?? false }

    private var acr: JSONNode? { (try? JSONNode(parsing: text.utf8))?["id_token"]?["acr"] }

    /// The object as compact JSON.
    package var description: String { text }

    private init(_ node: JSONNode) { text = JSONText.compact(node) }

    private init(text: String) { self.text = text }
}

extension JSONNode {
    /// Objects are merged member by member; other values are replaced.
    fileprivate func merged(with other: JSONNode) -> String {
        guard case .object(let mine) = value, case .object(let theirs) = other.value else {
            return JSONText.compact(other)
        }
        let kept = mine.map { member in
            let same = theirs.first { $0.name == member.name }
            return (member.name, same.map { member.node.merged(with: $0.node) } ?? JSONText.compact(member.node))
        }
        let added = theirs.filter { member in !mine.contains { $0.name == member.name } }
        return JSONText.object(kept + added.map { ($0.name, JSONText.compact($0.node)) })
    }
}
