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
        takeKind(chosen, &draft)
        takeClientID(&draft)
        if draft.certainKind?.traits.hasPolicies ?? true { takePolicies(chosen, &draft) }
        for registration in registrations where registration.isOf(draft.clientID) {
            for address in registration.redirects { draft.take(redirectAddress: address) }
        }
        if draft.api == nil, draft.scopes.isEmpty { takeAPI(&draft) }
        if tenantIDs.count == 1, draft.wantedTenant == nil { draft.tenantID = tenantIDs.first }
    }

    // A token could go to the wrong one of several APIs.
    private func takeAPI(_ draft: inout ApplicationDraft) {
        if !scopes.isEmpty, let api = apis.first {
            guard apis.count == 1 else {
                return apis.forEach { draft.leaveOut("API \($0.value.baseURL) in \($0.label)") }
            }
            draft.take(scopes: scopes)
            draft.take(api: api.value, from: api.label)
        } else if Set(pageScopes.map { $0.value.split(separator: "/").dropLast() }).count == 1 {
            draft.take(scopes: pageScopes.map(\.value), from: pageScopes[0].label)
        } else {
            for scope in pageScopes { draft.leaveOut("scope \(scope.value) in \(scope.label)") }
        }
    }

    // The address shows the kind, else the names of sections and policies do.
    private func takeKind(_ chosen: [Found<AddressReading>], _ draft: inout ApplicationDraft) {
        let shown = chosen.first?.value.kind
        if shown == nil, Set(kinds.map(\.value)).count > 1 {
            return draft.open(.kind, Self.several("kinds", kinds, \.rawValue))
        }
        draft.foundKind = shown ?? kinds.first?.value ?? (policies.isEmpty ? nil : .b2c)
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

    // Client IDs of a server or an API are not susi's, whatever other file has them too.
    private func takeClientID(_ draft: inout ApplicationDraft) {
        let registrations = registrations(of: draft)
        draft.registrations = registrations
        let servers = registrations.filter { $0.owner != nil }
        for server in servers {
            for id in server.clientIDs { draft.take(foreignID: id, of: server.isAPI ? "an API" : "a server") }
        }
        var foreign = servers.flatMap(\.clientIDs).map { $0.value.lowercased() }
        let audiences = registrations.flatMap(\.audiences).filter { $0.value.isGUID && !foreign.contains($0.value) }
        for id in audiences { draft.take(foreignID: id, of: "an API") }
        foreign += audiences.map(\.value)
        let ids = registrations.filter { $0.owner == nil }.flatMap(\.clientIDs)
            .filter { !foreign.contains($0.value.lowercased()) }
        guard draft.clientID == nil else {
            return ids.forEach { draft.take(foreignID: $0, of: "another application") }
        }
        let open = reasons(.clientID, onlyFinal: true)
        if ids.isEmpty, open.isEmpty, let owner = servers.first?.owner ?? audiences.first?.label {
            let advice = "register one for susi, platform “Mobile and desktop applications”"
            draft.open(.clientID, ["the client ID is a server's or an API's (\(owner)): \(advice)"])
        } else if ids.isEmpty || !open.isEmpty {
            draft.open(.clientID, reasons(.clientID))
        } else if Set(ids.map { $0.value.lowercased().isGUID ? $0.value.lowercased() : $0.value }).count > 1 {
            draft.open(.clientID, Self.several("client IDs", ids) { $0 })
        } else {
            draft.take(clientID: ids[0].value, from: ids[0].label)
        }
    }

    // Beside an application that was named, the only other settings without a redirect address are those of the API of which
    // scopes are requested.
    private func registrations(of draft: ApplicationDraft) -> [Registration] {
        var all = registrations
        let isKnown = all.contains { $0.isAPI || !$0.audiences.isEmpty } || (pageScopes.isEmpty && draft.scopes.isEmpty)
        let others = all.indices.filter { all[$0].owner == nil && !all[$0].isSource && !all[$0].isOf(draft.clientID) }
        if draft.clientID != nil, !isKnown, others.count == 1, all[others[0]].redirects.isEmpty {
            (all[others[0]].owner, all[others[0]].isAPI) = (all[others[0]].clientIDs.first?.label, true)
        }
        return all
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

    private static func place(_ reading: AddressReading) -> String {
        let base = address(reading)
        // A host of External ID names its tenant.
        return (try? AddressReading(base.origin))?.tenant == nil ? base.description.lowercased() : base.origin
    }

    // An old address and the one that replaces it are the same.
    private static func address(_ reading: AddressReading) -> WebAddress {
        let base = reading.kind.map(reading.authority) ?? reading.base
        return reading.kind.flatMap { $0.replacement(for: base) } ?? base
    }

    // Whether an address is of a tenant: its address, its name or id, or its host.
    private static func names(_ reading: AddressReading, _ wanted: String) -> Bool {
        if let address = try? AddressReading(wanted, seesOldAddresses: true) { return place(reading) == place(address) }
        let address = address(reading)
        return ([address.host] + address.segments).contains { $0.lowercased() == wanted.lowercased() }
    }

    // MARK: Policies

    // The policy that signs in is the default one: the one that the file marks, the only one with such a name, or that of
    // the option.
    private func takePolicies(_ chosen: [Found<AddressReading>], _ draft: inout ApplicationDraft) {
        let addressed = chosen.compactMap { found -> Found<ApplicationDraft.DraftPolicy>? in
            guard let name = found.value.policy(.b2c), AuthorityKind.b2c.allows(policy: name.spelling) else {
                return nil
            }
            let policy = ApplicationDraft.DraftPolicy(name: name, kind: PolicyKind(guessing: name.spelling))
            return Found(value: policy, label: found.label, isDefault: found.isDefault)
        }
        var seen: Set<PolicyName> = []
        let all = (policies + addressed).filter { seen.insert($0.value.name).inserted }
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
