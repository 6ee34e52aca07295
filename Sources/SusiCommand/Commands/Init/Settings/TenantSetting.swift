import Susi

/// What a setting says about a tenant. The value decides where it can; names differ from program to program.
enum TenantSetting {
    /// The kind of authority, as MSAL's files name it.
    case kind(AuthorityKind)
    case clientID(String)
    /// An address with a tenant.
    case address(AddressReading)
    /// A host without a tenant.
    case host(WebAddress)
    /// A tenant without a host: a domain, an id or a word such as `common`.
    case tenant(String)
    case policy(String, PolicyKind?)
    case redirect(String)
    case scopes([String])
    case api(WebAddress)
    /// A secret, which a public client does not have.
    case secret

    /// Reads a setting; returns `nil` if it says nothing about a tenant.
    init?(_ setting: ReadSetting) {
        let (name, text) = (setting.name, setting.text)
        guard !["logout", "signout", "signedout"].contains(where: name.contains), !text.isEmpty else { return nil }
        let found =
            switch setting.form {
            case .expression: nil as TenantSetting?
            case .template: Self.host(beforeGapsOf: text, name)
            case .literal:
                Self.type(setting) ?? Self.credential(setting) ?? Self.redirect(name, text) ?? Self.scopes(setting)
                    ?? Self.policy(setting) ?? Self.address(setting) ?? Self.tenant(name, text)
            }
        guard let found else { return nil }
        self = found
    }

    /// The meaning of the name alone, for a setting without a literal value: one of the four values that a sign-in needs;
    /// `nil` for any other name.
    init?(nameOf setting: ReadSetting) {
        let samples = ["00000000-0000-0000-0000-000000000000", "https://host.example/name", "host.example", "name"]
        let found = samples.lazy.compactMap { sample -> TenantSetting? in
            let setting = TenantSetting(ReadSetting(path: setting.path, text: sample, line: setting.line))
            return setting.flatMap { $0.isNeeded ? $0 : nil }
        }.first
        guard let found else { return nil }
        self = found
    }

    /// Whether a sign-in needs it.
    var isNeeded: Bool {
        switch self {
        case .clientID, .address, .host, .tenant, .policy: true
        case .kind, .redirect, .scopes, .api, .secret: false
        }
    }

    // In the format for Android, an audience replaces the address of a workforce authority.
    private static func type(_ setting: ReadSetting) -> TenantSetting? {
        guard setting.name == "type", setting.isBelow("authorities") else { return nil }
        let audiences = [
            "AzureADMyOrg": "", "AzureADMultipleOrgs": "organizations", "PersonalMicrosoftAccount": "consumers",
            "AzureADandPersonalMicrosoftAccount": "common",
        ]
        if let tenant = audiences[setting.text] {
            return address(
                ReadSetting(
                    path: ["authority"], text: "https://login.microsoftonline.com/\(tenant)", line: setting.line))
        }
        return AuthorityKind.allCases.first { $0.traits.msalType == setting.text.uppercased() }.map { .kind($0) }
    }

    private static func credential(_ setting: ReadSetting) -> TenantSetting? {
        let (name, text) = (setting.name, setting.text)
        // Applications for iOS and macOS have the client id in the scheme of their redirect address.
        if name.hasSuffix("urlschemes"), text.lowercased().hasPrefix("msal"), text.dropFirst(4).lowercased().isGUID {
            return .clientID(String(text.dropFirst(4)))
        }
        if isClient(name) { return .clientID(text) }
        return name.contains("secret") ? .secret : nil
    }

    // Not the id of an API, or of an application at another provider.
    private static func isClient(_ name: String) -> Bool {
        guard !["api", "server", "resource", "google", "facebook", "mock"].contains(where: name.contains) else {
            return false
        }
        let isOurs = name == "appid" || ["azure", "b2c", "aad", "entra", "msal"].contains(where: name.contains)
        return ["clientid", "applicationid"].contains(where: name.hasSuffix) || name.hasSuffix("appid") && isOurs
    }

    private static func redirect(_ name: String, _ text: String) -> TenantSetting? {
        guard name.contains("redirect") || name.hasSuffix("callbackurl"), text.contains("://") else { return nil }
        return .redirect(text)
    }

    // A scope in an address below the tenant's domain, or below the id of an API, is one under any name.
    private static func scopes(_ setting: ReadSetting) -> TenantSetting? {
        let isScope = (try? WebAddress(setting.text)).map { address in
            address.segments.count > 1 && AuthorityKind.isTenantName(address.host)
        }
        guard setting.name.contains("scope") || setting.isBelow("scope") || isScope ?? false else { return nil }
        return .scopes(setting.text.split { $0.isWhitespace || $0 == "," }.map(String.init))
    }

    // A name that begins as those of B2C is one wherever it is; another one only under the name of a policy.
    private static func policy(_ setting: ReadSetting) -> TenantSetting? {
        let name = setting.name
        let text = setting.text.hasSuffix("/") ? String(setting.text.dropLast()) : setting.text
        guard SchemaNode.Text.policyName.allows(text) else { return nil }
        let kind = PolicyKind(guessing: name)
        if AuthorityKind.ofPolicies([text]) != nil { return .policy(text, kind ?? PolicyKind(guessing: text)) }
        let isPolicy = ["policy", "policyid", "policyname"].contains(where: name.hasSuffix) && kind != nil
        return isPolicy || name.hasSuffix("userflow") ? .policy(text, kind) : nil
    }

    // MARK: Addresses

    private static let authorityNames = [
        "authority", "authorities", "authorizationurl", "authorizeurl", "tokenurl", "issuer", "metadata",
        "discovery", "wellknown", "configurationurl",
    ]
    private static let hostNames = [
        "authorityhost", "authoritydomain", "knownauthorit", "b2chost", "adinstance", "b2cinstance", "customdomain",
    ]
    private static let apiNames = [
        "uri", "url", "endpoint", "webapi", "baseaddress", "apiaddress", "apibase",
    ]

    private static func isHost(_ name: String) -> Bool {
        name == "instance" || hostNames.contains(where: name.contains)
    }

    private static func address(_ setting: ReadSetting) -> TenantSetting? {
        let (name, text) = (setting.name, setting.text)
        guard text.contains("://") else { return host(text, isHost: isHost(name)) }
        guard let reading = try? AddressReading(text, seesOldAddresses: true) else { return nil }
        let isService = AuthorityKind.ofServiceHost(reading.base.secured) != nil
        guard isService || isHost(name) || name == "authurl" || authorityNames.contains(where: name.contains) else {
            return api(setting, reading.base)
        }
        let path = reading.base.segments.filter { !["tfp", "te"].contains($0) }
        guard path.isEmpty, reading.tenant == nil || isHost(name) else { return .address(reading) }
        return isService || isHost(name) ? .host(reading.base) : nil
    }

    // `https://contoso.b2clogin.com/tfp/{0}/{1}` has a literal host.
    private static func host(beforeGapsOf text: String, _ name: String) -> TenantSetting? {
        guard let match = text.prefixMatch(of: /https?:\/\/[\w.:-]+\//),
            case .host(let host) = address(
                ReadSetting(path: [isHost(name) ? name : "authority"], text: match.0, line: 0))
        else { return nil }
        return .host(host)
    }

    private static func host(_ text: String, isHost: Bool) -> TenantSetting? {
        guard text.contains("."), let address = try? WebAddress("https://\(text)"), address.segments.isEmpty,
            !AuthorityKind.isTenantName(text)
        else { return nil }
        return isHost || AuthorityKind.ofServiceHost(address) != nil ? .host(address) : nil
    }

    private static func api(_ setting: ReadSetting, _ address: WebAddress) -> TenantSetting? {
        let name = setting.name
        // A program has other addresses too, and its own.
        let isSection = name == "baseurl" && setting.path.count > 1
        guard !name.hasSuffix("url") || name.contains("api") || setting.isBelow("api") || isSection else { return nil }
        // An id of an API is written as an address below the tenant's domain.
        let isOther = ["telemetry", "logo", "analytics", "nextauth"].contains(where: name.contains)
        guard apiNames.contains(where: name.hasSuffix), !isOther, address.isSecure,
            !AuthorityKind.isTenantName(address.host)
        else {
            return nil
        }
        return .api(address)
    }

    // MARK: Tenants

    private static let tenantNames = [
        "tenant", "tenantname", "tenantid", "tenantdomain", "tenantsubdomain", "directoryid",
    ]

    // A tenant's domain under a name with such a word; its id, another domain or a word only under the name of a tenant.
    private static func tenant(_ name: String, _ text: String) -> TenantSetting? {
        let isNamed = ["tenant", "domain", "directory"].contains(where: name.contains) && !name.contains("hint")
        if isNamed, AuthorityKind.isTenantName(text) { return .tenant(text) }
        guard name == "domain" || tenantNames.contains(where: name.hasSuffix), AuthorityKind.isTenant(text) else {
            return nil
        }
        return .tenant(text)
    }
}

extension WebAddress {
    /// The address with https, to compare hosts.
    var secured: WebAddress { (try? WebAddress("https://\(authority)\(path)")) ?? self }

    /// Scheme, host and port.
    var withoutPath: WebAddress { (try? WebAddress(origin)) ?? self }
}
