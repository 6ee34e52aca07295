/// Checks the order of steps, and what each may have.
struct JourneyCheck: PolicyCheck {
    private let policy: EffectivePolicy
    private(set) var problems = ProblemList()

    init(_ policy: EffectivePolicy) { self.policy = policy }

    mutating func check() {
        for journey in policy.changed(.journey) {
            checkSteps(of: journey)
            let sends = policy.allSteps(of: journey).contains { $0.type == "SendClaims" }
            if !sends { problems.add(.noSendClaims(journey["Id"] ?? ""), at: journey) }
        }
        for journey in policy.changed(.subJourney) { checkSteps(of: journey) }
    }

    private mutating func checkSteps(of journey: Element) {
        let (steps, name) = (EffectivePolicy.steps(of: journey), journey["Id"] ?? "")
        for (index, step) in steps.enumerated() {
            // An Order that is there twice is a mistake of the file.
            if step.order != index + 1, index == 0 || !(0...1).contains(step.order - steps[index - 1].order) {
                problems.add(.order(name, step.number, index + 1), at: step.element)
            }
            let isChosen = index > 0 && steps[index - 1].isSelection
            if step.exchanges.count > 1, !isChosen, !step.isSelection {
                problems.add(.exchanges(name, step.number, step.exchanges.compactMap { $0["Id"] }), at: step.element)
            }
            if step.isSelection { checkPasswordLink(of: step) }
            if step.isSelection { checkSelections(of: step, next: index + 1 < steps.count ? steps[index + 1] : nil) }
        }
    }

    private mutating func checkSelections(of step: JourneyStep, next: JourneyStep?) {
        let own = Set(step.exchanges.compactMap { $0["Id"]?.lowercased() })
        let following = Set((next?.exchanges ?? []).compactMap { $0["Id"]?.lowercased() })
        for selection in step.selections {
            switch (selection["TargetClaimsExchangeId"], selection["ValidationClaimsExchangeId"]) {
            case (let target?, nil):
                guard !following.contains(target.lowercased()) else { break }
                let text = "The selection \"\(target)\" is not a claims exchange of the step after step \(step.number)"
                problems.add(.selection(text, Self.list(next?.exchanges ?? [])), at: selection)
            case (nil, let validation?):
                guard !own.contains(validation.lowercased()) else { break }
                let text = "The validation \"\(validation)\" is not a claims exchange of step \(step.number)"
                problems.add(.selection(text, Self.list(step.exchanges)), at: selection)
            default:
                let text =
                    "A selection of step \(step.number) needs one of TargetClaimsExchangeId, ValidationClaimsExchangeId"
                problems.add(.selection(text), at: selection)
            }
        }
    }

    private mutating func checkPasswordLink(of step: JourneyStep) {
        let targets = step.selections.compactMap { $0["TargetClaimsExchangeId"]?.lowercased() }
        for profile in step.profiles.compactMap({ policy.profile($0) }) {
            guard let target = profile.metadata("setting.forgotPasswordLinkOverride") else { continue }
            if !targets.contains(target.lowercased()) {
                problems.add(.passwordLink(target), at: step.element)
            } else if !policy.runsPasswordLink(page: step.element["ContentDefinitionReferenceId"]) {
                problems.add(.olderPasswordLink, at: step.element)
            }
        }
    }

    private static func list(_ exchanges: [Element]) -> String {
        exchanges.isEmpty ? "it has none" : "it has: \(exchanges.compactMap { $0["Id"] }.joined(separator: ", "))"
    }
}
