/// Checks that the claims that a step or the relying party needs are made before.
struct FlowCheck: PolicyCheck {
    private let policy: EffectivePolicy
    private(set) var problems = ProblemList()

    init(_ policy: EffectivePolicy) { self.policy = policy }

    mutating func check() {
        guard policy.file.isRelyingParty, let journey = policy.journey, let party = policy.partyProfile else { return }
        let given = Set(party.inputClaims.compactMap(\.claim))
        var made = given
        let steps = policy.allSteps(of: journey)
        // What a name that nothing has would make is unknown.
        guard steps.allSatisfy(policy.isComplete) else { return }
        let needed = needed(by: steps)
        for step in steps {
            let profiles = step.profiles.compactMap { policy.profile($0) }
            for profile in profiles { checkInputs(of: profile, step, journey["Id"] ?? "", made) }
            if step.type == "GetClaims" { checkHint(profiles, needed.subtracting(given), at: step.element) }
            for profile in profiles { made.formUnion(policy.outputs(of: profile)) }
        }
        for claim in party.outputClaims where claim["DefaultValue"] == nil {
            guard let id = claim.claim, !made.contains(id), policy[.claimType, id] != nil else { continue }
            problems.add(.noOutput(claim["ClaimTypeReferenceId"] ?? id, journey["Id"] ?? ""), at: claim)
        }
        checkValidations(steps, needed)
    }

    private mutating func checkInputs(of profile: Profile, _ step: JourneyStep, _ journey: String, _ made: Set<String>)
    {
        var own = Set(policy.transformed(by: profile, "InputClaimsTransformation"))
        // A page may ask for it.
        if profile.isSelfAsserted { own.formUnion(profile.outputClaims.compactMap(\.claim)) }
        for claim in profile.inputClaims where claim["Required"] == "true" && claim["DefaultValue"] == nil {
            guard let id = claim.claim, !made.contains(id), !own.contains(id), policy[.claimType, id] != nil else {
                continue
            }
            problems.add(.noInput(claim["ClaimTypeReferenceId"] ?? id, profile.id, step.number, journey), at: claim)
        }
    }

    private mutating func checkHint(_ profiles: [Profile], _ lost: Set<String>, at step: Element) {
        for claim in profiles.flatMap(\.outputClaims) {
            guard let id = claim.claim, lost.contains(id) else { continue }
            problems.add(.unkeptHint(claim["ClaimTypeReferenceId"] ?? id), at: step)
        }
    }

    // The claims that the relying party gets, preconditions compare, and profiles require.
    private func needed(by steps: [JourneyStep]) -> Set<String> {
        let inputs = steps.flatMap(\.profiles).compactMap { policy.profile($0) }.flatMap(\.inputClaims)
        let claims = (policy.partyProfile?.outputClaims ?? []) + inputs.filter { $0["Required"] == "true" }
        let compared = steps.flatMap { $0.element.all("Preconditions", "Precondition") }
            .compactMap { $0.child("Value")?.text.lowercased() }
        return Set(claims.filter { $0["DefaultValue"] == nil }.compactMap(\.claim) + compared)
    }

    // What only a validation profile outputs stays in its page.
    private mutating func checkValidations(_ steps: [JourneyStep], _ needed: Set<String>) {
        var leaving: Set<String> = []
        let pages = steps.flatMap { $0.profiles.compactMap { policy.profile($0) } }
        for profile in pages {
            leaving.formUnion(profile.outputClaims.compactMap(\.claim))
            leaving.formUnion(policy.transformed(by: profile, "InputClaimsTransformation"))
            leaving.formUnion(policy.transformed(by: profile, "OutputClaimsTransformation"))
        }
        for page in pages where page.isSelfAsserted {
            for reference in page.validations {
                guard let validation = policy.profile(reference["ReferenceId"]) else { continue }
                for claim in validation.outputClaims {
                    guard let id = claim.claim, needed.contains(id), !leaving.contains(id) else { continue }
                    problems.add(
                        .unlistedOutput(claim["ClaimTypeReferenceId"] ?? id, validation.id, page.id), at: reference)
                }
            }
        }
    }
}
