/// How a policy changes what its base has: by kind of element.
enum Merge {
    /// By what the children of a list are found again, and whether they are merged or replaced.
    private struct Rule {
        let key: [String]
        var isDeep = false
    }

    private static let byID = Rule(key: ["Id"])
    private static let byReference = Rule(key: ["ReferenceId"])
    private static let byClaim = Rule(key: ["ClaimTypeReferenceId", "DisplayControlReferenceId"])

    // Lists. Other elements have each child once, which replaces that of the base.
    private static let lists: [String: Rule] = [
        "Metadata": Rule(key: ["Key"]), "CryptographicKeys": byID, "InputClaims": byClaim, "DisplayClaims": byClaim,
        "PersistedClaims": byClaim, "OutputClaims": byClaim, "InputClaimsTransformations": byReference,
        "OutputClaimsTransformations": byReference, "ValidationTechnicalProfiles": byReference,
        "OrchestrationSteps": Rule(key: ["Order"], isDeep: true), "ClaimsExchanges": byID,
        "ClaimsProviderSelections": Rule(key: ["TargetClaimsExchangeId", "ValidationClaimsExchangeId"]),
        "DefaultPartnerClaimTypes": Rule(key: ["Name"]), "Actions": byID, "Endpoints": byID,
        "LocalizedResourcesReferences": Rule(key: ["Language"]),
        "LocalizedStrings": Rule(key: ["ElementType", "ElementId", "StringId"]),
        "LocalizedCollections": Rule(key: ["ElementType", "ElementId", "TargetCollection"]),
    ]

    // Elements whose children are merged; all others are replaced with what is in them.
    private static let deep: Set<String> = [
        "ClaimType", "ContentDefinition", "LocalizedResources", "DisplayControl", "TechnicalProfile", "UserJourney",
        "SubJourney", "OrchestrationStep", "RelyingParty", "UserJourneyBehaviors",
    ]

    /// Returns the element of a base with the changes of an element that has its name and key.
    static func merge(_ base: Element, _ change: Element) -> Element {
        let mode = change["MergeBehavior"]
        if let rule = lists[change.name] {
            if change.name == "LocalizedResourcesReferences", mode != "Append", mode != "Prepend" { return change }
            return list(base, change, rule, isFirst: mode == "Prepend")
        }
        if change.name == "Restriction", mode == "Append" || mode == "Prepend" {
            let parts = mode == "Append" ? [base, change] : [change, base]
            return combined(base, change, parts.flatMap(\.children))
        }
        guard deep.contains(change.name) else { return change }
        // The profile of a relying party is found by its name too: there is one.
        let once = combined(change, change, collapsed(change.children))
        return combined(base, change, joined(base, once, by: \.name, with: merge))
    }

    // Some lists may be in several parts, as in `InputClaimsTransformations`.
    private static func collapsed(_ children: [Element]) -> [Element] {
        let groups = Dictionary(grouping: children, by: \.name)
        guard groups.count < children.count else { return children }
        return groups.values.compactMap { parts in
            guard let last = parts.last, parts.count > 1, lists[last.name] != nil else { return parts.last }
            return combined(last, last, parts.flatMap(\.children))
        }.sorted { $0.place.offset < $1.place.offset }
    }

    private static func list(_ base: Element, _ change: Element, _ rule: Rule, isFirst: Bool) -> Element {
        let repeated = Set([base, change].flatMap { repeatedKeys(in: $0, rule) })
        // A claim that is twice in a list differs by the name that the other side knows.
        let children = joined(base, change, isFirst: isFirst) { child in
            let key = key(of: child, rule)
            return repeated.contains(key) ? "\(key) \(child["PartnerClaimType"] ?? "")" : key
        } with: {
            rule.isDeep ? merge($0, $1) : $1
        }
        return combined(base, change, children)
    }

    private static func key(of child: Element, _ rule: Rule) -> String {
        rule.key.map { child[$0]?.lowercased() ?? "" }.joined(separator: " ")
    }

    private static func repeatedKeys(in list: Element, _ rule: Rule) -> [String] {
        var seen: Set<String> = []
        return list.children.map { key(of: $0, rule) }.filter { !seen.insert($0).inserted }
    }

    // The children of both: those with equal keys in the base's places, new ones at one end.
    private static func joined(
        _ base: Element, _ change: Element, isFirst: Bool = false, by key: (Element) -> String,
        with merge: (Element, Element) -> Element
    ) -> [Element] {
        var (children, new) = (base.children, [Element]())
        var places = Dictionary(zip(children.map(key), children.indices)) { first, _ in first }
        for child in change.children {
            if let index = places[key(child)] {
                children[index] = merge(children[index], child)
            } else if isFirst {
                new.append(child)
            } else {
                places[key(child)] = children.count
                children.append(child)
            }
        }
        return new + children
    }

    private static func combined(_ base: Element, _ change: Element, _ children: [Element]) -> Element {
        let kept = base.attributes.filter { change[$0.name] == nil }
        let text = change.children.isEmpty && change.text.isEmpty ? base.text : change.text
        return Element(change.name, kept + change.attributes, children, text: text, at: change.place)
    }
}
