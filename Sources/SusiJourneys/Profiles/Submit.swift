import SusiBase

/// A submit of a page that is in work: the claims that its profiles see, and what still runs.
struct Submit: Sendable {
    var claims: ClaimsBag
    var queue: [Element]
    /// The display control and action that run; for the whole page, nothing.
    var control: (id: String, action: String)?
    private var current: Element?

    init(claims: ClaimsBag, queue: [Element], control: (id: String, action: String)? = nil) {
        (self.claims, self.queue, self.control) = (claims, queue, control)
    }

    mutating func nextValidation() -> Element? {
        current = queue.isEmpty ? nil : queue.removeFirst()
        return current
    }

    var continuesOnError: Bool { current?["ContinueOnError"] == "true" }
    var continuesOnSuccess: Bool { current?["ContinueOnSuccess"] != "false" }
}

extension JourneyRun {
    /// Does what a user asks for on a page (spec §6.2).
    mutating func submit(_ answer: PageAnswer, to page: OpenPage) throws -> Need? {
        // A page from before, or one that was sent twice.
        guard answer.number == page.number else { return nil }
        state.page?.message = nil
        state.page?.failedControl = nil
        state.page?.errors = [:]
        switch answer.action {
        case .cancel:
            throw Failure.refusal(code: "AADB2C90091", "The user has cancelled entering self-asserted information.")
        case .forgotPassword:
            guard let link = page.passwordLink else {
                throw Failure.refusal(code: "AADB2C90118", "The user has forgotten their password.")
            }
            leave(for: link)
            return nil
        case .choose(let id):
            let target = policy.profile(page.profile)?.metadata("SignUpTarget")
            let known = page.options + (page.kind == .combined ? [target].compactMap(\.self) : [])
            guard let id = known.first(where: { $0.lowercased() == id.lowercased() }) else { return nil }
            leave(for: id)
            return nil
        default: break
        }
        guard let profile = policy.profile(page.profile) else { return nil }
        if page.kind == .phone { return try submitPhone(answer, profile) }
        return try submitForm(answer, profile)
    }

    private mutating func leave(for exchange: String) {
        state.page = nil
        choose(exchange, "chosen by the user")
    }

    private mutating func submitForm(_ answer: PageAnswer, _ profile: Profile) throws -> Need? {
        state.keepsSignedIn = answer.keepsSignedIn
        var form = Form(items: asked(by: profile), fields: answer.fields)
        take(&form)
        switch answer.action {
        case .sendCode(let claim): return try sendEmailCode(claim, form)
        case .verifyCode(let claim): verifyEmailCode(claim, answer)
        case .changeAddress(let claim): state.page?.verified[claim.lowercased()] = nil
        case .control(let id, let action):
            // Those of other pages may do what is not checked here.
            guard let control = form.control(id),
                let action = control.all("Actions", "Action").first(where: {
                    $0["Id"]?.lowercased() == action.lowercased()
                }),
                check(form, form.fields(of: id), isWhole: false)
            else { return nil }
            let path = ["ValidationClaimsExchange", "ValidationClaimsExchangeTechnicalProfile"]
            begin(
                Submit(
                    claims: try overlay(form, profile), queue: action.all(path),
                    control: (control["Id"] ?? id, action["Id"] ?? "")))
        default:
            guard check(form, form.allFields, isWhole: true), isVerified(form) else { return nil }
            begin(Submit(claims: try overlay(form, profile), queue: profile.validations))
        }
        return nil
    }

    private mutating func begin(_ submit: Submit) {
        work.submit = submit
        gatherFormSecrets()
    }

    /// Runs what is left of a submit.
    mutating func continueSubmit() throws -> Need? {
        while let reference = work.submit?.nextValidation() {
            let id = reference["ReferenceId"] ?? reference["TechnicalProfileReferenceId"]
            guard let profile = policy.profile(id) else {
                throw Failure.policy("the technical profile does not exist", reference)
            }
            if let reason = skips(reference) {
                note(profile.id, "skipped: \(reason)")
                continue
            }
            if let need = try settle(profile, { try $0.run(profile) }) { return need }
        }
        guard let submit = work.submit else { return nil }
        work.submit = nil
        guard let control = submit.control else {
            try closePage(submit.claims)
            return nil
        }
        finish(control, submit.claims)
        return nil
    }

    // Only the output claims leave a page (spec §6.2).
    private mutating func closePage(_ overlay: ClaimsBag) throws {
        guard let profile = policy.profile(state.page?.profile) else { return }
        state.bag = try outputs(of: profile, from: overlay)
        state.page = nil
        try finishPage(of: profile)
        completeStep()
    }

    /// The bag with the outputs of a page.
    func outputs(of profile: Profile, from overlay: ClaimsBag) throws -> ClaimsBag {
        var bag = state.bag
        let address = profile.metadata("IpAddressClaimReferenceId")?.lowercased()
        if let address { bag[address] = .string(facts.ipAddress) }
        for entry in profile.outputClaims {
            guard let id = entry.claim, policy.claimType(id)?.isPassword == false else { continue }
            if entry["AlwaysUseDefaultValue"] == "true", entry["DefaultValue"] != nil {
                bag[id] = try defaultValue(of: entry, profile)
            } else if overlay.isSet(id) {
                bag[id] = overlay[id]
            } else if let value = try defaultValue(of: entry, profile) {
                bag[id] = value
            }
        }
        return bag
    }

    private mutating func finish(_ control: (id: String, action: String), _ claims: ClaimsBag) {
        let element = policy[.displayControl, control.id]
        for id in (element?.all("OutputClaims", "OutputClaim") ?? []).compactMap(\.claim) where claims.isSet(id) {
            state.page?.results[id] = claims[id]
        }
        // As the form has them; neither passwords nor codes are among them.
        let fields = (element?.all("DisplayClaims", "DisplayClaim") ?? []).compactMap(\.claim)
        let values = state.page?.values.filter { fields.contains($0.key) }
        state.page?.verifiedValues[control.id] = values
        state.page?.verified[control.id] = control.action.lowercased() == "verifycode" ? .verified : .sent
        note(control.id, "\(control.action) done")
    }

    /// Shows the page again with a message.
    mutating func failPage(_ text: String) throws {
        state.page?.failedControl = work.submit?.control?.id
        work.submit = nil
        state.page?.message = text
        state.page?.failures += 1
        let limit = policy.profile(state.page?.profile)?.metadata("setting.retryLimit").flatMap { Int($0) }
        guard let limit, let failures = state.page?.failures, failures > limit else { return }
        throw Failure.refusal(code: "AADB2C90157", "User has exceeded the maximum number for retry attempts.")
    }
}
