import SusiBase

extension JourneyRun {
    /// Runs the exchange of a step: the one that was chosen, or its only one (spec §5.2).
    mutating func exchange(_ step: JourneyStep) throws -> Need? {
        let chosen = step.exchanges.first { $0["Id"]?.lowercased() == state.chosen?.lowercased() }
        if chosen != nil { state.chosen = nil }
        guard let exchange = chosen ?? step.exchanges.first else { return skipStep("it has no exchange", step.type) }
        guard chosen != nil || step.exchanges.count == 1 else { throw Self.notChosen(exchange, step, state.chosen) }
        guard let profile = policy.profile(exchange["TechnicalProfileReferenceId"]) else {
            throw Failure.policy("the technical profile does not exist", exchange)
        }
        state.exchanges += 1
        guard state.exchanges <= Self.mostExchanges else {
            throw Failure.policy("more than \(Self.mostExchanges) claims exchanges in a run", step.element)
        }
        guard isEnabled(profile) else { return skipStep("EnabledForUserJourneys", profile.id) }
        if let entry = sessionEntry(of: profile) { return try skipStep(with: entry, profile) }
        return try start(profile, exchange: exchange["Id"] ?? "")
    }

    private static func notChosen(_ exchange: Element, _ step: JourneyStep, _ chosen: String?) -> Failure {
        .refusal(
            code: "AADB2C90304",
            """
            User journey went into a bad state. Claims exchange with id '\(chosen ?? exchange["Id"] ?? "")' could not be \
            found in orchestration step '\(step.number)'.
            """)
    }

    mutating func skipStep(_ reason: String, _ subject: String) -> Need? {
        note(subject, "skipped: \(reason)")
        completeStep()
        return nil
    }

    private mutating func skipStep(with entry: SessionEntry, _ profile: Profile) throws -> Need? {
        try apply(entry)
        return skipStep("the session has an entry of \(entry.profile.id)", profile.id)
    }

    /// Starts a page of choices, unless something decides (spec §5.3).
    mutating func select(_ step: JourneyStep) throws -> Need? {
        let form = try form(of: step)
        let options = options(of: step)
        let link = form.flatMap { passwordLink($0, options, page: step.element["ContentDefinitionReferenceId"]) }
        let shown = options.filter { $0.id.lowercased() != link?.lowercased() }
        if let (option, reason) = decided(shown, form == nil ? step : nil) {
            choose(option.id, "chosen: \(reason)")
            return nil
        }
        if let form, let entry = sessionEntry(of: form), entry.claims.exists("objectId") {
            return try skipStep(with: entry, form)
        }
        guard form != nil || !shown.isEmpty else {
            throw Failure.refusal(code: "AADB2C90051", "No suitable claims providers were found.")
        }
        var page = OpenPage(kind: form == nil ? .selection : .combined, profile: form?.id)
        page.contentDefinition = step.element["ContentDefinitionReferenceId"]
        page.options = shown.map(\.id)
        page.passwordLink = link
        return try open(page)
    }

    mutating func choose(_ id: String, _ text: String) {
        state.chosen = id
        note(id, text)
        completeStep()
    }

    private typealias Option = (id: String, profile: Profile)

    private func form(of step: JourneyStep) throws -> Profile? {
        guard let id = step.selections.lazy.compactMap({ $0["ValidationClaimsExchangeId"] }).first else { return nil }
        let exchange = step.exchanges.first { $0["Id"]?.lowercased() == id.lowercased() }
        guard let profile = policy.profile(exchange?["TechnicalProfileReferenceId"]) else {
            throw Failure.policy("the validation \(id) is not a claims exchange of the step", step.element)
        }
        return profile
    }

    // The targets that the next step has and the claims enable.
    private func options(of step: JourneyStep) -> [Option] {
        let targets = step.selections.compactMap { $0["TargetClaimsExchangeId"] }
        return targets.compactMap { id in following(id).flatMap { isEnabled($0) ? (id, $0) : nil } }
    }

    /// The profile of an exchange of the next step.
    func following(_ id: String) -> Profile? {
        guard let place = state.places.last,
            let journey = policy[place.isSub ? .subJourney : .journey, place.journey]
        else { return nil }
        let later = EffectivePolicy.steps(of: journey).dropFirst(place.index + 1)
        let exchange = later.lazy.flatMap(\.exchanges).first { $0["Id"]?.lowercased() == id.lowercased() }
        return policy.profile(exchange?["TechnicalProfileReferenceId"])
    }

    private func decided(_ options: [Option], _ selection: JourneyStep?) -> (Option, String)? {
        if let hint = facts.parameters["domain_hint"]?.lowercased(),
            let option = options.first(where: { policy.provider(of: $0.profile.id).domain?.lowercased() == hint })
        {
            return (option, "domain_hint")
        }
        let known = Set((state.session?.exchanges ?? [:]).values.map { $0.lowercased() })
        if let option = options.first(where: { known.contains($0.id.lowercased()) }) { return (option, "session") }
        let list = selection?.element.child("ClaimsProviderSelections")
        guard let list, options.count == 1, list["DisplayOption"] != "ShowSingleProvider" else { return nil }
        return (options[0], "the only one")
    }

    // The link runs an exchange of the selections.
    private func passwordLink(_ form: Profile, _ options: [Option], page: String?) -> String? {
        guard let target = form.metadata("setting.forgotPasswordLinkOverride"), policy.runsPasswordLink(page: page),
            options.contains(where: { $0.id.lowercased() == target.lowercased() })
        else { return nil }
        return target
    }

    /// Whether the claims enable a profile (technicalprofiles, EnabledForUserJourneys).
    func isEnabled(_ profile: Profile) -> Bool {
        let claim = profile.metadata("ClaimTypeOnWhichToEnable") ?? ""
        let items: [String] =
            switch claims[claim] {
            case .stringCollection(let items): items
            case let value?: [value.text]
            case nil: []
            }
        let hasItem = items.contains(profile.metadata("ClaimValueOnWhichToEnable") ?? "")
        return switch profile.element.text(of: "EnabledForUserJourneys")?.lowercased() {
        case "never", "false": false
        case "onclaimsexistence": claims.exists(claim)
        case "onitemexistenceinstringcollectionclaim": hasItem
        case "onitemabsenceinstringcollectionclaim": !hasItem
        default: true
        }
    }
}

extension EffectivePolicy {
    /// Whether the link for forgotten passwords of a page can run an exchange: from unifiedssp 2.1.2 on (spec §0 A4).
    func runsPasswordLink(page: String?) -> Bool {
        guard let uri = self[.contentDefinition, page]?.text(of: "DataUri"), uri.contains(":unifiedssp:") else {
            return false
        }
        let version = uri.split(separator: ":").last?.split(separator: ".").map { Int($0) ?? 0 } ?? []
        return !version.lexicographicallyPrecedes([2, 1, 2])
    }
}
