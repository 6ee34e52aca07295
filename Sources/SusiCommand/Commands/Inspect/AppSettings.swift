import Susi
import SusiBase
import SusiTools

/// The settings of an API with Microsoft.Identity.Web, as .NET reads them: a list of keys such as `AzureAdB2C:ClientId`, in
/// which each file is over the one before it, and variables are over all files. The case of keys does not matter.
struct AppSettings {
    private let values: [Setting]
    private let variable: (String) -> String?
    private let section: String
    private let files: String

    /// Merges files of JSON, or of variables such as `AzureAdB2C__ClientId=…`. Throws ``UsageError`` if no section, or more
    /// than one, has the settings of an API.
    init(_ files: [(name: String, bytes: [UInt8])], section wanted: String?, variable: @escaping (String) -> String?)
        throws
    {
        self.files = files.map(\.name).joined(separator: " or ")
        self.variable = variable
        values = try files.flatMap { try Self.values($0.name, $0.bytes) }
        let keys = Set(values.map(\.key))
        let all = values.map(\.place).reduce(into: [String]()) { all, path in
            guard path.lowercased().hasSuffix(":clientid") else { return }
            let section = String(path.dropLast(":clientid".count))
            let isAPI = ["instance", "authority"].contains { keys.contains("\(section.lowercased()):\($0)") }
            if isAPI, !all.contains(where: { $0.lowercased() == section.lowercased() }) { all.append(section) }
        }
        let found = wanted.map { wanted in all.filter { $0.lowercased() == wanted.lowercased() } } ?? all
        guard let section = found.first else {
            throw UsageError(
                "“\(self.files)” has no \(wanted.map { "section “\($0)”" } ?? "settings of Microsoft.Identity.Web")",
                why: all.isEmpty ? "no section has ClientId and Instance, or ClientId and Authority" : "",
                next: all.isEmpty
                    ? "leave out --for-api, and name the API’s --authority and --audience" : "name one with --section",
                candidates: all)
        }
        guard found.count == 1 else {
            throw UsageError(
                "“\(self.files)” has several sections", next: "name the API’s with --section", candidates: found)
        }
        self.section = section
    }

    /// What the library does not read, although it looks so.
    var remarks: [String] {
        let members = [("Audiences", "Audience"), ("DefaultUserFlow", "SignUpSignInPolicyId")]
        let unread = members.compactMap { name, member in
            inner(member).isEmpty ? inner(name).first.map { ($0, "the member is \(member)") } : nil
        }
        let list = inner("Scopes").first { $0.isElement }
        return (unread + [list.map { ($0, "no scope of a list is required; write “first second”") }].compactMap(\.self))
            .map { "\($0.0.label) is not read by the library; \($0.1)" }
    }

    /// Returns what the API demands. The `scopes` are those that only its code has.
    func settings(scopes: [String]) throws -> APISettings {
        let policy = try setting("SignUpSignInPolicyId")
        var settings = try authority(policy)
        guard let clientID = try setting("ClientId") else { throw missing("ClientId") }
        settings.audiences =
            try [setting("Audience")].compactMap(\.self) + list("ValidAudience") + list("ValidAudiences")
        if settings.audiences.isEmpty {
            settings.audiences = [clientID]
            if policy == nil { settings.firstVersionAudiences = [.init(clientID.name, "api://\(clientID.value)")] }
        }
        settings.issuers = try list("ValidIssuer") + list("ValidIssuers")
        settings.permissions = try permissions() + (scopes.isEmpty ? [] : [.init("--scope", scopes: scopes)])
        settings.acceptsNoScope = try setting("AllowWebApiToBeAuthorizedByACL")?.value.lowercased() == "true"
        return settings
    }

    // `Scopes`, or `Scopes:Read` of an attribute's RequiredScopesConfigurationKey, with the roles that do as well.
    private func permissions() throws -> [APISettings.Permission] {
        let (scopes, roles) = ("Scopes", "AppPermissions")
        let paths = [scopes, roles].flatMap { name in
            inner(name).filter { !$0.isElement }.map {
                String($0.place.dropFirst(section.count + 1 + name.count))
            }
        }
        return try paths.reduce(into: [""]) { if !$0.contains($1) { $0.append($1) } }.compactMap { name in
            let found = (try setting(scopes + name), try setting(roles + name))
            guard let place = found.0 ?? found.1 else { return nil }
            let words = { (setting: APISettings.Setting?) in setting?.value.split(separator: " ").map(String.init) ?? []
            }
            return .init(place.name, scopes: words(found.0), roles: words(found.1))
        }
    }

    // A path of the instance is kept: `…/tfp/`. Only a policy makes it an authority of B2C.
    private func authority(_ policy: APISettings.Setting?) throws -> APISettings {
        if let whole = try setting("Authority") {
            var text = String(whole.value.prefix { $0 != "?" })
            while text.hasSuffix("/") { text.removeLast() }
            let address = try address(text, of: whole)
            if address.segments.isEmpty, address.host.hasSuffix(".ciamlogin.com") {
                text += "/\(address.host.prefix { $0 != "." }).onmicrosoft.com"
            }
            let end = text.hasSuffix("/v2.0") ? "" : "/v2.0"
            return APISettings(try self.address(text + end, of: whole), places: [whole.name], isExact: false)
        }
        guard let instance = try setting("Instance") else { throw missing("Instance") }
        let name = policy == nil ? "TenantId" : "Domain"
        guard let tenant = try setting(name) else {
            // A domain alone means B2C.
            throw missing(policy == nil && !inner("Domain").isEmpty ? "SignUpSignInPolicyId" : name)
        }
        let isHost = try address(instance.value, of: instance).segments.isEmpty
        let base = instance.value.hasSuffix("/") || !isHost ? instance.value : instance.value + "/"
        let path = [tenant.value, policy?.value, "v2.0"].compactMap(\.self).joined(separator: "/")
        let places = [instance, tenant, policy].compactMap { $0?.name }
        return APISettings(try address(base + path, of: instance), places: places, isExact: false)
    }

    private func address(_ text: String, of setting: APISettings.Setting) throws -> WebAddress {
        let address: WebAddress
        do { address = try WebAddress(text) } catch {
            throw UsageError("\(setting.name): \(error)", next: "correct it")
        }
        let allowsHTTP = try self.setting("RequireHttpsMetadata")?.value.lowercased() == "false"
        guard address.scheme == "https" || allowsHTTP else {
            throw UsageError(
                "\(setting.name) is not https", why: "the API then answers each request with an error",
                next: "use https")
        }
        return address
    }

    // MARK: Values

    /// The values of a member of the section, and of what is in it.
    private func inner(_ name: String) -> [Setting] {
        let key = "\(section):\(name)".lowercased()
        return values.filter { $0.key == key || $0.key.hasPrefix(key + ":") }
    }

    private func setting(_ name: String) throws -> APISettings.Setting? {
        let path = "\(section):\(name)"
        let own = path.replacing(":", with: "__")
        let found =
            variable(own).map { APISettings.Setting("the variable \(own)", $0) }
            ?? values.last { $0.key == path.lowercased() }.map { .init($0.label, $0.text) }
        guard let found, !found.value.isEmpty else { return nil }
        // A GUID that samples have can be the right one at a copy.
        let isPlaceholder = Setting(path: [], text: found.value, line: 0).isPlaceholder
        guard !isPlaceholder || found.value.lowercased().isGUID else {
            throw UsageError("\(found.name) is a placeholder", next: "write the API’s own value there")
        }
        return found
    }

    private func list(_ name: String) throws -> [APISettings.Setting] {
        let paths = inner("TokenValidationParameters:\(name)").map {
            $0.place.dropFirst(section.count + 1).lowercased()
        }
        return try Set(paths).sorted().compactMap { try setting($0) }
    }

    private func missing(_ member: String) -> UsageError {
        UsageError(
            "\(section).\(member) is missing", why: "the API then answers each request with an error (IDW10106)",
            next: "write it into \(files)")
    }

    private static func values(_ file: String, _ bytes: [UInt8]) throws -> [Setting] {
        let read: [Setting]?
        var reason = ""
        do {
            let text = DraftSource.trimmed(try SettingsFile.text(bytes, named: file), and: "")
            read = try SettingsFile.settings(text, named: file)
        } catch { (read, reason) = (nil, "\(error)") }
        guard let read else {
            throw UsageError(
                "“\(file)” is no appsettings.json", why: reason, next: "name the API’s --authority and --audience")
        }
        return read.map { setting in
            var setting = setting
            setting.file = file
            return setting
        }
    }
}

extension Setting {
    /// The name as .NET writes it; its case does not matter.
    fileprivate var place: String { path.joined(separator: ":") }
    fileprivate var key: String { place.lowercased() }
    fileprivate var isElement: Bool { path.last.flatMap { Int($0) } != nil }
}
