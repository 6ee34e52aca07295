import SusiBase

/// Finds names that nothing has, in what a policy changes: the rest was checked with its base.
struct ReferenceCheck: PolicyCheck {
    private let policy: EffectivePolicy
    private(set) var problems = ProblemList()
    // A suggestion takes time.
    private var suggestions = 0

    // By element: attributes and what they name.
    private static let references: [String: [(attribute: String, kind: EffectivePolicy.Kind)]] = {
        let claims = ["InputClaim", "OutputClaim", "PersistedClaim"].map { ($0, [claim]) }
        let others: [(String, [(attribute: String, kind: EffectivePolicy.Kind)])] = [
            ("DisplayClaim", [claim, ("DisplayControlReferenceId", .displayControl)]),
            ("InputClaimsTransformation", [("ReferenceId", .transformation)]),
            ("OutputClaimsTransformation", [("ReferenceId", .transformation)]),
            ("ValidationTechnicalProfile", [("ReferenceId", .profile)]), ("From", [profile]),
            ("ValidationClaimsExchangeTechnicalProfile", [profile]), ("ClaimsExchange", [profile]),
            ("IncludeTechnicalProfile", [("ReferenceId", .profile)]),
            ("UseTechnicalProfileForSessionManagement", [("ReferenceId", .profile)]),
            ("AuthorizationTechnicalProfile", [("ReferenceId", .profile)]),
            ("UserJourney", [("DefaultCpimIssuerTechnicalProfileReferenceId", .profile)]),
            (
                "OrchestrationStep",
                [
                    ("CpimIssuerTechnicalProfileReferenceId", .profile),
                    ("ContentDefinitionReferenceId", .contentDefinition),
                ]
            ),
            ("Candidate", [("SubJourneyReferenceId", .subJourney)]),
            ("DefaultUserJourney", [("ReferenceId", .journey)]), ("Endpoint", [("UserJourneyReferenceId", .journey)]),
            ("InputValidationReference", [("Id", .inputValidation)]),
            ("PredicateValidationReference", [("Id", .predicateValidation)]),
            ("PredicateReference", [("Id", .predicate)]),
            ("LocalizedResourcesReference", [("LocalizedResourcesReferenceId", .localizedResources)]),
        ]
        return Dictionary(uniqueKeysWithValues: claims + others)
    }()

    private static let claim = (attribute: "ClaimTypeReferenceId", kind: EffectivePolicy.Kind.claimType)
    private static let profile = (attribute: "TechnicalProfileReferenceId", kind: EffectivePolicy.Kind.profile)

    init(_ policy: EffectivePolicy) { self.policy = policy }

    mutating func check() {
        for kind in EffectivePolicy.Kind.allCases { policy.changed(kind).forEach { check($0) } }
        if policy.file.isRelyingParty, let party = policy.relyingParty { check(party) }
    }

    private mutating func check(_ root: Element) {
        var found: [(Element.Place, EffectivePolicy.Kind, String)] = []
        root.forEach { element in
            for reference in Self.references[element.name] ?? [] {
                guard let id = element[reference.attribute] else { continue }
                found.append((element.place(of: reference.attribute), reference.kind, id))
            }
            switch element.name {
            case "Precondition":
                if let claim = element.child("Value") { found.append((claim.place, .claimType, claim.text)) }
            case "Item" where element["Key"] == "ContentDefinitionReferenceId":
                found.append((element.place, .contentDefinition, element.text.trimmed))
            default: break
            }
        }
        for (place, kind, id) in found where policy[kind, id] == nil {
            problems.add(.noSuch(kind, id, near(id, kind)), at: place)
        }
    }

    private static let mostSuggestions = 20

    private mutating func near(_ id: String, _ kind: EffectivePolicy.Kind) -> String? {
        guard suggestions < Self.mostSuggestions else { return nil }
        suggestions += 1
        return NearMatch.of(id, in: policy.all(kind).compactMap { $0["Id"] })
    }
}
