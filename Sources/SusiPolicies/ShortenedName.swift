import SusiBase

extension PolicyName {
    /// Whether the name has the form of a whole one, which is matched exactly and never completed.
    var isComplete: Bool { ["b2c_1_", "b2c_1a_"].contains { lowercased.hasPrefix($0) } }

    /// The name without the prefix `B2C_1_` or `B2C_1A_`, in lower case.
    var distinctPart: String {
        let name = lowercased
        for start in ["b2c_1a_", "b2c_1_"] where name.hasPrefix(start) && name.count > start.count {
            return String(name.dropFirst(start.count))
        }
        return name
    }
}

extension Application {
    /// Returns the policies, of one kind or of all, that a shortened name may mean; none for a complete name. Only a person may
    /// decide whether it is the right one, so nothing in the library uses it.
    ///
    /// The first rule with a match counts: the whole name without its prefix `B2C_1_` or `B2C_1A_`, the start of it, any part
    /// of it. Case is ignored.
    package func policies(shortenedTo typed: PolicyName, of kind: PolicyKind?) -> [Policy] {
        let text = typed.lowercased
        if text.isEmpty || typed.isComplete || policy(typed) != nil { return [] }
        let candidates = kind.map { policies(of: $0) } ?? policies
        let rules: [(PolicyName) -> Bool] = [
            { $0.distinctPart == text }, { $0.distinctPart.hasPrefix(text) }, { $0.distinctPart.contains(text) },
        ]
        return rules.lazy.map { rule in candidates.filter { rule($0.name) } }.first { !$0.isEmpty } ?? []
    }
}

extension NearMatch {
    /// Returns the nearest policy by its whole name or by the part after the prefix.
    static func ofPolicy(_ text: String, in names: [PolicyName]) -> String? {
        if let whole = of(text, in: names.map(\.spelling)) { return whole }
        let part = of(text, in: names.map(\.distinctPart))
        return names.first { $0.distinctPart == part }?.spelling
    }
}
