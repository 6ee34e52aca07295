import Susi

/// What the file of an application says about its tenant, with the place of each value.
struct TenantFacts {
    struct Found<Value> {
        let value: Value
        let label: String
        var isDefault = false
    }

    private typealias Named = (setting: Setting, meaning: SettingMeaning, section: String)

    // The parts of a tenant's address in one section.
    private struct Section {
        var hasHost = false
        var domains: [Setting] = []
        var ids: [Setting] = []

        // Two different values are a contradiction already.
        mutating func add(_ setting: Setting, to names: WritableKeyPath<Section, [Setting]>) {
            let known = self[keyPath: names]
            if known.count < 2, known.first?.text != setting.text { self[keyPath: names].append(setting) }
        }
    }

    private(set) var clientIDs: [Found<String>] = []
    /// What shows that the client ids are those of a server or an API.
    private(set) var owners: [String] = []
    private(set) var authorities: [Found<AddressReading>] = []
    private(set) var policies: [Found<ApplicationDraft.DraftPolicy>] = []
    private(set) var redirects: [String] = []
    private(set) var apis: [Found<ApplicationDraft.DraftAPI>] = []
    private(set) var scopes: [String] = []
    // Whether a domain without a section is one of Auth0.
    private var isOfAuth0 = false
    /// The kind, where the addresses do not show it.
    private(set) var kind: AuthorityKind?
    /// The values that the file names and does not say. A final one is not replaced by another literal.
    private(set) var unclear: [(need: ApplicationDraft.Need, reason: String, isFinal: Bool)] = []

    var isEmpty: Bool { clientIDs.isEmpty && authorities.isEmpty && policies.isEmpty && unclear.isEmpty }

    /// Reads the settings of a file. In source code, only whole addresses count.
    init(_ settings: [Setting], named file: String, isSource: Bool) {
        var (named, sections) = ([Named](), [String: Section]())
        for setting in settings where !setting.text.isEmpty {
            guard let (meaning, section) = SettingMeaning.of(setting) else {
                if isSource { readAddress(setting, mustShowForm: true) } else { readAPI(setting) }
                continue
            }
            named.append((setting, meaning, section))
            switch meaning {
            case .instance: sections[section, default: Section()].hasHost = true
            case .domain: sections[section, default: Section()].add(setting, to: \.domains)
            case .tenantID: sections[section, default: Section()].add(setting, to: \.ids)
            default: continue
            }
        }
        let name = Setting.normalized(file.split(separator: "/").last.map(String.init) ?? "")
        isOfAuth0 = name.contains("auth0") || name == "authconfigjson"
        for entry in named {
            switch entry.meaning {
            case .instance, .domain, .tenantID, .audience, .policy: if isSource { continue }
            case .clientID, .secret, .redirect, .authority, .metadata: break
            }
            read(entry, among: sections[entry.section] ?? Section())
        }
        // Only servers have these files.
        let serverFiles = [
            "applicationyml", "applicationyaml", "applicationproperties", "localsettingsjson", "webconfig",
        ]
        if serverFiles.contains(name) { owners.append(file) }
    }

    private mutating func read(_ entry: Named, among section: Section) {
        let (setting, meaning, names) = entry
        if let need = meaning.need, !setting.isWhole || setting.isPlaceholder && !isFormat(entry) {
            let text = "\(setting.text.prefix(80))\(setting.isWhole ? "" : " …")"
            return unclear.append((need, "\(setting.label): \(text)", !setting.isReplaceable))
        }
        switch meaning {
        case .clientID: clientIDs.append(Found(value: setting.text, label: setting.label))
        case .secret: owners.append(setting.label)
        case .redirect: if setting.isWhole, !setting.isTemplate { redirects.append(setting.text) }
        case .authority: readAddress(setting, mustShowForm: false)
        case .metadata: readAddress(setting, mustShowForm: true)
        case .instance: readInstance(entry, among: section)
        case .domain, .tenantID:
            let ofAuth0 = names.isEmpty && isOfAuth0 ? "auth0" : names
            if !section.hasHost { add(setting, at: Self.address(ofTenant: setting.text, in: ofAuth0)) }
        case .audience:
            let words = [
                "AzureADMultipleOrgs": "organizations", "PersonalMicrosoftAccount": "consumers",
                "AzureADandPersonalMicrosoftAccount": "common",
            ]
            if let word = words[setting.text] { add(setting, at: AuthorityKind.entra.address(ofTenant: word)) }
        case .policy(let kind):
            policies.append(Found(value: .init(name: PolicyName(setting.text), kind: kind), label: setting.label))
        }
    }

    // MARK: Addresses

    private mutating func add(_ setting: Setting, at address: WebAddress?, label: String? = nil) {
        guard let address, let reading = try? AddressReading(address.spelling, seesOldAddresses: true) else {
            return unclear.append((.tenant, "\(setting.label) has no host", false))
        }
        authorities.append(Found(value: reading, label: label ?? setting.label))
    }

    private mutating func readAddress(_ setting: Setting, mustShowForm: Bool) {
        let reading = setting.isTemplate ? nil : try? AddressReading(setting.text, seesOldAddresses: true)
        guard let reading, reading.isAuthority || !mustShowForm && reading.kind == nil else {
            if !mustShowForm { unclear.append((.tenant, "\(setting.label): \(setting.text.prefix(80))", false)) }
            return
        }
        guard setting.isWhole, !setting.isPlaceholder else {
            let text = "\(setting.text.prefix(80))\(setting.isWhole ? "" : " …")"
            return unclear.append((.tenant, "\(setting.label): \(text)", true))
        }
        authorities.append(Found(value: reading, label: setting.label, isDefault: setting.isDefault))
        if let id = reading.clientID { clientIDs.append(Found(value: id, label: setting.label)) }
    }

    // An old `AadInstance` is `https://HOST/tfp/{0}/{1}`.
    private func isFormat(_ entry: Named) -> Bool {
        guard case .instance = entry.meaning else { return false }
        return entry.setting.text.contains(/^https:\/\/[\w.:-]+\/(?:tfp\/)?\{0\}/)
    }

    // A host with the tenant of its section: B2C's is in `Domain`, a workforce's in `TenantId`.
    private mutating func readInstance(_ entry: Named, among section: Section) {
        let setting = entry.setting
        guard
            let host = (try? WebAddress(String(setting.text.prefix { $0 != "{" }))).flatMap({
                try? WebAddress($0.origin)
            })
        else { return unclear.append((.tenant, "\(setting.label) is not an address", true)) }
        let own = AuthorityKind.ofServiceHost(host) ?? (entry.section.contains("b2c") ? .b2c : nil)
        kind = kind ?? own
        let hasPolicies = own?.traits.hasPolicies ?? false
        let (first, second) = hasPolicies ? (section.domains, section.ids) : (section.ids, section.domains)
        let tenants = first.isEmpty ? second : first
        if tenants.isEmpty {
            // A host of External ID names its tenant.
            if (try? AddressReading(host.spelling))?.tenant != nil { return add(setting, at: host) }
            unclear.append((.tenant, "\(setting.label) has no tenant", false))
        }
        for tenant in tenants where !tenant.isPlaceholder {
            add(setting, at: host.appending(tenant.text), label: "\(setting.label), \(tenant.label)")
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
        guard ["DownstreamApi", "DownstreamApis"].contains(setting.path.first) else { return }
        if setting.path.last == "Scopes" {
            scopes += setting.text.split { $0.isWhitespace || $0 == "," }.map(String.init)
        } else if setting.path.last == "BaseUrl", let address = try? WebAddress(setting.text), address.isSecure {
            let name = setting.path.dropLast().last ?? "api"
            apis.append(Found(value: .init(name: name, baseURL: address), label: setting.label))
        }
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
