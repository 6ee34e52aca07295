import Susi

/// The settings of one application, and what they say about its tenant.
///
/// Host, tenant, client ID and policies each come from one place that says it. What two places say differently, what is
/// computed, and what a sample left to fill in is refused with its lines: a guess could send a person to another tenant.
struct TenantSettings {
    private typealias Found = (setting: ReadSetting, fact: TenantSetting)

    private let source: String
    private let all: [ReadSetting]
    private let found: [Found]

    /// Sorts the settings. Throws if they say nothing about a tenant.
    init(_ reader: SettingsReader, named source: String) throws {
        self.source = source
        all = reader.found
        found = all.compactMap { setting in TenantSetting(setting).map { (setting, $0) } }
        guard found.contains(where: \.fact.isNeeded) || all.contains(where: { TenantSetting(nameOf: $0) != nil }) else {
            throw SusiError(
                .invalidConfiguration, "“\(source)” has no client ID and no tenant",
                why: "expected settings for MSAL or ASP.NET Core, a Postman or Insomnia file, variables or source code",
                next: "give an address from the portal instead; susi help init shows examples")
        }
    }

    /// Adds the settings to a draft, with the place of each. Throws if one is unclear, or if two contradict each other.
    func fill(_ draft: inout ApplicationDraft) throws {
        draft.sourceName = source
        try checkAreClear(draft)
        if draft.kind == nil { draft.found.kind = kind }
        if draft.clientID == nil, let (id, label) = try one("client IDs", clientIDs, draft) {
            draft.take(clientID: id, from: label)
        }
        draft.unclear = all.filter { TenantSetting($0).map { _ in true } == nil && TenantSetting(nameOf: $0) != nil }
            .map(\.label)
        takePolicies(&draft)
        try takeAddress(&draft)
        takeAPI(&draft)
        for (setting, fact) in found {
            if case .redirect(let address) = fact { draft.take(redirectAddress: address) }
            if case .secret = fact { draft.leaveOut(setting.label) }
        }
    }

    // MARK: Clarity

    private func checkAreClear(_ draft: ApplicationDraft) throws {
        var names = Set(all.filter { $0.form == .literal }.map(\.name))
        for template in all where template.form == .template && !template.isUnclear(among: names) {
            names.insert(template.name)
        }
        let unclear = all.filter { setting in
            guard let fact = TenantSetting(setting) ?? TenantSetting(nameOf: setting), fact.isNeeded else {
                return false
            }
            if case .clientID = fact, draft.clientID != nil { return false }
            return setting.isUnclear(among: names)
        }
        guard unclear.isEmpty else {
            let lines = unclear.prefix(5).map {
                "line \($0.line): \($0.path.joined(separator: ".")): \($0.text.prefix(80))"
            }
            throw refusal("does not say its tenant literally", lines.joined(separator: "; "), draft)
        }
    }

    private func refusal(_ what: String, _ why: String, _ draft: ApplicationDraft) -> UsageError {
        UsageError(
            "“\(source)” \(what)", why: why,
            next: "give the address from the portal: \(draft.again.replacing(arguments: ["ADDRESS"]))")
    }

    private func one<T: Equatable>(_ what: String, _ all: [(value: T, label: String)], _ draft: ApplicationDraft) throws
        -> (value: T, label: String)?
    {
        if let other = all.first(where: { $0.value != all[0].value }) {
            throw refusal(
                "has several \(what)",
                "\(all[0].value) in \(all[0].label), \(other.value) in \(other.label)", draft)
        }
        return all.first
    }

    // MARK: Values

    private var clientIDs: [(value: String, label: String)] {
        found.compactMap { setting, fact in
            guard case .clientID(let id) = fact else { return nil }
            return (id.lowercased().isGUID ? id.lowercased() : id, setting.label)
        }
    }

    // The kind by the policies, else by the type that MSAL's files name, else by the addresses.
    private var kind: AuthorityKind? {
        let needed = found.filter(\.fact.isNeeded)
        let named = AuthorityKind.allCases.first { kind in
            needed.contains { found in
                found.setting.path.map(ReadSetting.normalized).contains { name in
                    kind.sectionNames.contains(where: name.contains)
                }
            }
        }
        let kinds = found.compactMap { found -> AuthorityKind? in
            switch found.fact {
            case .policy: AuthorityKind.allCases.first(where: \.hasPolicies)
            case .address(let address): address.kind
            case .host(let host): AuthorityKind.ofServiceHost(host.secured)
            case .kind(let kind): kind
            case .clientID, .tenant, .redirect, .scopes, .api, .secret: nil
            }
        }
        return (kinds + [named].compactMap(\.self)).first(where: \.hasPolicies) ?? kinds.first ?? named
    }

    // The first one that signs in is the default: one that a name or the address of the authority says, before others.
    private func takePolicies(_ draft: inout ApplicationDraft) {
        var policies: [(name: PolicyName, kind: PolicyKind?, label: String, isMain: Bool)] = []
        for (setting, fact) in found {
            let (name, kind, isAddress): (PolicyName, PolicyKind?, Bool)
            switch fact {
            case .policy(let text, let known): (name, kind, isAddress) = (PolicyName(text), known, false)
            case .address(let address):
                guard let policy = address.policy else { continue }
                let known = PolicyKind(guessing: policy.spelling) ?? PolicyKind(guessing: setting.name)
                (name, kind, isAddress) = (policy, known, true)
            case .kind, .clientID, .host, .tenant, .redirect, .scopes, .api, .secret: continue
            }
            guard let place = policies.firstIndex(where: { $0.name == name }) else {
                policies.append((name, kind, setting.label, isAddress))
                continue
            }
            policies[place].kind = policies[place].kind ?? kind
            policies[place].isMain = policies[place].isMain || isAddress
        }
        let isFirst = { (kind: PolicyKind?, isMain: Bool) in kind == .signUpOrSignIn || kind == nil && isMain }
        for first in [true, false] {
            for policy in policies where isFirst(policy.kind, policy.isMain) == first {
                draft.take(policy: policy.name.spelling, policy.kind, from: policy.label)
            }
        }
    }

    // MARK: Address

    private func takeAddress(_ draft: inout ApplicationDraft) throws {
        var (whole, hosts, tenants) = (
            [AddressReading](), [(value: String, label: String)](), [(value: String, label: String)]()
        )
        var places: [WebAddress] = []
        let kind = draft.kind ?? draft.found.kind
        for (setting, fact) in found {
            var (place, tenant): (WebAddress?, String?)
            switch fact {
            case .address(let address):
                whole.append(address)
                place = kind.map(address.authority) ?? address.base
                tenant = place?.segments.first
            case .host(let host): place = host
            case .tenant(let text): tenant = text
            case .kind, .clientID, .policy, .redirect, .scopes, .api, .secret: continue
            }
            if let place {
                hosts.append((place.authority, setting.label))
                places.append(place.withoutPath)
            }
            if let tenant { tenants.append((tenant.lowercased(), setting.label)) }
        }
        let isName = { (tenant: (value: String, label: String)) in AuthorityKind.isTenantName(tenant.value) }
        let host = try one("tenants", hosts, draft)
        let name = try one("tenants", tenants.filter(isName), draft)
        let id = try one("tenants", tenants.filter { !isName($0) }, draft)
        guard whole.isEmpty else {
            for address in whole { draft.take(address: address, from: hosts[0].label) }
            return
        }
        // Workforce tenants are in `TenantId`, B2C tenants in `Domain`.
        let tenant = kind?.hasPolicies ?? false ? name ?? id : id ?? name
        guard let host else {
            if let tenant { draft.unclear.append("\(tenant.label) has no host") }
            return
        }
        let address = tenant.map { places[0].appending($0.value) } ?? places[0]
        guard let kind, tenant != nil || kind.complaint(about: address) == nil else {
            return draft.unclear.append("\(host.label) has no tenant")
        }
        let labels = [host.label, tenant?.label].compactMap(\.self)
        draft.take(
            address: try AddressReading(address.description, seesOldAddresses: true),
            from: labels.joined(separator: ", "))
    }

    // MARK: API

    // One address of an API belongs to the scopes. Of several, none is taken: a token could go to the wrong one.
    private func takeAPI(_ draft: inout ApplicationDraft) {
        // Those of options replace them.
        let scopes = found.flatMap { _, fact -> [String] in if case .scopes(let scopes) = fact { scopes } else { [] } }
        if draft.scopes.isEmpty { draft.take(scopes: scopes) }
        let apis = found.compactMap { setting, fact -> (setting: ReadSetting, address: WebAddress)? in
            if case .api(let address) = fact { (setting, address) } else { nil }
        }
        guard draft.api == nil, !draft.scopes.isEmpty, let (setting, address) = apis.first else { return }
        guard apis.allSatisfy({ $0.address == address }) else {
            for api in apis { draft.leaveOut("API \(api.address) in \(api.setting.label)") }
            return
        }
        let outer = setting.path.dropLast().last ?? ""
        draft.take(
            api: .init(
                name: Self.isName(outer) ? outer : ApplicationDraft.DraftAPI.name(of: address), baseURL: address),
            from: setting.label)
    }

    // A name that says more than that it names a configuration.
    private static func isName(_ outer: String) -> Bool {
        SchemaNode.Text.name.allows(outer)
            && !["config", "settings", "environment", "azure", "b2c", "auth", "msal"].contains(
                where: outer.lowercased().contains)
    }
}

extension ReadSetting {
    /// Whether the value depends on more than this file, or is what a sample leaves to fill in. A reference to a name
    /// that the file gives literally says nothing new.
    func isUnclear(among names: Set<String>) -> Bool {
        let isKnown = { (reference: Substring) in
            let parts = reference.split { ".!?".contains($0) || $0.isWhitespace }
            return parts.last.map { names.contains(Self.normalized(String($0))) } ?? false
        }
        switch form {
        case .literal: return isPlaceholder
        case .template:
            let gaps = text.matches(of: /\{+([^{}]*)\}|\\\(([^()]*)\)|\$\(([^()]*)\)|<([^<>]*)>/)
            return gaps.contains { gap in
                let reference = gap.1 ?? gap.2 ?? gap.3 ?? ""
                return reference.allSatisfy(\.isNumber) && gap.4 == nil ? false : !isKnown(reference)
            }
        case .expression:
            let isOne = text.allSatisfy { $0.isLetter || $0.isNumber || "._$!".contains($0) }
            if isOne, isKnown(text[...]) { return false }
            return text.lowercased().contains(/["'`?|+&…]|env/)
        }
    }

    // `YOUR_TENANT_ID`, `Enter_the_Tenant_Info_Here`, and GUIDs of one digit.
    private var isPlaceholder: Bool {
        let text = text.lowercased()
        if text.isGUID { return Set(text).count < 3 }
        return text.contains(/(?:^|[^a-z])(?:your|enter|insert|replace|change_?me|placeholder|xxx)|_here/)
    }
}
