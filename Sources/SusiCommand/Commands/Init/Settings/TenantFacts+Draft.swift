import Susi

extension TenantFacts {
    /// Adds the facts to a draft, with the place of each. A value that is unclear, or said in several ways, is left open
    /// with the reason: a guess could send a person to another tenant.
    func fill(_ draft: inout ApplicationDraft) throws {
        guard !isEmpty else {
            throw SusiError(
                .invalidConfiguration, "“\(draft.sourceName)” has no client ID and no tenant",
                why: "expected a settings file, variables, or source code with whole addresses",
                next: "give an address from the portal instead; susi help init shows examples")
        }
        let chosen = try takeTenant(&draft)
        draft.foundKind = chosen.first?.value.kind ?? kind ?? (policies.isEmpty ? nil : .b2c)
        takeClientID(&draft)
        if draft.certainKind?.traits.hasPolicies ?? true { takePolicies(chosen, &draft) }
        for address in redirects { draft.take(redirectAddress: address) }
        guard draft.api == nil, draft.scopes.isEmpty, let api = apis.first, !scopes.isEmpty else { return }
        // A token could go to the wrong one of several.
        guard apis.count == 1 else { return apis.forEach { draft.leaveOut("API \($0.value.baseURL) in \($0.label)") } }
        draft.take(scopes: scopes)
        draft.take(api: api.value, from: api.label)
    }

    private func reasons(_ need: ApplicationDraft.Need, onlyFinal: Bool = false) -> [String] {
        unclear.filter { $0.need == need && ($0.isFinal || !onlyFinal) }.map(\.reason)
    }

    private static func several<T>(_ what: String, _ all: [Found<T>], _ name: (T) -> String) -> [String] {
        var (seen, places) = (Set<String>(), [String]())
        for found in all where seen.insert(name(found.value).lowercased()).inserted {
            places.append("\(name(found.value)) in \(found.label)")
        }
        return ["several \(what): \(places.prefix(5).joined(separator: ", "))"]
    }

    private func takeClientID(_ draft: inout ApplicationDraft) {
        if !owners.isEmpty { clientIDs.forEach { draft.leaveOut("client ID \($0.value) in \($0.label)") } }
        guard draft.clientID == nil else { return }
        let open = reasons(.clientID, onlyFinal: true)
        if let owner = owners.first, !clientIDs.isEmpty || !open.isEmpty {
            let advice = "register one for susi, platform “Mobile and desktop applications”"
            draft.open(.clientID, ["the client ID is a server's or an API's (\(owner)): \(advice)"])
        } else if !open.isEmpty || clientIDs.isEmpty {
            draft.open(.clientID, reasons(.clientID))
        } else if Set(clientIDs.map { $0.value.lowercased().isGUID ? $0.value.lowercased() : $0.value }).count > 1 {
            draft.open(.clientID, Self.several("client IDs", clientIDs) { $0 })
        } else {
            draft.take(clientID: clientIDs[0].value, from: clientIDs[0].label)
        }
    }

    // MARK: Tenant

    // Returns the addresses of the tenant, or of all tenants if it is open.
    private func takeTenant(_ draft: inout ApplicationDraft) throws -> [Found<AddressReading>] {
        var all = authorities
        var open = reasons(.tenant, onlyFinal: true)
        if let wanted = draft.wantedTenant {
            (all, open) = (all.filter { Self.names($0.value, wanted) }, [])
            if all.isEmpty {
                try DraftSource.take(address: wanted, named: wanted, into: &draft)
                return []
            }
        }
        if let first = all.first, open.isEmpty, all.allSatisfy({ Self.place($0.value) == Self.place(first.value) }) {
            draft.take(address: first.value, from: first.label)
        } else if open.isEmpty, !all.isEmpty {
            draft.open(.tenant, Self.several("tenants", all, Self.place))
        } else {
            draft.open(.tenant, reasons(.tenant))
        }
        return all
    }

    // An old address and the one that replaces it are the same place.
    private static func place(_ reading: AddressReading) -> String {
        let base = reading.kind.map(reading.authority) ?? reading.base
        return (reading.kind.flatMap { $0.replacement(for: base) } ?? base).description.lowercased()
    }

    // Whether an address is of a tenant: its address, its name or id, or its host.
    private static func names(_ reading: AddressReading, _ wanted: String) -> Bool {
        if let address = try? AddressReading(wanted, seesOldAddresses: true) { return place(reading) == place(address) }
        let place = place(reading)
        return place.split(separator: "/").dropFirst().contains { $0 == wanted.lowercased() }
    }

    // MARK: Policies

    // The policy that signs in is the default one: the one that the file marks, the only one with such a name, or that of
    // the option.
    private func takePolicies(_ chosen: [Found<AddressReading>], _ draft: inout ApplicationDraft) {
        var all = policies
        for found in chosen {
            guard let name = found.value.policy(.b2c), AuthorityKind.b2c.allows(policy: name.spelling),
                !all.contains(where: { $0.value.name == name })
            else { continue }
            let policy = ApplicationDraft.DraftPolicy(name: name, kind: PolicyKind(guessing: name.spelling))
            all.append(Found(value: policy, label: found.label, isDefault: found.isDefault))
        }
        let signIns = all.filter { $0.value.kind == .signUpOrSignIn }
        let candidates = signIns.isEmpty ? all.filter { $0.value.kind == nil } : signIns
        let marked = all.first(where: \.isDefault) ?? (candidates.count == 1 ? candidates[0] : nil)
        let option = candidates.isEmpty ? nil : draft.policies.first(where: \.signsIn)
        guard let main = marked?.value ?? option else {
            return draft.open(
                .policy,
                candidates.isEmpty
                    ? reasons(.policy) : Self.several("policies that sign in", candidates) { $0.name.spelling })
        }
        draft.take(policy: main.name, main.kind ?? .signUpOrSignIn, from: marked?.label ?? "--policy")
        for found in all where found.value.name != main.name {
            if let kind = found.value.kind {
                draft.take(policy: found.value.name, kind, from: found.label)
            } else {
                draft.leaveOut("policy \(found.value.name) in \(found.label) (its name does not show its kind)")
            }
        }
    }
}
