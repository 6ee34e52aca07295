extension PolicyName {
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
    /// Returns the policies that a typed name means.
    ///
    /// The first rule with a match counts: the whole name, the whole name without its prefix, the start of either, any
    /// part without the prefix. Case is ignored. More than one result means that the name is ambiguous.
    func policies(meaning typed: PolicyName, among candidates: [Policy]) -> [Policy] {
        let text = typed.lowercased
        if text.isEmpty { return [] }
        let rules: [(PolicyName) -> Bool] = [
            { $0 == typed }, { $0.distinctPart == text },
            // Every B2C policy starts with “b2c_1”, so a shorter text matches no prefix.
            { $0.distinctPart.hasPrefix(text) || text.hasPrefix("b2c_1") && $0.lowercased.hasPrefix(text) },
            { $0.distinctPart.contains(text) },
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
