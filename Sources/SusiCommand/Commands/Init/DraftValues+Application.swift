import Susi
import SusiBase

// The application: client ID, policies, API.
extension DraftValues {
    // MARK: Client ID

    // Client IDs of a server or an API are not susi's, whatever other file has them too.
    mutating func takeClientID() {
        let servers = registrations.filter { $0.owner != nil }
        var foreign = servers.flatMap { server in
            server.clientIDs.map { ($0, server.isAPI ? "an API" : "a server") }
        }
        foreign += registrations.flatMap(\.audiences).filter(\.value.isGUID).map { ($0, "an API") }
        let isForeign = Set(foreign.map { $0.0.value.lowercased() })
        let ids = registrations.filter { $0.owner == nil }.flatMap(\.clientIDs)
            .filter { !isForeign.contains($0.value.lowercased()) }
        for (id, owner) in foreign + (clientID == nil ? [] : ids.map { ($0, "another application") }) {
            takeForeign(id, owner)
        }
        guard clientID == nil else { return }
        let read = ids.filter { draft.isConfirmed || !$0.isOfText }
        let used = read.filter { complaint($0.value, $0, DraftRules.complaint(aboutClientID:_:)) == nil }
        let unfit = read.compactMap { complaint($0.value, $0, DraftRules.complaint(aboutClientID:_:)) }
        let open = unclear(.clientID, onlyFinal: true)
        if used.isEmpty, open.isEmpty, let owner = servers.first?.owner ?? foreign.first?.0.label {
            let advice = "register one for susi, platform “Mobile and desktop applications”; --copy needs none"
            self.open(.clientID, ["the client ID is a server's or an API's (\(owner)): \(advice)"])
        } else if used.isEmpty || !open.isEmpty {
            self.open(.clientID, unfit + unclear(.clientID))
            for id in used { leaveOut("client ID \(id.value) in \(id.label): another one is computed") }
        } else if Set(used.map { $0.value.lowercased().isGUID ? $0.value.lowercased() : $0.value }).count > 1 {
            self.open(.clientID, Self.several("client IDs", used.map { ($0.value, $0.label) }))
        } else {
            clientID = used[0].value
            origins.append(Origin(value: "client ID", name: used[0].label))
        }
        if clientID == nil, draft.isCopied {
            clientID = LocalCopy.clientID
            origins.append(Origin(value: "client ID", name: Self.madeUp))
        }
    }

    // Why a value of a file cannot be what its name says; `nil` if it can.
    private func complaint(_ value: String, _ fact: Fact, _ rule: (String, AuthorityKind) -> String?) -> String? {
        guard let kind, !DraftRules.isLocal(self, kind) else { return nil }
        return rule(value, kind).map { "“\(value)” of \(fact.label) is not valid: \($0)" }
    }

    static let madeUp = "made up for the copy; the tenant does not know it"

    // The client ID of another application: the copy of the tenant has it, and susi does not use it.
    private mutating func takeForeign(_ id: Fact, _ owner: String) {
        guard id.value.lowercased() != clientID?.lowercased() else { return }
        if draft.isCopied {
            origins.append(Origin(value: "client ID of \(owner)", name: id.label))
        } else {
            leaveOut("client ID \(id.value) in \(id.label), that of \(owner)")
        }
    }

    // MARK: Policies

    // The policy that signs in is the default one: the one that the file marks, the only one with such a name, or that of
    // the option.
    mutating func takePolicies(_ chosen: [Fact], _ typed: AddressReading?) {
        if kind?.traits.hasPolicies ?? true {
            takePoliciesOfFiles(chosen)
        } else {
            for fact in facts where fact.policy != nil {
                leaveOut("policy \(fact.value) in \(fact.label): only tenants of B2C have policies")
            }
        }
        if let name = kind.flatMap({ typed?.policy($0) }) {
            policies.append(.init(name: name, kind: PolicyKind(guessing: name.spelling)))
        }
        for policy in draft.policies {
            if let index = policies.firstIndex(where: { $0.name == policy.name }) {
                policies[index].kind = policy.kind ?? policies[index].kind
            } else {
                policies.append(policy)
            }
        }
    }

    private mutating func takePoliciesOfFiles(_ chosen: [Fact]) {
        let addressed = chosen.compactMap { fact -> (ApplicationDraft.DraftPolicy, Fact)? in
            Self.policy(fact).map { (.init(name: $0, kind: PolicyKind(guessing: $0.spelling)), fact) }
        }
        var seen: Set<PolicyName> = []
        let read = (facts.compactMap { fact in fact.policy.map { ($0, fact) } } + addressed)
            .filter { seen.insert($0.0.name).inserted }
        let all = read.filter { complaint($0.0.name.spelling, $0.1, DraftRules.complaint(aboutPolicy:_:)) == nil }
        let signIns = all.filter { $0.0.kind == .signUpOrSignIn }
        let unnamed = all.filter { $0.0.kind == nil }
        let candidates =
            !signIns.isEmpty ? signIns : unnamed.isEmpty ? all.filter { $0.0.kind == .resourceOwner } : unnamed
        let marked = all.first(where: \.1.isDefault) ?? (candidates.count == 1 ? candidates[0] : nil)
        guard let main = marked?.0 ?? (candidates.isEmpty ? nil : draft.policies.first(where: \.signsIn)) else {
            for (policy, fact) in all where !policy.signsIn { take(policy, policy.kind, from: fact.label) }
            let places = candidates.map { ($0.0.name.spelling, $0.1.label) }
            let unfit = read.compactMap { complaint($0.0.name.spelling, $0.1, DraftRules.complaint(aboutPolicy:_:)) }
            return open(
                .policy,
                candidates.isEmpty ? unfit + unclear(.policy) : Self.several("policies that sign in", places))
        }
        take(main, main.kind, from: marked?.1.label ?? "--policy")
        for (policy, fact) in all where policy.name != main.name {
            if let kind = policy.kind {
                take(policy, kind, from: fact.label)
            } else {
                leaveOut("policy \(policy.name) in \(fact.label) (its name does not show its kind)")
            }
        }
    }

    private mutating func take(_ policy: ApplicationDraft.DraftPolicy, _ kind: PolicyKind?, from label: String) {
        policies.append(.init(name: policy.name, kind: kind ?? .signUpOrSignIn))
        origins.append(Origin(value: policy.name.spelling, name: label))
    }

    // MARK: API

    // A token could go to the wrong one of several APIs. Code shows the address of the only API beside its scopes, and a
    // person confirms that they belong together.
    mutating func takeAPI() {
        let (apis, apiScopes) = (draft.sources.flatMap(\.apis), draft.sources.flatMap(\.apiScopes))
        let found = facts.filter { $0.meaning == .scope }
        var addresses = facts.filter { $0.meaning == .apiAddress }
        defer { for fact in addresses { leaveOut("\(fact.label): \(fact.value): an API needs --api and --scope") } }
        guard api == nil, scopes.isEmpty else { return }
        if !apiScopes.isEmpty, let first = apis.first {
            guard apis.count == 1 else {
                return apis.forEach { leaveOut("API \($0.value.baseURL) in \($0.label)") }
            }
            take(scopes: apiScopes)
            take(first.value, from: first.label)
        } else if Set(found.map { $0.value.split(separator: "/").dropLast() }).count == 1 {
            take(scopes: found.map(\.value), from: found[0].label)
            guard let first = addresses.first, first.isOfText, Set(addresses.map(\.value)).count == 1,
                let named = try? DraftValue.api(first.value), !found[0].value.hasPrefix(first.value)
            else { return }
            take(named, from: first.label)
            addresses = []
        } else {
            for scope in found { leaveOut("scope \(scope.value) in \(scope.label)") }
        }
    }

    private mutating func take(_ found: ApplicationDraft.DraftAPI, from label: String) {
        api = found
        origins.append(Origin(value: "API \(found.name)", name: label))
    }
}
