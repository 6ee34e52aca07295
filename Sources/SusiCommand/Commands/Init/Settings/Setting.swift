import Susi
import SusiBase

/// A value in the configuration or the code of another program.
struct Setting {
    /// The names that lead to it, outermost first; of an element of a list, its number.
    var path: [String]
    var text: String
    var line: Int
    /// The file, where several are read.
    var file: String?
    /// Whether the file marks it as the default one of several.
    var isDefault = false
    var state = State.literal

    /// How the file gives the value.
    enum State {
        case literal
        /// By a name; a literal elsewhere in the file may be the value.
        case reference
        /// By a variable of the program's environment; another file may be that of the variables.
        case variable
        /// In another way, or as one of several.
        case expression
        /// In a block of text, which is not read.
        case block
    }

    init(path: [String], text: some StringProtocol, line: Int, state: State = .literal) {
        (self.path, self.line, self.state) = (path, line, state)
        self.text = DraftSource.trimmed(text, and: "")
    }

    /// The place for messages: `AzureAdB2C.ClientId (line 4)`.
    var label: String { "\(names.joined(separator: ".")) (\(file.map { "\($0), " } ?? "")line \(line))" }

    /// Returns the names of a key: .NET writes a section with colons in keys and with underscores in variables, Java with
    /// dots, Power Pages with slashes.
    static func names(_ key: some StringProtocol) -> [String] {
        let key = String(key)
        return key.contains("://")
            ? [key] : key.replacing("__", with: ":").split { ":./".contains($0) }.map(String.init)
    }

    // Names that contain the variables of a program, and after which each name is that of a variable or a registration.
    private static let containers: Set = [
        "environment", "environmentvariables", "env", "variables", "data", "stringdata", "appsettings", "args",
        "parameters", "dict", "resources", "propertygroup",
    ]
    private static let registrations: Set = ["provider", "registration", "clients"]

    var names: [String] { path.filter { Int($0) == nil } }

    /// The names that say what it is: without the container of a variable, the names that an application of Spring gives
    /// its registrations, and the `value` of a parameter.
    var ownNames: ArraySlice<String> {
        var own = names[...]
        if own.count > 1, ["value", "defaultValue"].contains(own.last) { own.removeLast() }
        if let start = own.dropLast().lastIndex(where: { Self.containers.contains(Self.normalized($0)) }) {
            own = own[(start + 1)...]
        }
        if let start = own.dropLast().lastIndex(where: { Self.registrations.contains($0.lowercased()) }) {
            own = own[(start + 1)...]
            if own.count > 1 { own = own.dropFirst() }
        }
        return own
    }

    /// The names in lower case, without what separates words.
    var name: String { Self.normalized(ownNames.joined()) }

    static func normalized(_ name: String) -> String {
        String(decoding: name.utf8.filter(\.isAlphanumeric), as: UTF8.self).lowercased()
    }

    /// Whether the text has gaps that are filled elsewhere: `https://{tenant}.b2clogin.com`, `%TENANT%`,
    /// `@Microsoft.KeyVault(…)`.
    var isComputed: Bool {
        state == .expression || text.hasPrefix("@Microsoft.") || text.contains(/[{}\\`]|%[@a-zA-Z]|\$[A-Za-z_(]/)
    }

    /// Whether a sample leaves the value to fill in: `YOUR_TENANT_ID`, `Enter_the_Tenant_Info_Here`, or the GUID of a
    /// documentation such as aaaabbbb-0000-cccc-….
    var isPlaceholder: Bool {
        let text = text.lowercased()
        if text.isGUID {
            let digits = Array(text.utf8.filter(\.isAlphanumeric))
            return stride(from: 0, to: digits.count, by: 4).allSatisfy { Set(digits[$0..<($0 + 4)]).count == 1 }
        }
        // The name as the value, as a script replaces it.
        if Self.normalized(text) == Self.normalized(names.last ?? "") { return true }
        let words =
            /(?:^|[^a-z])(?:your|(?:enter|insert|replace|placeholder|tenant[-_]?(?:name|id))(?![a-z])|change_?me|xxx)|_here|^[^\/]*client[-_ ]?id|^[\[^]/
        return isComputed || text.contains { "<>".contains($0) } || text.contains(words)
    }

    /// The value as part of a message, with the reason why it is open.
    func quoted(_ limit: Int = 120) -> String {
        let isCut = text.count > limit || state == .expression
        let why = isComputed ? " is computed" : state == .literal && isPlaceholder ? " is a placeholder" : ""
        return "\(text.prefix(limit))\(isCut ? " …" : "")\(why)"
    }

    /// The address of an authority in the text. `mustShowForm`: the form alone has to show that it is one.
    func authority(mustShowForm: Bool) -> AddressReading? {
        guard text.contains("://"), !isPlaceholder, let reading = try? AddressReading(text, seesOldAddresses: true)
        else { return nil }
        return reading.isAuthority || !mustShowForm && reading.kind == nil ? reading : nil
    }

    /// Whether the text is an address of Microsoft's services for sign-ins, complete or not. What follows a `?` is none.
    var isOfMicrosoft: Bool {
        text.contains("login.")
            && text.prefix { $0 != "?" }.contains(/(?:b2clogin|ciamlogin)\.\w|login\.microsoftonline\.\w/)
    }

    private static let needed = [
        "clientid", "clientidsettingname", "clientsecret", "authority", "authorityurl", "issuer", "issueruri",
        "issuerurl", "providerurl", "tenant", "tenantname", "tenantsubdomain", "b2ctenant",
    ]

    /// Whether the end of the name is that of a value that is needed.
    var isNamed: Bool { Self.needed.contains(where: name.hasSuffix) }

    /// Whether the form of the text is one of the values that are needed.
    var isHint: Bool {
        let text = text.lowercased()
        return text.isGUID || policyName != nil || AuthorityKind.isTenantName(text)
            || isOfMicrosoft && !text.contains(" ")
            || text.hasPrefix("https://") && text.hasSuffix("/.well-known/openid-configuration")
    }

    /// The name of a policy, which samples for Python write as the path `/b2c_1_susi`.
    var policyName: String? {
        let name = text.hasPrefix("/") ? String(text.dropFirst()) : text
        return AuthorityKind.b2c.allows(policy: name) ? name : nil
    }

    /// Why an address of Microsoft's is none of a tenant, as part of a sentence.
    var complaint: String {
        guard let reading = try? AddressReading(text) else { return "it is not an address" }
        let more = reading.rest.dropFirst().joined(separator: "/")
        guard more.isEmpty else { return "“\(more)” is no part of a tenant's address" }
        return reading.tenant == nil ? "it names no tenant" : "it is no address of an authority"
    }

    /// Whether it is a list of scopes, of which one is that of an API.
    var isListOfScopes: Bool {
        let all = text.split { $0 == "," || $0 == " " }.map { Setting(path: [], text: $0, line: 0, state: state) }
        return all.contains(where: \.isScope) && all.allSatisfy { $0.isScope || OpenIDScopes.all.contains($0.text) }
    }

    /// Whether it is a scope of an API that the tenant registers: below `api://` or the tenant's name.
    var isScope: Bool {
        state == .literal && !isComputed
            && text.contains(/^(?:api:\/|https:\/\/[\w-]+\.onmicrosoft\.com)(?:\/[\w.-]+){2,}$/)
    }
}

extension AddressReading {
    /// Whether the form alone shows that the address is one of an authority: a tenant of the service, or the metadata of
    /// any provider. Keys are the same for all tenants of a service.
    var isAuthority: Bool {
        guard role != .keys else { return false }
        guard kind != nil else { return role == .configuration }
        guard let tenant, AuthorityKind.isTenant(tenant) else { return false }
        return rest.count - base.segments.count <= (form == .path || form == .tfp ? 1 : 0)
    }
}
