/// What the session has for a profile.
struct SessionEntry {
    let profile: Profile
    let claims: ClaimsBag
}

// Session providers (custom-policy-reference-sso, spec §3.5 and §0 A6, A7). A profile without one runs each time.
extension JourneyRun {
    func sessionProfile(of profile: Profile) -> Profile? {
        policy.profile(profile.element.child("UseTechnicalProfileForSessionManagement")?["ReferenceId"])
    }

    /// The entry that stands in for a profile: one of a default provider, from before this run, of the same person.
    func sessionEntry(of profile: Profile) -> SessionEntry? {
        guard let session = sessionProfile(of: profile), session.handler == "DefaultSSOSessionProvider",
            !state.hasOtherIdentity, let claims = state.session?.claims[session.id.lowercased()]
        else { return nil }
        return SessionEntry(profile: session, claims: claims)
    }

    mutating func apply(_ entry: SessionEntry) throws {
        for id in entry.claims.ids where !state.bag.isSet(id) { state.bag[id] = entry.claims[id] }
        for output in entry.profile.outputClaims {
            guard let id = output.claim, !state.bag.isSet(id) else { continue }
            state.bag[id] = try defaultValue(of: output, entry.profile)
        }
        // It lasts as long as the session does.
        state.added.claims[entry.profile.id.lowercased()] = entry.claims
    }

    /// Keeps what a session provider persists, for the journeys after this one.
    mutating func storeSession(of profile: Profile) {
        // Validation profiles may stay out of it.
        if work.submit != nil, profile.element.text(of: "IncludeInSso")?.lowercased() == "false" { return }
        guard let session = sessionProfile(of: profile) else { return }
        let isExternal = session.handler == "ExternalLoginSSOSessionProvider"
        guard isExternal || session.handler == "DefaultSSOSessionProvider" else { return }
        var stored = ClaimsBag()
        for id in session.persistedClaims.compactMap(\.claim) where claims.exists(id) && !state.unstored.contains(id) {
            guard let value = claims[id], !work.passwords.contain(in: value.text) else { continue }
            stored[id] = value
        }
        let id = session.id.lowercased()
        state.added.claims[id] = stored
        if isExternal { state.added.exchanges[id] = work.exchange }
    }

    /// The session after a journey that ended in a token.
    var sessionAfterwards: SessionEntries {
        var entries = state.hasOtherIdentity ? SessionEntries() : state.session ?? SessionEntries()
        entries.claims.merge(state.added.claims) { $1 }
        entries.exchanges.merge(state.added.exchanges) { $1 }
        return entries
    }
}
