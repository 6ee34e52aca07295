import SusiBase

/// Checks the content definitions that the pages of a policy name, and comparisons in preconditions.
struct PageCheck: PolicyCheck {
    private let policy: EffectivePolicy
    private(set) var problems = ProblemList()

    init(_ policy: EffectivePolicy) { self.policy = policy }

    mutating func check() {
        for definition in policy.changed(.contentDefinition) { check(definition) }
        if policy.file.isRelyingParty { checkScripts() }
        for kind: EffectivePolicy.Kind in [.journey, .subJourney, .profile, .displayControl] {
            for element in policy.changed(kind) { checkComparisons(in: element) }
        }
    }

    private mutating func check(_ definition: Element) {
        guard let uri = definition.text(of: "DataUri"), !uri.isEmpty else {
            problems.add(.noDataURI(definition["Id"] ?? ""), at: definition)
            return
        }
        let parts = uri.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.starts(with: ["urn", "com", "microsoft", "aad", "b2c", "elements"]), parts.count > 7 else { return }
        let numbers = parts[parts.count - 1].split(separator: ".", omittingEmptySubsequences: false)
        let place = definition.child("DataUri") ?? definition
        guard numbers.count == 3, numbers.allSatisfy({ Int($0) != nil }) else {
            problems.add(.wrongDataURI(uri, "“\(parts[parts.count - 1])” is not a version such as 2.1.7"), at: place)
            return
        }
        let isNew = numbers[0] != "1" || (Int(numbers[1]) ?? 0) >= 2
        if isNew, parts.count == 8 {
            problems.add(
                .wrongDataURI(uri, "from version 1.2.0 on, write elements:contract:\(parts[6]):\(parts[7])"), at: place)
        }
    }

    private mutating func checkScripts() {
        guard policy.relyingParty?.child("UserJourneyBehaviors")?.text(of: "ScriptExecution") == "Allow",
            let journey = policy.journey
        else { return }
        let steps = policy.allSteps(of: journey)
        let pages = steps.flatMap { step in
            [step.element["ContentDefinitionReferenceId"]]
                + step.profiles.map { policy.profile($0)?.metadata("ContentDefinitionReferenceId") }
        }
        for definition in pages.compactMap({ policy[.contentDefinition, $0] }) {
            guard let uri = definition.text(of: "DataUri"), !uri.contains(":contract:") else { continue }
            problems.add(.noContract(definition["Id"] ?? ""), at: definition.child("DataUri") ?? definition)
        }
    }

    private mutating func checkComparisons(in element: Element) {
        var found: [(Element, String, String)] = []
        element.forEach { precondition in
            guard precondition["Type"] == "ClaimEquals" else { return }
            let values = precondition.all("Value")
            guard values.count == 2, let type = policy[.claimType, values[0].text],
                type.text(of: "DataType") == "boolean", !["True", "False"].contains(values[1].text)
            else { return }
            found.append((values[1], values[0].text, values[1].text))
        }
        for (place, claim, value) in found { problems.add(.comparison(claim, value), at: place) }
    }
}
