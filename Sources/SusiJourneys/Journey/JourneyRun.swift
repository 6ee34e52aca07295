import SusiBase

/// The work between two needs of a journey.
struct JourneyRun {
    let policy: EffectivePolicy
    var facts: RequestFacts
    var state: Journey.State
    var work: Journey.Work

    /// What a step sees: the bag, or in a submit of a page what belongs to it.
    var claims: ClaimsBag {
        get { work.submit?.claims ?? state.bag }
        set { if work.submit == nil { state.bag = newValue } else { work.submit?.claims = newValue } }
    }

    mutating func next(_ answer: Answer?) throws(Journey.UnexpectedAnswer) -> Need {
        guard !state.hasEnded else { throw Journey.UnexpectedAnswer() }
        gatherSecrets()
        facts.keepsSignedIn = facts.keepsSignedIn || state.keepsSignedIn
        do {
            var need = try take(answer)
            while need == nil { need = try goOn() }
            try checkSize()
            return need ?? .session
        } catch let error as Journey.UnexpectedAnswer {
            throw error
        } catch {
            return end(Self.failure(error))
        }
    }

    private mutating func take(_ answer: Answer?) throws -> Need? {
        switch (answer, state.page) {
        case (nil, _): return nil
        case (.session(let entries), _) where state.session == nil:
            state.session = facts.parameters["prompt"]?.contains("login") ?? false ? SessionEntries() : entries
        case (.code, _?) where work.sendsCode: work.sendsCode = false
        case (.page(let answer), let page?) where work.submit == nil && work.call == nil:
            return try submit(answer, to: page)
        case (let answer?, _):
            guard let call = work.call else { throw Journey.UnexpectedAnswer() }
            (work.call, state.provider) = (nil, nil)
            if case .http(let response) = answer { note(call.profile.id, RESTResult(answer: response).text) }
            return try settle(call.profile) { run in
                try run.finish(call.profile, call.read(answer))
                return nil
            }
        }
        return nil
    }

    private mutating func goOn() throws -> Need? {
        if state.session == nil { return .session }
        if !state.hasStarted { try start() }
        if work.submit != nil { return try continueSubmit() }
        if let page = state.page { return .page(try model(of: page)) }
        if let open = state.provider { return try resume(open) }
        return try goToStep()
    }

    // Claims of the relying party are inputs of the journey: a hint, or default values.
    private mutating func start() throws {
        state.hasStarted = true
        for type in policy.all(.claimType) where type.text(of: "UserInputType") == "Password" {
            hideClaim(type["Id"]?.lowercased() ?? "", isStored: false)
        }
        if state.keepsAssertion, let redeemed = state.redeemed { state.bag = redeemed }
        try authorize()
        guard let party = policy.partyProfile else { return }
        for entry in party.inputClaims {
            guard let id = entry.claim, let value = try defaultValue(of: entry, party) else { continue }
            state.bag[id] = value
        }
    }

    /// Runs a part of a submit or step; a message of a validation that may fail is only noted.
    mutating func settle(_ profile: Profile, _ part: (inout JourneyRun) throws -> Need?) throws -> Need? {
        do {
            if let need = try part(&self) { return need }
        } catch {
            guard case .message(let text, _) = Self.failure(error), let submit = work.submit else { throw error }
            note(profile.id, submit.continuesOnError ? "failed, and the submit goes on: \(text)" : "failed: \(text)")
            if !submit.continuesOnError { try failPage(text) }
            return nil
        }
        if work.submit == nil { completeStep() } else if !continuesOnSuccess { work.submit?.queue = [] }
        return nil
    }

    private var continuesOnSuccess: Bool { work.submit?.continuesOnSuccess ?? true }

    mutating func completeStep() {
        if !state.places.isEmpty { state.places[state.places.count - 1].index += 1 }
    }

    private static func failure(_ error: any Error) -> Failure {
        if let failure = error as? Failure { return failure }
        if let error = error as? PolicyError { return .policy(error) }
        return .policy(PolicyError("\(error)", "", Element.Place(file: 0, offset: 0)))
    }

    private mutating func end(_ failure: Failure) -> Need {
        switch failure {
        case .message(let text, let code), .refusal(let code, let text):
            let code = state.redeemed == nil ? code : Self.refreshCodes[code] ?? code
            return end("\(code): \(text)", .error(code: code, text: text))
        case .policy(let error):
            return end(
                "policy error: \(error.reason)",
                .policyError(PolicyError(hide(error.reason), error.subject, error.place)))
        }
    }

    // A refresh without its user, or that an assertion refuses (spec §5.7).
    private static let refreshCodes = ["AADB2C90053": "AADB2C90128", "AADB2C90037": "AADB2C90129"]

    mutating func end(_ text: String, _ outcome: Outcome) -> Need {
        note(currentStep?.type ?? "", text)
        state.hasEnded = true
        (work, state.page) = (Journey.Work(), nil)
        return .done(outcome)
    }
}

extension JourneyRun {
    static let mostClaims = 1_000
    static let mostExchanges = 64
    static let mostBytes = 256 * 1_024

    // The trace is cut first: the claims are what the journey works with.
    private mutating func checkSize() throws {
        let bag = claims.ids.reduce(0) { $0 + $1.utf8.count + (claims[$1]?.text.utf8.count ?? 0) }
        guard claims.ids.count <= Self.mostClaims, bag <= Self.mostBytes else {
            throw Failure.policy(
                "the claims are more than \(Self.mostClaims), or larger than 256 KiB", policy.file.root)
        }
        var (size, kept) = (bag, 0)
        for line in state.trace {
            size += line.size
            guard size <= Self.mostBytes else { break }
            kept += 1
        }
        guard kept < state.trace.count else { return }
        state.trace.removeLast(state.trace.count - kept)
        state.trace.removeAll { $0.step.isEmpty }
        state.trace.append(TraceLine(step: "", subject: "trace", text: "cut here: it would be larger than 256 KiB"))
    }
}

extension TraceLine {
    fileprivate var size: Int {
        let values = Array(added) + Array(changed)
        return values.reduce(subject.utf8.count + text.utf8.count + 64) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}
