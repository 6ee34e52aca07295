import Susi

/// The settings of one application, and what they say about its tenant.
///
/// Host, tenant, client ID and policies come from literal values. Contradictions, computed values and the placeholders of
/// samples are refused with their lines: a guess could send a person to another tenant.
struct TenantSettings {
    private typealias Found = (setting: ReadSetting, fact: TenantSetting)

    private let source: String
    /// Each setting, what it says, and what its name says where the value is not literal.
    private let all: [(setting: ReadSetting, fact: TenantSetting?, meant: TenantSetting?)]
    private let found: [Found]
    private let groups: Set<String>

    /// Sorts the settings. Throws if they say nothing about a tenant.
    init(_ reader: SettingsReader, named source: String) throws {
        self.source = source
        groups = reader.groups
        all = reader.found.map { setting in
            let fact = TenantSetting(setting)
            return (setting, fact, fact ?? TenantSetting(nameOf: setting))
        }
        found = all.compactMap { entry in entry.fact.map { (entry.setting, $0) } }
        guard all.contains(where: { $0.meant?.isNeeded ?? false }) else {
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
        draft.unclear = all.filter { $0.fact == nil && $0.meant != nil }.map(\.setting.label)
        try takePolicies(&draft)
        try takeAddress(&draft)
        takeAPI(&draft)
        for (setting, fact) in found {
            if case .redirect(let address) = fact { draft.take(redirectAddress: address) }
            if case .secret = fact { draft.leaveOut(setting.label) }
        }
    }

    // MARK: Clarity

    private func checkAreClear(_ draft: ApplicationDraft) throws {
        var names = Set(all.filter { $0.setting.form == .literal }.map(\.setting.name))
        for (setting, _, _) in all where setting.form != .literal && !setting.isUnclear(among: names, in: groups) {
            names.insert(setting.name)
        }
        let unclear = all.filter { setting, _, meant in
            guard let meant, meant.isNeeded else { return false }
            if case .clientID = meant, draft.clientID != nil { return false }
            return setting.isUnclear(among: names, in: groups)
        }
        guard unclear.isEmpty else {
            let lines = unclear.prefix(5).map { setting, _, _ in
                "line \(setting.line): \(setting.path.joined(separator: ".")): \(setting.text.prefix(80))"
            }
            let isClient = unclear.allSatisfy { if case .clientID = $0.meant { true } else { false } }
            throw refusal(
                "has values that are not literal", lines.joined(separator: "; "), draft,
                // The option replaces it.
                next: isClient ? "\(draft.again.option("--client-id", "ID"))" : nil)
        }
    }

    private func refusal(
        _ what: String, _ why: String, _ draft: ApplicationDraft, next: NextStep? = nil
    ) -> UsageError {
        UsageError(
            "“\(source)” \(what)", why: why,
            next: next ?? "give the address from the portal: \(draft.again.replacing(arguments: ["ADDRESS"]))")
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
            let id: String? =
                switch fact {
                case .clientID(let id): id
                case .address(let address): address.clientID
                default: nil
                }
            return id.map { ($0.lowercased().isGUID ? $0.lowercased() : $0, setting.label) }
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
            case .policy: AuthorityKind.allCases.first(where: \.traits.hasPolicies)
            case .address(let address): address.kind
            case .host(let host): AuthorityKind.ofServiceHost(host.secured)
            case .kind(let kind): kind
            case .clientID, .tenant, .redirect, .scopes, .api, .secret: nil
            }
        }
        return (kinds + [named].compactMap(\.self)).first(where: \.traits.hasPolicies) ?? kinds.first ?? named
    }

    // The policy that signs in is the default: the one with such a name, or that of the authority's address.
    private func takePolicies(_ draft: inout ApplicationDraft) throws {
        var policies: [(name: PolicyName, kind: PolicyKind?, label: String, isMain: Bool)] = []
        for (setting, fact) in found {
            let (name, kind, isAddress): (PolicyName, PolicyKind?, Bool)
            switch fact {
            case .policy(let text, let known): (name, kind, isAddress) = (PolicyName(text), known, false)
            case .address(let address):
                guard let policy = address.policy else { continue }
                // In JSON, the name of the object says it: `"editProfile": { "authority": … }`.
                let outer = PolicyKind(guessing: setting.path.dropLast().last ?? "")
                let known = outer ?? PolicyKind(guessing: policy.spelling) ?? PolicyKind(guessing: setting.name)
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
        let signIns = policies.filter { isFirst($0.kind, $0.isMain) }.map { (value: $0.name, label: $0.label) }
        if draft.policies.isEmpty { _ = try one("policies that sign in", signIns, draft) }
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
        var (places, wholeTenants) = ([WebAddress](), [(value: String, label: String)]())
        let kind = draft.kind ?? draft.found.kind
        for (setting, fact) in found {
            var (place, tenant): (WebAddress?, String?)
            switch fact {
            case .address(let address):
                whole.append(address)
                place = kind.map(address.authority) ?? address.base
                tenant = place?.segments.first
                // An issuer has the tenant's id where an authority has its name.
                if let tenant, !setting.name.contains("issuer") {
                    wholeTenants.append((tenant.lowercased(), setting.label))
                }
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
        let isName = { (tenant: (value: String, label: String)) in
            !tenant.value.isGUID && !AuthorityKind.areManyTenants(tenant.value)
        }
        let host = try one("tenants", hosts, draft)
        let name = try one("tenants", tenants.filter(isName), draft)
        let id = try one("tenants", tenants.filter { !isName($0) }, draft)
        _ = try one("tenants", wholeTenants, draft)
        guard whole.isEmpty else {
            for address in whole { draft.take(address: address, from: hosts[0].label) }
            return
        }
        // Workforce tenants are in `TenantId`, B2C tenants in `Domain`.
        let tenant = kind?.traits.hasPolicies ?? false ? name ?? id : id ?? name
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
        // Graph accepts no token for another API.
        let isOtherGraph =
            address.host == "graph.microsoft.com"
            && draft.scopes.contains { scope in
                scope.contains("://") && !scope.hasPrefix("https://graph.microsoft.com/")
            }
        guard !isOtherGraph, apis.allSatisfy({ $0.address == address }) else {
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
    /// that the file gives, below objects that it has, says nothing new.
    func isUnclear(among names: Set<String>, in groups: Set<String>) -> Bool {
        let isKnown = { (reference: Substring) in
            let parts = reference.split { ".!?".contains($0) || $0.isWhitespace }
                .map { Self.normalized(String($0)) }.filter { !["this", "self", ""].contains($0) }
            return parts.last.map(names.contains) ?? false && parts.dropLast().allSatisfy(groups.contains)
        }
        switch form {
        case .literal: return isPlaceholder
        case .template:
            let gaps = text.matches(of: /\{+([^{}]*)\}|\\\(([^()]*)\)|\$\(([^()]*)\)|<([^<>]*)>|\$([A-Za-z_]\w*)/)
            // Another policy than that of a name.
            if AuthorityKind.ofPolicies(text.split(separator: "/").suffix(1).map(String.init)) != nil { return true }
            return gaps.contains { gap in
                let reference = gap.1 ?? gap.2 ?? gap.3 ?? gap.5 ?? ""
                return reference.allSatisfy(\.isNumber) && gap.4 == nil ? false : !isKnown(reference)
            }
        case .expression:
            let isOne = text.allSatisfy { $0.isLetter || $0.isNumber || "._$!?".contains($0) }
            return !(isOne && isKnown(text[...]) || isTypeOrNothing)
        }
    }

    // The type of a parameter, no value, or a call that may fail and therefore is no constant.
    private var isTypeOrNothing: Bool {
        text.hasPrefix("try ")
            || text.wholeMatch(
                of: /nil|null|undefined|None|true|false|(?:string|str|any|URL|[A-Z]\w*[a-z]\w*)(?:[?!]|\s*\|\s*\w+)*/)
                != nil
    }

    // `YOUR_TENANT_ID`, `Enter_the_Tenant_Info_Here`, and GUIDs of documentation such as aaaabbbb-0000-cccc-….
    private var isPlaceholder: Bool {
        let text = text.lowercased()
        if text.isGUID {
            let digits = Array(text.utf8.filter(\.isAlphanumeric))
            return stride(from: 0, to: digits.count, by: 4).allSatisfy { Set(digits[$0..<($0 + 4)]).count == 1 }
        }
        return text.contains(
            /(?:^|[^a-z])(?:your|(?:enter|insert|replace|placeholder|tenant[-_]?(?:name|id))(?![a-z])|change_?me|xxx)|_here/
        )
    }
}
