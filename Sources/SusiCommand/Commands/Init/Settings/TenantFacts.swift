import Susi

/// What the files of an application say about its tenant, with the place of each value.
struct TenantFacts {
    struct Found<Value> {
        let value: Value
        let label: String
        var isDefault = false
    }

    /// The registration of the application that a file is for.
    struct Registration {
        let file: String
        let isSource: Bool
        var clientIDs: [Found<String>] = []
        /// The audiences of its API; of `api://GUID`, the GUID.
        var audiences: [Found<String>] = []
        /// What shows that it is that of a server or an API.
        var owner: String?
        var isAPI = false
        /// Whether it is that of an ASP.NET Core program without an address for sign-ins, as APIs have it.
        var mayBeAPI = false
        /// Whether a page uses it: the code is that of MSAL.js.
        var isPage = false
        var redirects: [String] = []

        /// Whether it may be that of a client; a page may have its client ID in a file of variables.
        func isOf(_ id: String?) -> Bool {
            owner == nil
                && (clientIDs.isEmpty || clientIDs.contains { $0.value.lowercased() == id?.lowercased() })
        }
    }

    private typealias Part = (kind: SettingMeaning.Part, setting: Setting, isOpen: Bool)

    private(set) var registrations: [Registration] = []
    private(set) var authorities: [Found<AddressReading>] = []
    /// The kinds that names of sections and hosts show.
    private(set) var kinds: [Found<AuthorityKind>] = []
    private(set) var policies: [Found<ApplicationDraft.DraftPolicy>] = []
    private(set) var apis: [Found<ApplicationDraft.DraftAPI>] = []
    private(set) var scopes: [String] = []
    /// The IDs of tenants that an address names otherwise.
    private(set) var tenantIDs: Set<String> = []
    /// The scopes in source code, which does not say the API's address.
    private(set) var pageScopes: [Found<String>] = []
    /// The values that a file names and does not say. A final one is not replaced by another literal.
    private(set) var unclear: [(need: ApplicationDraft.Need, reason: String, isFinal: Bool)] = []

    var isEmpty: Bool {
        registrations.allSatisfy { ($0.clientIDs + $0.audiences).isEmpty && $0.owner == nil } && authorities.isEmpty
            && policies.isEmpty && unclear.isEmpty
    }

    // Only servers have these files.
    private static let serverFiles = [
        "applicationyml", "applicationyaml", "applicationproperties", "localsettingsjson", "webconfig",
    ]

    /// Reads the settings of a file. In source code, only whole addresses count.
    mutating func read(_ settings: [Setting], named file: String, isSource: Bool, isPage: Bool = false) {
        let before = unclear.count
        var (own, sections) = (Registration(file: file, isSource: isSource), [String: [Part]]())
        own.isPage = isPage
        own.mayBeAPI =
            settings.contains { $0.name.hasPrefix("azuread") && $0.name.hasSuffix("instance") }
            && !settings.contains { $0.names.last?.lowercased() == "callbackpath" }
        let name = Setting.normalized(file.split(separator: "/").last.map(String.init) ?? "")
        for setting in settings where !setting.text.isEmpty {
            guard let (meaning, section) = SettingMeaning.of(setting) else {
                guard isSource else {
                    readAPI(setting)
                    continue
                }
                if setting.isScope { pageScopes.append(Found(value: setting.text, label: setting.label)) }
                readAddress(setting, mustShowForm: true, &own)
                continue
            }
            if isSource, !meaning.countsInSource { continue }
            let isOpen = isOpen(setting, meaning)
            if case .part(let part) = meaning {
                sections[section, default: []].append((part, setting, isOpen))
            } else if !isOpen {
                read(setting, meaning, &own)
            }
        }
        let isOfAuth0 = name.contains("auth0") || name == "authconfigjson"
        for (section, parts) in sections.sorted(by: { $0.key < $1.key }) where !parts.contains(where: \.isOpen) {
            read(parts, of: section.isEmpty && isOfAuth0 ? "auth0" : section)
        }
        if Self.serverFiles.contains(name) { own.owner = own.owner ?? file }
        if own.owner != nil { unclear = unclear[..<before] + unclear[before...].filter { $0.need != .clientID } }
        registrations.append(own)
    }

    // Notes a value that the file does not say.
    private mutating func isOpen(_ setting: Setting, _ meaning: SettingMeaning) -> Bool {
        // An old `AadInstance` is `https://HOST/tfp/{0}/{1}`.
        let isFormat =
            if case .part(.host) = meaning { setting.text.contains(/^https:\/\/[\w.:-]+\/(?:tfp\/)?\{0\}/) } else {
                false
            }
        guard let need = meaning.need, setting.state != .literal || setting.isPlaceholder && !isFormat else {
            return false
        }
        note(setting, need)
        return true
    }

    private mutating func note(_ setting: Setting, _ need: ApplicationDraft.Need = .tenant, _ problem: String? = nil) {
        let text = "\(setting.text.prefix(80))\(setting.state == .expression ? " …" : "")"
        let kind = setting.state == .literal && setting.isPlaceholder ? " is a placeholder" : ""
        unclear.append((need, "\(setting.label)\(problem ?? ": \(text)\(kind)")", setting.state != .reference))
    }

    private mutating func read(_ setting: Setting, _ meaning: SettingMeaning, _ own: inout Registration) {
        switch meaning {
        case .clientID: own.clientIDs.append(Found(value: setting.text, label: setting.label))
        case .secret: own.owner = own.owner ?? setting.label
        case .api:
            (own.owner, own.isAPI) = (own.owner ?? setting.label, true)
            own.audiences += Self.audiences(setting).filter(\.value.isGUID)
        case .audience: own.audiences += Self.audiences(setting)
        case .redirect: if setting.state == .literal, setting.text.contains(":") { own.redirects.append(setting.text) }
        case .authority: readAddress(setting, mustShowForm: false, &own)
        case .metadata: readAddress(setting, mustShowForm: true, &own)
        case .policy(let kind):
            policies.append(Found(value: .init(name: PolicyName(setting.text), kind: kind), label: setting.label))
        case .part: break
        }
    }

    private static func audiences(_ setting: Setting) -> [Found<String>] {
        guard setting.state == .literal, !setting.isPlaceholder else { return [] }
        return setting.text.split { $0 == "," || $0.isWhitespace }.map { text in
            let id = text.lowercased().replacing("api://", with: "")
            return Found(value: id.isGUID ? id : String(text), label: setting.label)
        }
    }

    /// Marks the settings of an API by the scopes that a page requests: they name it by its client ID, or it is the only one.
    mutating func findAPI() {
        let programs = registrations.indices.filter { registrations[$0].mayBeAPI && registrations[$0].owner == nil }
        if programs.count == 1, let index = programs.first, registrations.contains(where: \.isPage),
            let scope = pageScopes.first
        {
            (registrations[index].owner, registrations[index].isAPI) = (scope.label, true)
        }
        for index in registrations.indices where !registrations[index].isSource && registrations[index].owner == nil {
            let ids = registrations[index].clientIDs.map { "/\($0.value.lowercased())/" }
            let scope = pageScopes.first { scope in ids.contains(where: scope.value.lowercased().contains) }
            if let scope { (registrations[index].owner, registrations[index].isAPI) = (scope.label, true) }
        }
    }

    // MARK: Addresses

    private mutating func add(_ setting: Setting, at address: WebAddress?, label: String? = nil) {
        guard let address, let reading = try? AddressReading(address.spelling) else {
            return unclear.append((.tenant, "\(setting.label) has no host", false))
        }
        authorities.append(Found(value: reading, label: label ?? setting.label))
    }

    private mutating func readAddress(_ setting: Setting, mustShowForm: Bool, _ own: inout Registration) {
        let reading = setting.isTemplate ? nil : try? AddressReading(setting.text, seesOldAddresses: true)
        guard let reading, reading.isAuthority || !mustShowForm && reading.kind == nil else {
            if !mustShowForm { unclear.append((.tenant, "\(setting.label): \(setting.text.prefix(80))", false)) }
            return
        }
        guard setting.state == .literal, !setting.isPlaceholder else { return note(setting) }
        authorities.append(Found(value: reading, label: setting.label, isDefault: setting.isDefault))
        if let id = reading.clientID { own.clientIDs.append(Found(value: id, label: setting.label)) }
    }

    // A host with the tenant of its section: B2C's is in `Domain`, a workforce's in `TenantId`.
    private mutating func read(_ parts: [Part], of section: String) {
        // Two different values are a contradiction already.
        let values = { (kind: SettingMeaning.Part) in
            let own = parts.filter { $0.kind == kind }.map(\.setting)
            return own.prefix(1) + own.filter { $0.text != own[0].text }.prefix(1)
        }
        let (hosts, domains, ids) = (values(.host), values(.domain), values(.id))
        tenantIDs.formUnion(ids.map { $0.text.lowercased() }.filter(\.isGUID))
        if hosts.isEmpty {
            for tenant in domains + ids { add(tenant, at: Self.address(ofTenant: tenant.text, in: section)) }
        }
        for setting in hosts {
            guard let address = try? WebAddress(String(setting.text.prefix { $0 != "{" })),
                let host = try? WebAddress(address.origin)
            else {
                note(setting, .tenant, " is not an address")
                continue
            }
            let kind = AuthorityKind.ofServiceHost(host) ?? (section.contains("b2c") ? .b2c : nil)
            if let kind { kinds.append(Found(value: kind, label: setting.label)) }
            let (first, second) =
                kind?.traits.hasPolicies ?? false ? (domains, ids) : (ids, domains)
            let tenants = first.isEmpty ? second : first
            for tenant in tenants {
                add(setting, at: host.appending(tenant.text), label: "\(setting.label), \(tenant.label)")
            }
            guard tenants.isEmpty else { continue }
            // A host of External ID names its tenant.
            let isWhole = (try? AddressReading(host.spelling))?.tenant != nil
            if isWhole {
                add(setting, at: host)
            } else {
                unclear.append((.tenant, "\(setting.label) has no tenant", false))
            }
        }
    }

    // The address that a documented library makes of a tenant alone: Auth0's, NextAuth, Spring, MSAL for Android.
    private static func address(ofTenant name: String, in section: String) -> WebAddress? {
        if section.hasSuffix("auth0") { return try? WebAddress("https://\(name)/") }
        if ["azureadb2c", "azureactivedirectoryb2c"].contains(where: section.hasSuffix), !name.isGUID {
            return AuthorityKind.b2c.address(ofTenant: name.contains(".") ? name : "\(name).onmicrosoft.com")
        }
        let isEntra = ["azuread", "activedirectoryprofile", "authoritiesaudience"].contains(where: section.hasSuffix)
        return isEntra ? AuthorityKind.entra.address(ofTenant: name) : nil
    }

    // An API that a program calls through Microsoft.Identity.Web.
    private mutating func readAPI(_ setting: Setting) {
        guard ["DownstreamApi", "DownstreamApis"].contains(setting.names.first) else { return }
        if setting.names.last == "Scopes" {
            scopes += setting.text.split { $0.isWhitespace || $0 == "," }.map(String.init)
        } else if setting.names.last == "BaseUrl", let address = try? WebAddress(setting.text), address.isSecure {
            let name = setting.names.dropLast().last ?? "api"
            apis.append(Found(value: .init(name: name, baseURL: address), label: setting.label))
        }
    }
}

extension Setting {
    /// Whether it is a scope of an API that the tenant registers: below `api://` or the tenant's name.
    fileprivate var isScope: Bool {
        state == .literal && text.contains(/^(?:api:\/|https:\/\/[\w-]+\.onmicrosoft\.com)(?:\/[\w.-]+){2,}$/)
    }
}

extension AddressReading {
    /// Whether the form alone shows that the address is one of an authority: a tenant of the service, or the metadata of
    /// any provider.
    fileprivate var isAuthority: Bool {
        guard kind != nil else { return role == .configuration }
        guard let tenant, AuthorityKind.isTenant(tenant) else { return false }
        return rest.count - base.segments.count <= (form == .path || form == .tfp ? 1 : 0)
    }
}
