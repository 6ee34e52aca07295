import SusiBase

extension JourneyRun {
    /// Signs in with a provider, or checks a password where the grant is that of passwords (spec §3.4, §7.3).
    mutating func provider(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        if inputs["grant_type"]?.text == "password" || profile.metadata("grant_type") == "password" {
            return password(profile, inputs)
        }
        let provider = policy.provider(of: profile.id)
        let listed = profile.outputClaims.filter { $0["AlwaysUseDefaultValue"] != "true" }
        let call = ProviderCall(
            profile: profile.id,
            displayName: profile.element.text(of: "DisplayName") ?? provider.displayName ?? profile.id,
            domain: provider.domain ?? profile.metadata("ProviderName") ?? "", inputs: inputs.json,
            outputs: listed.map { name(of: $0, profile) })
        state.provider = Journey.OpenProvider(profile: profile.id, exchange: work.exchange ?? "")
        return ask(.provider(call), profile) { answer in
            switch answer {
            case .provider(.claims(let claims)): return { claims[$0] }
            case .provider(.cancelled):
                throw Failure.refusal(
                    code: "AADB2C90273",
                    "An invalid response was received : 'Error: access_denied, Error Description: '")
            default: throw Journey.UnexpectedAnswer()
            }
        }
    }

    /// Asks for a provider again that its user has not come back from.
    mutating func resume(_ open: Journey.OpenProvider) throws -> Need? {
        guard let profile = policy.profile(open.profile) else { return nil }
        work.exchange = open.exchange
        let inputs = try inputs(profile.inputClaims, of: profile)
        work.inputs = inputs.list
        return try provider(profile, inputs)
    }

    private mutating func password(_ profile: Profile, _ inputs: Inputs) -> Need {
        let (name, password) = (inputs["username"]?.text ?? "", inputs["password"]?.text ?? "")
        work.passwords.add(password)
        let texts = PasswordAnswer.Refusal.allCases.map { ($0, message($0.rawValue, of: profile)) }
        let known = Dictionary(uniqueKeysWithValues: texts)
        return ask(.password(name: name, password: password), profile) { answer in
            switch answer {
            case .password(.accepted(let claims)): return { claims[$0] }
            case .password(.refused(let refusal)):
                throw Failure.message(known[refusal] ?? "", code: "AADB2C90225")
            default: throw Journey.UnexpectedAnswer()
            }
        }
    }

    /// Notices that another person signed in than the session's (spec §0 A7).
    mutating func compareIdentity(after profile: Profile) {
        guard profile.isOfAnotherParty, let past = state.session, !past.claims.isEmpty else { return }
        let session = sessionProfile(of: profile)
        let persisted = session?.persistedClaims.compactMap(\.claim) ?? []
        let ids = persisted.isEmpty ? ["objectid"] : persisted
        let isSame = past.claims.values.contains { entry in
            ids.contains { claims.exists($0) } && ids.allSatisfy { !claims.exists($0) || entry[$0] == claims[$0] }
        }
        if !isSame { state.hasOtherIdentity = true }
    }
}
