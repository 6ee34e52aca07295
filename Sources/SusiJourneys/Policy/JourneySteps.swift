/// A step of a journey, or of a sub journey that one of its steps calls.
struct JourneyStep {
    let element: Element
    /// The step of the journey.
    let number: String
    let exchanges: [Element]

    init(_ element: Element, number: String? = nil) {
        self.element = element
        self.number = number ?? element["Order"] ?? ""
        exchanges = element.all("ClaimsExchanges", "ClaimsExchange")
    }

    var type: String { element["Type"] ?? "" }
    var order: Int { Int(element["Order"] ?? "") ?? 0 }

    var isSelection: Bool { type == "ClaimsProviderSelection" || type == "CombinedSignInAndSignUp" }
    var selections: [Element] { element.all("ClaimsProviderSelections", "ClaimsProviderSelection") }

    /// The profiles that may run in it.
    var profiles: [String] {
        let issuer = type == "GetClaims" ? element["CpimIssuerTechnicalProfileReferenceId"] : nil
        return exchanges.compactMap { $0["TechnicalProfileReferenceId"] } + [issuer].compactMap(\.self)
    }
}

extension EffectivePolicy {
    /// The steps of a journey in order.
    static func steps(of journey: Element) -> [JourneyStep] {
        journey.all("OrchestrationSteps", "OrchestrationStep").map { JourneyStep($0) }
            .sorted { ($0.order, $0.element.place.offset) < ($1.order, $1.element.place.offset) }
    }

    /// The steps of a journey with those of its sub journeys in their places.
    func allSteps(of journey: Element) -> [JourneyStep] {
        var all: [JourneyStep] = []
        for step in Self.steps(of: journey) where all.count < Self.mostSteps {
            let inner = subJourneys(of: step).flatMap(Self.steps)
            all += [step] + inner.map { JourneyStep($0.element, number: step.number) }
        }
        return all
    }

    private static let mostSteps = 1_000

    func subJourneys(of step: JourneyStep) -> [Element] {
        step.element.all("JourneyList", "Candidate").compactMap { self[.subJourney, $0["SubJourneyReferenceId"]] }
    }

    /// Whether a step names profiles and sub journeys that exist.
    func isComplete(_ step: JourneyStep) -> Bool {
        step.profiles.allSatisfy { self[.profile, $0] != nil }
            && subJourneys(of: step).count == step.element.all("JourneyList", "Candidate").count
    }

    /// The journey that a relying party starts.
    var journey: Element? { self[.journey, relyingParty?.child("DefaultUserJourney")?["ReferenceId"]] }

    /// The profile of the relying party.
    var partyProfile: Profile? { relyingParty?.child("TechnicalProfile").map(Profile.init) }
}
