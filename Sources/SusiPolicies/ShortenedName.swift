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
    /// The policies among `candidates` that a typed name means.
    ///
    /// The whole name wins, then the whole name without its prefix, then the start of either, then any part without the prefix.
    /// Case does not matter. Several policies mean that the name is ambiguous.
    func policies(meaning typed: PolicyName, among candidates: [Policy]) -> [Policy] {
        let text = typed.lowercased
        if text.isEmpty { return [] }
        let rules: [(PolicyName) -> Bool] = [
            { $0 == typed }, { $0.distinctPart == text },
            // Every policy of Azure AD B2C starts with “b2c_1”, so that less than that matches none.
            { $0.distinctPart.hasPrefix(text) || text.hasPrefix("b2c_1") && $0.lowercased.hasPrefix(text) },
            { $0.distinctPart.contains(text) },
        ]
        return rules.lazy.map { rule in candidates.filter { rule($0.name) } }.first { !$0.isEmpty } ?? []
    }
}

extension NearMatch {
    /// The policy probably meant, by its whole name or by the part after `B2C_1_` or `B2C_1A_`.
    static func ofPolicy(_ text: String, in names: [PolicyName]) -> String? {
        if let whole = of(text, in: names.map(\.spelling)) { return whole }
        let part = of(text, in: names.map(\.distinctPart))
        return names.first { $0.distinctPart == part }?.spelling
    }
}
