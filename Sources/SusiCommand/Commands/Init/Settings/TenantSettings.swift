import Susi

/// The settings of one application, and what they say about its tenant.
struct TenantSettings {
    private typealias Found = (setting: ReadSetting, fact: TenantSetting)

    private let file: SettingsFile
    private let source: String
    private var found: [Found]

    /// Selects the application of the draft's client id or kind, if the file has several. Throws if it has none, or
    /// several that the draft does not distinguish.
    init(_ file: SettingsFile, named source: String, for draft: ApplicationDraft) throws {
        self.file = file
        self.source = source
        found = file.values.compactMap { setting in TenantSetting(setting).map { (setting, $0) } }
        let says = found.contains { found in
            switch found.fact {
            case .clientID, .address, .host, .tenant, .policy: true
            case .kind, .redirect, .scopes, .api, .secret: false
            }
        }
        guard says || mayDependOnOthers else {
            throw SusiError(
                .invalidConfiguration, "“\(source)” has no client ID and no tenant",
                why: "expected settings for MSAL or ASP.NET Core, a Postman or Insomnia file, variables or source code",
                next: "give an address from the portal instead; susi help init shows examples")
        }
        try select(draft)
    }

    private var mayDependOnOthers: Bool { file.unknown.contains { Self.isNeeded($0.path) } }

    // Whether the name of a setting without a known value says that it is one that is needed.
    private static func isNeeded(_ path: [String]) -> Bool {
        ["name", "https://host.example/name"].contains { text in
            switch TenantSetting(ReadSetting(path: path, text: text)) {
            case .clientID, .address, .host, .tenant, .policy: true
            case .kind, .redirect, .scopes, .api, .secret, nil: false
            }
        }
    }

    // MARK: Several applications

    private var clientIDs: [(id: String, setting: ReadSetting)] {
        var ids: [(id: String, setting: ReadSetting)] = []
        for (setting, fact) in found {
            guard case .clientID(let id) = fact, !ids.contains(where: { $0.id.lowercased() == id.lowercased() }) else {
                continue
            }
            ids.append((id, setting))
            // More are refused.
            if ids.count > ApplicationDraft.most { break }
        }
        return ids
    }

    // The settings of the other applications are those in the same objects as their client ids.
    private mutating func select(_ draft: ApplicationDraft) throws {
        let all = clientIDs
        guard all.count > 1 else { return }
        guard all.count <= ApplicationDraft.most else {
            throw UsageError(
                "“\(source)” has more than \(ApplicationDraft.most) applications",
                next: "give an address from the portal instead; susi help init shows examples")
        }
        let parts = all.map { part(of: $0, among: all) }
        let fitting = all.indices.filter { index in
            if let id = draft.clientID { return id.lowercased() == all[index].id.lowercased() }
            return draft.kind.map { $0 == Self.kind(of: parts[index]) } ?? false
        }
        guard fitting.count == 1 else {
            let names = all.map { "\($0.setting.label) (\($0.id))" }
            throw UsageError(
                "“\(source)” has \(all.count) applications", why: names.joined(separator: ", "),
                next: "\(draft.again.option("--client-id", "ID"))")
        }
        found = parts[fitting[0]]
    }

    private func part(of own: (id: String, setting: ReadSetting), among all: [(id: String, setting: ReadSetting)])
        -> [Found]
    {
        let others = all.filter { $0.id != own.id }.map { Array($0.setting.path.dropLast()) }
        return found.filter { setting, fact in
            if case .clientID(let id) = fact { return id.lowercased() == own.id.lowercased() }
            return !others.contains { other in
                !other.isEmpty && setting.path.starts(with: other) && !own.setting.path.starts(with: other)
            }
        }
    }

    // MARK: The draft

    /// Adds the settings to a draft, with the place of each.
    func fill(_ draft: inout ApplicationDraft) throws {
        draft.sourceName = source
        if draft.kind == nil { draft.found.kind = Self.kind(of: found) }
        for (setting, fact) in found {
            switch fact {
            case .clientID(let id): draft.take(clientID: id, from: setting.label)
            case .policy(let name, let kind): draft.take(policy: name, kind, from: setting.label)
            case .redirect(let address): draft.take(redirectAddress: address)
            case .secret: draft.leaveOut(setting.label)
            case .kind, .address, .host, .tenant, .scopes, .api: continue
            }
        }
        try TenantPlace(found, in: file, named: source).fill(&draft)
        takeAPI(&draft)
        draft.unknown = file.unknown.filter { Self.isNeeded($0.path) }.map {
            "\(ReadSetting.label($0.path)) (\($0.reference))"
        }
    }

    // The kind by the policies, else by the type that MSAL's files name, else by the addresses.
    private static func kind(of found: [Found]) -> AuthorityKind? {
        let policies = found.compactMap { if case .policy(let name, _) = $0.fact { name } else { nil } }
        if !policies.isEmpty { return AuthorityKind.allCases.first(where: \.hasPolicies) }
        let kinds = found.compactMap { found -> AuthorityKind? in
            switch found.fact {
            case .address(let address): address.kind
            case .host(let host): AuthorityKind.ofServiceHost(host.secured)
            case .kind(let kind): kind
            case .clientID, .tenant, .policy, .redirect, .scopes, .api, .secret: nil
            }
        }
        let section = found.lazy.flatMap(\.setting.path).compactMap(AuthorityKind.init(section:)).first
        if kinds.contains(where: \.hasPolicies) || section?.hasPolicies ?? false {
            return AuthorityKind.allCases.first(where: \.hasPolicies)
        }
        return kinds.first ?? section
    }

    // The address of an API has scopes in the same object. Of several, one that is named so is taken.
    private func takeAPI(_ draft: inout ApplicationDraft) {
        let all = scopes(below: [])
        let candidates = found.compactMap { setting, fact -> (setting: ReadSetting, address: WebAddress)? in
            guard case .api(let address) = fact, !scopes(below: setting.path.dropLast()).isEmpty else { return nil }
            return (setting, address)
        }
        let named = candidates.filter { ["api", "endpoint"].contains(where: $0.setting.label.lowercased().contains) }
        guard draft.api == nil, let (setting, address) = candidates.count > 1 ? named.first : candidates.first else {
            return draft.take(scopes: all)
        }
        let own = scopes(below: setting.path.dropLast())
        draft.take(scopes: own)
        guard !draft.scopes.isEmpty else { return draft.take(scopes: all) }
        for scope in all where !own.contains(scope) {
            draft.leaveOut("scope \(scope)")
        }
        let outer = setting.path.dropLast().last ?? ""
        let isOwn = SchemaNode.Text.name.allows(outer) && !ReadSetting.isPosition(outer) && Self.isName(outer)
        draft.take(
            api: .init(name: isOwn ? outer : ApplicationDraft.DraftAPI.name(of: address), baseURL: address),
            from: setting.label)
    }

    // Without those of OpenID Connect, which belong to no API.
    private func scopes(below path: ArraySlice<String>) -> [String] {
        found.flatMap { setting, fact -> [String] in
            guard case .scopes(let scopes) = fact, setting.path.starts(with: path) else { return [] }
            return scopes.filter { !OpenIDScopes.all.contains($0) }
        }
    }

    // A name that says more than that it names a configuration.
    private static func isName(_ outer: String) -> Bool {
        let outer = outer.lowercased()
        return !["config", "settings", "environment", "azure", "b2c", "auth", "msal"].contains(where: outer.contains)
    }
}

extension AuthorityKind {
    /// Guesses the kind from the name of a section: `AzureAdB2C`, `EntraExternalId`.
    fileprivate init?(section: String) {
        let name = ReadSetting.normalized(section)
        let found = Self.allCases.first { $0.sectionNames.contains(where: name.contains) }
        guard let found else { return nil }
        self = found
    }
}
