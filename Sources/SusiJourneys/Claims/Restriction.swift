import SusiBase

/// Why a page or a transformation does not accept a value.
enum RestrictionFailure: Hashable, Sendable {
    /// The value is none of the choices.
    case choice
    case pattern(help: String)
    case group(id: String, heading: String, predicates: [FailedPredicate])
}

/// A predicate that a value does not meet. Its text may be localized by the id.
struct FailedPredicate: Hashable, Sendable {
    let id: String
    let help: String
}

extension EffectivePolicy {
    /// Returns what the claim type forbids of a text (claimsschema, predicates, spec §2.3). A pattern that does not compile
    /// here is named at the start, and forbids nothing.
    func failures(
        of text: String, for type: ClaimType, _ facts: RequestFacts, page: String? = nil
    ) -> [RestrictionFailure] {
        var failures: [RestrictionFailure] = []
        let choices = choices(of: type, page: page, in: facts.language).map(\.value)
        let parts = type.inputType == "CheckboxMultiSelect" ? text.split(separator: ",").map(String.init) : [text]
        if !choices.isEmpty, !parts.allSatisfy(choices.contains) { failures.append(.choice) }
        if let restriction = type.element.all("Restriction", "Pattern").first,
            let pattern = Pattern(restriction["RegularExpression"] ?? ""), !pattern.matches(text)
        {
            failures.append(.pattern(help: restriction["HelpText"] ?? ""))
        }
        return failures + predicateFailures(of: text, for: type, facts)
    }

    /// Returns the groups of its predicate validation, or older input validation, that a text does not meet.
    func predicateFailures(of text: String, for type: ClaimType, _ facts: RequestFacts) -> [RestrictionFailure] {
        let validation = self[.predicateValidation, type.element.child("PredicateValidationReference")?["Id"]]
        let older = self[.inputValidation, type.element.child("InputValidationReference")?["Id"]]
        let groups = validation?.all("PredicateGroups", "PredicateGroup") ?? []
        let references = groups.map { ($0, $0.child("PredicateReferences")) } + (older?.children ?? []).map { ($0, $0) }
        return references.compactMap { group, references in
            let all = references?.all("PredicateReference").compactMap { self[.predicate, $0["Id"]] } ?? []
            let failed = all.filter { !Self.meets(text, $0, facts) }
            let least = references?["MatchAtLeast"].flatMap { Int($0) } ?? all.count
            guard all.count - failed.count < least else { return nil }
            let predicates = failed.map { FailedPredicate(id: $0["Id"] ?? "", help: $0["HelpText"] ?? "") }
            let heading = group.text(of: "UserHelpText") ?? group["HelpText"] ?? ""
            return .group(id: group["Id"] ?? "", heading: heading, predicates: predicates)
        }
    }

    private static func meets(_ text: String, _ predicate: Element, _ facts: RequestFacts) -> Bool {
        func parameter(_ id: String) -> String? {
            predicate.all("Parameters", "Parameter").first { $0["Id"]?.lowercased() == id.lowercased() }?.text
        }
        switch predicate["Method"]?.lowercased() {
        case "islengthrange":
            // As .NET counts.
            let length = text.utf16.count
            return length >= parameter("Minimum").flatMap { Int($0.trimmed) } ?? 0
                && length <= parameter("Maximum").flatMap { Int($0.trimmed) } ?? .max
        case "matchesregex": return parameter("RegularExpression").flatMap { Pattern($0) }?.matches(text) ?? true
        case "includescharacters":
            return parameter("CharacterSet").map { CharacterSet($0) }.map { set in
                text.unicodeScalars.contains { set.contains($0) }
            } ?? true
        case "isdaterange": return isInRange(text, parameter("Minimum"), parameter("Maximum"), facts)
        default: return true
        }
    }

    private static func isInRange(
        _ text: String, _ minimum: String?, _ maximum: String?, _ facts: RequestFacts
    ) -> Bool {
        // Days of four digits for the year are in order as texts.
        func day(_ text: String) -> Substring? {
            let isToday = text.trimmed.lowercased() == "today"
            return (isToday ? facts.milliseconds : ClaimTime.milliseconds(text)).map { ClaimTime.text($0).prefix(10) }
        }
        guard let date = day(text) else { return false }
        return minimum.flatMap(day).map { date >= $0 } ?? true && maximum.flatMap(day).map { date <= $0 } ?? true
    }
}
