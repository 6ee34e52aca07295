import SusiBase

extension JourneyRun {
    /// Whether a browser shows pages: a refresh, a password grant and user information have none.
    var isInteractive: Bool { state.hasBrowser && facts.parameters["grant_type"] == nil }

    var currentStep: JourneyStep? {
        guard let place = state.places.last, let journey = journey(of: place) else { return nil }
        let steps = EffectivePolicy.steps(of: journey)
        return place.index < steps.count ? steps[place.index] : nil
    }

    private func journey(of place: Journey.Place) -> Element? {
        policy[place.isSub ? .subJourney : .journey, place.journey]
    }

    /// Runs the step that is next, or returns from a sub journey.
    mutating func goToStep() throws -> Need? {
        guard let step = currentStep else {
            guard let place = state.places.popLast() else { return nil }
            guard place.isSub, journey(of: place)?["Type"] != "Transfer" else {
                throw Failure.refusal(
                    code: "AADB2C90040", "User journey '\(place.journey)' does not contain a send claims step.")
            }
            completeStep()
            return nil
        }
        if let reason = skips(step.element) { return skipStep(reason, step.type) }
        guard let run = Self.steps[step.type] else {
            throw Failure.policy("steps of type \(step.type) are not supported", step.element)
        }
        return try run(&self, step)
    }

    private static let steps: [String: @Sendable (inout JourneyRun, JourneyStep) throws -> Need?] = [
        "ClaimsExchange": { run, step in try run.exchange(step) },
        "ClaimsProviderSelection": { run, step in try run.select(step) },
        "CombinedSignInAndSignUp": { run, step in try run.select(step) },
        "InvokeSubJourney": { run, step in try run.call(step) },
        "GetClaims": { run, step in try run.getClaims(step) },
        "SendClaims": { run, step in try run.sendClaims(step) },
    ]

    static let stepTypes = Set(steps.keys)

    /// Returns why a step or a validation is skipped: the first precondition that is satisfied (spec §5.1).
    func skips(_ element: Element) -> String? {
        for precondition in element.all("Preconditions", "Precondition") {
            let values = precondition.all("Value").map(\.text)
            guard let claim = values.first?.trimmed else { continue }
            let expected = ["true", "1"].contains(precondition["ExecuteActionsIf"]?.lowercased())
            switch precondition["Type"] {
            case "ClaimsExist" where claims.exists(claim) == expected:
                return "\(claim) \(expected ? "exists" : "does not exist")"
            // A claim that does not exist neither equals nor differs.
            case "ClaimEquals" where claims.exists(claim) && values.count > 1:
                guard (claims[claim]?.text == values[1]) == expected else { continue }
                return "\(claim) \(expected ? "equals" : "does not equal") “\(hide(values[1]))”"
            default: continue
            }
        }
        return nil
    }

    private mutating func call(_ step: JourneyStep) throws -> Need? {
        guard state.places.count == 1 else { throw Failure.policy("a sub journey calls another one", step.element) }
        guard let candidate = policy.subJourneys(of: step).first, let id = candidate["Id"] else {
            throw Failure.policy("the sub journey does not exist", step.element)
        }
        note(id, "sub journey")
        state.places.append(Journey.Place(journey: id, isSub: true))
        return nil
    }

    // The hint is verified by the host (spec §5.6).
    private mutating func getClaims(_ step: JourneyStep) throws -> Need? {
        guard let profile = policy.issuer(of: step, nil) else {
            throw Failure.policy("the step names no technical profile", step.element)
        }
        guard let token = facts.parameters["id_token_hint"], !token.isEmpty else {
            throw Failure.refusal(
                code: "AADB2C90272", "The id_token_hint parameter has not been specified in the request.")
        }
        let call = TokenCall(
            token: token, secret: key("client_secret", of: profile), metadata: profile.metadata("METADATA"),
            issuer: profile.metadata("issuer"), audience: profile.metadata("IdTokenAudience"))
        return ask(.token(call), profile) { answer in
            switch answer {
            case .token(.claims(let claims)): return { claims[$0] }
            case .token(.refused(let code, let text)): throw Failure.refusal(code: code, text)
            default: throw Journey.UnexpectedAnswer()
            }
        }
    }

    mutating func ask(_ need: Need, _ profile: Profile, _ read: @escaping Reader) -> Need {
        work.call = Journey.Call(profile: profile, read: read)
        return need
    }

    /// The secret of a key that a profile names.
    func key(_ id: String, of profile: Profile) -> String? {
        let key = profile.element.all("CryptographicKeys", "Key").first { $0["Id"]?.lowercased() == id.lowercased() }
        return key?["StorageReferenceId"].flatMap { facts.policyKeys[$0.lowercased()] }
    }
}
