/// The claims of a journey: by id without case, a value, or nothing where a claim was set and is empty (spec §0 C1).
package struct ClaimsBag: Hashable, Codable, Sendable {
    private var values: [String: ClaimValue?] = [:]

    package init() {}

    /// The value of a claim. Setting it to `nil` makes the claim *set and empty*.
    package subscript(id: String) -> ClaimValue? {
        get { values[id.lowercased()] ?? nil }
        set { values.updateValue(newValue, forKey: id.lowercased()) }
    }

    /// Whether a claim has a value that is more than an empty text or collection (ClaimsExist, spec §2.1).
    package func exists(_ id: String) -> Bool { self[id].map { !$0.isEmpty } ?? false }

    /// Whether a claim was ever set, also to nothing: then the DefaultValue of an output claim has no effect.
    package func isSet(_ id: String) -> Bool { values[id.lowercased()] != nil }

    /// Makes a claim as if it had never been set.
    package mutating func remove(_ id: String) { values[id.lowercased()] = nil }

    /// The ids of all claims that were set, in lower case and in order.
    package var ids: [String] { values.keys.sorted() }
}
