import Susi

/// A value of a file, with its place.
struct Fact {
    let meaning: SettingMeaning
    let value: String
    let label: String
    /// The address of an authority.
    var reading: AddressReading?
    /// The name of the tenant whose ID it is, if the same section says it.
    var tenantName: String?
    /// Whether the file marks it as the default one of several.
    var isDefault = false
    /// Whether it is from source code or another text, of which nothing is used before a person confirms it.
    let isOfText: Bool

    /// The policy, of a kind that the setting or the policy's own name shows.
    var policy: ApplicationDraft.DraftPolicy? {
        guard case .policy(let kind) = meaning else { return nil }
        return ApplicationDraft.DraftPolicy(name: PolicyName(value), kind: kind ?? PolicyKind(guessing: value))
    }
}

/// What a file says about the registration of an application and its tenant.
struct SourceFacts {
    let file: String
    let isText: Bool
    /// Whether a page uses it: the code is that of MSAL.js.
    let isPage: Bool
    /// Whether it is that of an ASP.NET Core program without an address for sign-ins, as APIs have it.
    private(set) var mayBeAPI = false
    /// What shows that it is that of a server or an API.
    var owner: String?
    var isAPI = false
    private(set) var facts: [Fact] = []
    /// The kinds that names of sections and hosts show.
    private(set) var kinds: [(value: AuthorityKind, label: String)] = []
    private(set) var apis: [(value: ApplicationDraft.DraftAPI, label: String)] = []
    private(set) var apiScopes: [String] = []
    /// The values that the file names and does not say. A final one is not replaced by another literal.
    private(set) var unclear: [(need: DraftNeed, reason: String, isFinal: Bool)] = []
    /// Values under other names that look like those that are needed.
    private(set) var hints: [String] = []
    private(set) var notUsed: [String] = []
    /// Whether names or values are those of B2C.
    let isOfB2C: Bool

    var clientIDs: [Fact] { facts.filter { $0.meaning == .clientID } }
    /// The audiences of its API; of `api://GUID`, the GUID.
    var audiences: [Fact] { facts.filter { $0.meaning == .audience } }
    var redirects: [String] { facts.filter { $0.meaning == .redirect }.map(\.value) }
    var isEmpty: Bool { facts.isEmpty && owner == nil && unclear.isEmpty && hints.isEmpty && notUsed.isEmpty }

    private typealias Part = (meaning: SettingMeaning, setting: Setting)

    // Only servers have these files.
    private static let serverFiles = [
        "applicationyml", "applicationyaml", "applicationproperties", "localsettingsjson", "webconfig",
    ]

    /// Whether it may be that of a client; a page may have its client ID in a file of variables.
    func isOf(_ id: String?) -> Bool {
        owner == nil && (clientIDs.isEmpty || clientIDs.contains { $0.value.lowercased() == id?.lowercased() })
    }

    /// Reads the settings of a file. In text, a part of an address may be put together with others, and does not count.
    init(_ settings: [Setting], of file: String, isText: Bool, isPage: Bool = false) {
        (self.file, self.isText, self.isPage) = (file, isText, isPage)
        let texts = settings.map { "\($0.name) \($0.text)".lowercased() }
        isOfB2C = texts.contains { $0.contains("b2c") } && !texts.contains { $0.contains("ciamlogin") }
        mayBeAPI =
            settings.contains { $0.name.hasPrefix("azuread") && $0.name.hasSuffix("instance") }
            && !settings.contains { $0.names.last?.lowercased() == "callbackpath" }
        let own = Set(settings.filter { $0.authority(mustShowForm: true)?.kind != nil }.map { $0.path.dropLast() })
        var sections: [String: [Part]] = [:]
        for setting in settings where !setting.text.isEmpty {
            let isOwn = !isText && setting.path.count > 1 && own.contains(setting.path.dropLast())
            if setting.state == .block {
                notUsed.append("\(setting.label): \(setting.text)")
            } else if !readAPI(setting) {
                let known = SettingMeaning.of(setting) ?? (isOwn ? SettingMeaning.of(setting, inOwnSection: true) : nil)
                guard let (meaning, section) = known else {
                    readOther(setting)
                    continue
                }
                if [.host, .domain, .tenantID].contains(meaning) {
                    if isText { hint(setting) } else { sections[section, default: []].append((meaning, setting)) }
                } else {
                    read(setting, meaning)
                }
            }
        }
        let name = Setting.normalized(file.split(separator: "/").last.map(String.init) ?? "")
        let isOfAuth0 = name.contains("auth0") || name == "authconfigjson"
        for (section, parts) in sections.sorted(by: { $0.key < $1.key }) {
            let section = section.isEmpty && isOfAuth0 ? "auth0" : section
            if !noteOpen(parts, of: section) { read(parts, of: section) }
        }
        owner = owner ?? secret(in: settings)?.label
        if Self.serverFiles.contains(name) { owner = owner ?? file }
        // Whatever the value is, it is not susi's.
        if owner != nil {
            hints += unclear.filter { $0.need == .clientID }.map(\.reason)
            unclear.removeAll { $0.need == .clientID }
        }
    }

    // A secret under another name says something about the client ID beside it alone: `IDP_CLIENT_SECRET`.
    private func secret(in settings: [Setting]) -> Setting? {
        guard !unclear.contains(where: { $0.need == .clientID }) else { return nil }
        let ids = Set(clientIDs.map(\.label))
        guard !ids.isEmpty || facts.contains(where: { $0.reading != nil }) else { return nil }
        let named = settings.filter { $0.name.hasSuffix("clientid") && (ids.isEmpty || ids.contains($0.label)) }
        let names = Set(named.map(\.name))
        return settings.first { setting in
            let end = ["clientsecret", "clientcredential", "sharedsecret"].first(where: setting.name.hasSuffix)
            return end.map { names.contains("\(setting.name.dropLast($0.count))clientid") } ?? false
        }
    }

    private mutating func add(_ setting: Setting, _ meaning: SettingMeaning, _ value: String? = nil) {
        facts.append(
            Fact(
                meaning: meaning, value: value ?? setting.text, label: setting.label, isDefault: setting.isDefault,
                isOfText: isText))
    }

    private mutating func hint(_ setting: Setting) {
        let isNamed = setting.name.hasSuffix("settingname")
        hints.append("\(setting.label): \(isNamed ? "named by the setting \(setting.text)" : setting.quoted())")
    }

    private mutating func note(_ setting: Setting, _ need: DraftNeed = .tenant, _ problem: String? = nil) {
        let text = "\(setting.label)\(problem ?? ": \(setting.quoted(80))")"
        unclear.append((need, text, setting.state != .reference))
    }

    // MARK: Single values

    private mutating func read(_ setting: Setting, _ meaning: SettingMeaning) {
        if let need = meaning.need, setting.state != .literal || setting.isPlaceholder {
            return note(setting, need)
        }
        switch meaning {
        case .clientID: add(setting, .clientID)
        case .secret: owner = owner ?? setting.label
        case .api:
            (owner, isAPI) = (owner ?? setting.label, true)
            addAudiences(setting, ofGUIDs: true)
        case .audience: addAudiences(setting, ofGUIDs: false)
        case .redirect: if setting.state == .literal, setting.text.contains(":") { add(setting, .redirect) }
        case .authority: readAddress(setting, mustShowForm: false)
        case .metadata: readAddress(setting, mustShowForm: true)
        case .policy(let kind):
            // Any other setting may be named `policy`.
            let isOfB2C = AuthorityKind.b2c.allows(policy: setting.text)
            if isOfB2C || kind != nil && !isText {
                add(setting, meaning)
            } else if kind != nil {
                leaveOut(setting, "not a name of a B2C policy")
            }
        case .scope: readScopes(setting)
        case .apiAddress where setting.authority(mustShowForm: true) != nil: readAddress(setting, mustShowForm: true)
        case .apiAddress where setting.state == .literal && !setting.isPlaceholder && setting.text.contains("/"):
            add(setting, .apiAddress)
        case .apiAddress: if setting.text.contains("/") { leaveOut(setting, "an API needs --api and --scope") }
        case .host, .domain, .tenantID: break
        }
    }

    private mutating func leaveOut(_ setting: Setting, _ why: String) {
        if setting.state == .literal { notUsed.append("\(setting.label): \(setting.quoted()): \(why)") }
    }

    private mutating func addAudiences(_ setting: Setting, ofGUIDs: Bool) {
        guard setting.state == .literal, !setting.isPlaceholder else { return }
        for text in setting.text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let id = text.lowercased().replacing("api://", with: "")
            if id.isGUID || !ofGUIDs { add(setting, .audience, id.isGUID ? id : String(text)) }
        }
    }

    // The scopes that name their API, which is one of the tenant.
    private mutating func readScopes(_ setting: Setting) {
        guard !setting.isPlaceholder else { return }
        for text in setting.text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let scope = Setting(path: setting.path, text: text, line: setting.line, state: setting.state)
            if scope.isScope {
                add(setting, .scope, String(text))
            } else if !OpenIDScopes.all.contains(String(text)) {
                let why = scope.isComputed ? "it is computed" : "it names no API of the tenant"
                notUsed.append("\(setting.label): \(text): \(why); use --api and --scope")
            }
        }
    }

    // A value under an unknown name: only its form says what it is.
    private mutating func readOther(_ setting: Setting) {
        if setting.name.contains("identityexperienceframework") || setting.name.hasSuffix("secret") {
            return
        } else if setting.isComputed || setting.state != .literal {
            if setting.isOfMicrosoft, setting.text.contains("://") {
                note(setting)
            } else if setting.isNamed || setting.isHint {
                hint(setting)
            }
        } else if setting.isListOfScopes {
            readScopes(setting)
        } else if let key = setting.path.last, Setting(path: [], text: key, line: 0).isScope {
            // OpenAPI has the scopes as names of their descriptions.
            add(setting, .scope, key)
        } else if !isText, setting.text.hasPrefix("/"), let name = setting.policyName {
            add(setting, .policy(nil), name)
        } else if let reading = setting.authority(mustShowForm: true), reading.kind != nil {
            readAddress(setting, mustShowForm: true)
        } else if setting.text.hasPrefix("https://graph.microsoft.com/"), setting.text.hasSuffix("/.default") {
            leaveOut(setting, "it names no API of the tenant; use --api and --scope")
        } else if setting.isNamed || setting.isHint {
            hint(setting)
        }
    }

    private mutating func readAddress(_ setting: Setting, mustShowForm: Bool) {
        guard let reading = setting.authority(mustShowForm: mustShowForm) else {
            return mustShowForm && !setting.text.contains(".well-known") && !setting.isOfMicrosoft
                ? hint(setting)
                : unclear.append((.tenant, "\(setting.label): \(setting.quoted(80)): \(setting.complaint)", false))
        }
        guard reading.base.isSecure else {
            return unclear.append((.tenant, "\(setting.label): \(setting.quoted(80)): it is not encrypted", true))
        }
        add(setting, .authority)
        facts[facts.count - 1].reading = reading
        if let id = reading.clientID { add(setting, .clientID, id) }
        if let id = setting.text.firstMatch(of: /[?&]appid=([\w-]+)/)?.1 {
            notUsed.append("\(setting.label): appid=\(id): the application of the keys may be another one")
        }
    }

    // MARK: Parts of an address

    // Notes the parts of a section that the file does not say. An old `AadInstance` is `https://HOST/tfp/{0}/{1}`. Without a
    // host, a name alone makes no address that another one could replace.
    private mutating func noteOpen(_ parts: [Part], of section: String) -> Bool {
        let open = parts.map(\.setting).filter { part in
            (part.state != .literal || part.isPlaceholder)
                && !part.text.contains(/^https:\/\/[\w.:-]+\/(?:tfp\/)?\{0\}/)
        }
        for part in open {
            let named = Setting(path: part.path, text: "contoso.onmicrosoft.com", line: part.line)
            let isPart = !parts.contains { $0.meaning == .host } && Self.address(ofTenant: named, in: section) == nil
            note(part)
            if isPart { unclear[unclear.count - 1].isFinal = false }
        }
        return !open.isEmpty
    }

    private mutating func add(_ setting: Setting, at address: WebAddress?, label: String? = nil) {
        guard let address, let reading = try? AddressReading(address.spelling) else {
            return unclear.append((.tenant, "\(setting.label) has no host: \(setting.text)", false))
        }
        facts.append(
            Fact(
                meaning: .authority, value: reading.text, label: label ?? setting.label, reading: reading,
                isOfText: isText))
    }

    // A host with the tenant of its section: B2C's is in `Domain`, a workforce's in `TenantId`.
    private mutating func read(_ parts: [Part], of section: String) {
        // Two different values are a contradiction already.
        let values = { (meaning: SettingMeaning) in
            let own = parts.filter { $0.meaning == meaning }.map(\.setting)
            return own.prefix(1) + own.filter { $0.text != own[0].text }.prefix(1)
        }
        let (hosts, domains, ids) = (values(.host), values(.domain), values(.tenantID))
        for id in ids where id.text.isGUID {
            add(id, .tenantID, id.text.lowercased())
            facts[facts.count - 1].tenantName = domains.first?.text
        }
        if hosts.isEmpty {
            for tenant in domains + ids { add(tenant, at: Self.address(ofTenant: tenant, in: section)) }
        }
        for setting in hosts {
            guard let address = try? WebAddress(String(setting.text.prefix { $0 != "{" })),
                let host = try? WebAddress(address.origin)
            else {
                note(setting, .tenant, " is not an address")
                continue
            }
            let service = AuthorityKind.ofServiceHost(host)
            if address.segments.first == "tfp", service.map({ !$0.traits.hasPolicies }) ?? false {
                note(setting, .tenant, " is an old host of B2C: the tenant is at https://NAME.b2clogin.com")
                continue
            }
            let kind = service ?? (section.contains("b2c") ? .b2c : nil)
            // The service gives each tenant the host with its name.
            let own = domains.compactMap { AuthorityKind.b2c.address(ofTenant: $0.text)?.host }
            if service?.traits.hasPolicies ?? false, !own.isEmpty, !own.contains(host.host) {
                note(setting, .tenant, " and \(domains[0].label) are of different tenants")
                continue
            }
            if let kind { kinds.append((kind, setting.label)) }
            let (first, second) = kind?.traits.hasPolicies ?? false ? (domains, ids) : (ids, domains)
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

    // The address that a documented library makes of a tenant alone: Auth0's, NextAuth, Spring, MSAL for Android, and the
    // editor extension for custom policies. ASP.NET makes none: it demands `Instance`.
    private static func address(ofTenant setting: Setting, in section: String) -> WebAddress? {
        let name = setting.text
        if section.hasSuffix("auth0") { return try? WebAddress("https://\(name)/") }
        let ofB2C = ["azureadb2ctenantname", "azureactivedirectoryb2ctenant", "environmentstenant"]
        if ofB2C.contains(where: setting.name.hasSuffix), !name.isGUID {
            return AuthorityKind.b2c.address(ofTenant: name.contains(".") ? name : "\(name).onmicrosoft.com")
        }
        let isEntra = ["activedirectoryprofile", "authoritiesaudience"].contains(where: section.hasSuffix)
        let isOfNextAuth = section.hasSuffix("azuread") && setting.names.count == 1
        return isEntra || isOfNextAuth ? AuthorityKind.entra.address(ofTenant: name) : nil
    }

    // An API that a program calls through Microsoft.Identity.Web.
    private mutating func readAPI(_ setting: Setting) -> Bool {
        guard !isText, setting.names.first?.hasPrefix("Downstream") ?? false else { return false }
        if setting.names.last == "Scopes" {
            apiScopes += setting.text.split { $0.isWhitespace || $0 == "," }.map(String.init)
        } else if setting.names.last == "BaseUrl", let address = try? WebAddress(setting.text), address.isSecure {
            let name = setting.names.dropLast().last ?? "api"
            apis.append((.init(name: name, baseURL: address), setting.label))
        }
        return true
    }

    /// Marks the settings of an API by the scopes that a page requests: they name it by its client ID, or it is the only one.
    static func findAPI(in all: inout [SourceFacts]) {
        let scopes = all.flatMap { $0.facts.filter { $0.meaning == .scope } }
        let programs = all.indices.filter { all[$0].mayBeAPI && all[$0].owner == nil }
        if programs.count == 1, all.contains(where: \.isPage), let scope = scopes.first {
            (all[programs[0]].owner, all[programs[0]].isAPI) = (scope.label, true)
        }
        for index in all.indices where !all[index].isText && all[index].owner == nil {
            let ids = all[index].clientIDs.map { "/\($0.value.lowercased())/" }
            let scope = scopes.first { scope in scope.isOfText && ids.contains(where: scope.value.lowercased().contains)
            }
            if let scope { (all[index].owner, all[index].isAPI) = (scope.label, true) }
        }
    }
}
