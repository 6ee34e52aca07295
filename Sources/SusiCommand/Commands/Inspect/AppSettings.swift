import Susi

/// The `appsettings.json` of an API with Microsoft.Identity.Web: one section of it. .NET ignores the case of names.
struct AppSettings {
    private let file: String
    private let name: String
    private let section: JSONNode

    /// Reads a file; comments and trailing commas are usual in it. Throws ``UsageError`` if it has no such section, or several.
    init(_ bytes: [UInt8], named file: String, section wanted: String?) throws {
        var mistakes = MistakeList()
        guard let root = JSONNode(file: bytes, source: file, &mistakes) else {
            var reason = ""
            do { try mistakes.finish() } catch { reason = "\(error)" }
            throw UsageError(
                "“\(file)” is no appsettings.json", why: reason, next: "name the API’s --authority and --audience")
        }
        let all = root.members.filter { member in
            let names = member.node.members.map { $0.name.lowercased() }
            return names.contains("clientid") && names.contains { ["instance", "authority"].contains($0) }
        }
        let found = wanted.map { wanted in all.filter { $0.name.lowercased() == wanted.lowercased() } } ?? all
        guard let section = found.first else {
            throw UsageError(
                "“\(file)” has no \(wanted.map { "section “\($0)”" } ?? "settings of Microsoft.Identity.Web")",
                why: all.isEmpty ? "no section has ClientId and Instance, or ClientId and Authority" : "",
                next: all.isEmpty ? "name the API’s --authority and --audience" : "name one with --section",
                candidates: all.map(\.name))
        }
        guard found.count == 1 else {
            throw UsageError(
                "“\(file)” has several sections", next: "name the API’s with --section", candidates: found.map(\.name))
        }
        self.file = file
        name = section.name
        self.section = section.node
    }

    /// What the library does not read, although it looks so.
    var remarks: [String] {
        var remarks: [String] = []
        if let member = member("Audiences") {
            remarks.append("\(label(member)) is not read by the library; the member is Audience")
        }
        if let member = member("DefaultUserFlow"), self.member("SignUpSignInPolicyId") == nil {
            remarks.append("\(label(member)) is not read by the library; the member is SignUpSignInPolicyId")
        }
        if let member = member("Scopes"), member.node.string == nil {
            remarks.append("\(label(member)) is not a text, so no scope is required by it; write “first second”")
        }
        return remarks
    }

    /// Returns what the API demands. The `scopes` add to those of the file.
    func settings(scopes: [APISettings.Setting]) throws -> APISettings {
        let policy = try setting("SignUpSignInPolicyId")
        let (authority, host, tenant) = try authority(policy)
        guard let clientID = try setting("ClientId") else { throw missing("ClientId") }
        let rules = member("TokenValidationParameters")
        let own = try setting("Scopes").map { all in
            all.value.split(separator: " ").map { APISettings.Setting(all.name, String($0)) }
        }
        return APISettings(
            .identityWeb, authority: authority, host: host, tenant: tenant, policy: policy, clientID: clientID,
            audiences: try [setting("Audience")].compactMap(\.self)
                + values("ValidAudience", "ValidAudiences", in: rules),
            issuers: values("ValidIssuer", "ValidIssuers", in: rules), scopes: (own ?? []) + scopes,
            acceptsNoScope: isTrue("AllowWebApiToBeAuthorizedByACL"))
    }

    // A path of the instance is kept: `…/tfp/`. Only a policy makes it an authority of B2C (`AuthorityHelpers`).
    private func authority(
        _ policy: APISettings.Setting?
    ) throws -> (WebAddress, host: APISettings.Setting, tenant: APISettings.Setting?) {
        if let whole = try setting("Authority") {
            var text = String(whole.value.prefix { $0 != "?" })
            while text.hasSuffix("/") { text.removeLast() }
            let address = try address(text, of: whole)
            if address.segments.isEmpty, address.host.hasSuffix(".ciamlogin.com") {
                text += "/\(address.host.prefix { $0 != "." }).onmicrosoft.com"
            }
            return (try self.address(text.hasSuffix("/v2.0") ? text : text + "/v2.0", of: whole), whole, nil)
        }
        guard let instance = try setting("Instance") else { throw missing("Instance") }
        let name = policy == nil ? "TenantId" : "Domain"
        guard let tenant = try setting(name) else {
            // A domain alone means B2C.
            throw missing(policy == nil && member("Domain") != nil ? "SignUpSignInPolicyId" : name)
        }
        let isHost = try address(instance.value, of: instance).segments.isEmpty
        let base = instance.value.hasSuffix("/") || !isHost ? instance.value : instance.value + "/"
        let path = [tenant.value, policy?.value, "v2.0"].compactMap(\.self).joined(separator: "/")
        return (try address(base + path, of: instance), instance, tenant)
    }

    private func address(_ text: String, of setting: APISettings.Setting) throws -> WebAddress {
        let address: WebAddress
        do { address = try WebAddress(text) } catch {
            throw UsageError("\(setting.name): \(error)", next: "correct it in \(file)")
        }
        guard address.scheme == "https" || member("RequireHttpsMetadata")?.node.bool == false else {
            throw UsageError(
                "\(setting.name) is not https", why: "the API then answers each request with an error",
                next: "use https in \(file)")
        }
        return address
    }

    // MARK: Members

    private func member(_ name: String, in node: JSONNode? = nil) -> JSONNode.Member? {
        (node ?? section).members.last { $0.name.lowercased() == name.lowercased() }
    }

    private func label(_ member: JSONNode.Member) -> String { "\(name).\(member.name) (line \(member.line))" }

    private func setting(_ name: String) throws -> APISettings.Setting? {
        guard let member = member(name), let text = member.node.string, !text.isEmpty else { return nil }
        guard !text.contains(where: { "[]{}<>".contains($0) }), !["Enter_the_", "YOUR_"].contains(where: text.contains)
        else {
            throw UsageError("\(label(member)) is a placeholder", next: "write the API’s own value into \(file)")
        }
        return APISettings.Setting(label(member), text)
    }

    private func values(_ names: String..., in rules: JSONNode.Member?) -> [APISettings.Setting] {
        guard let rules else { return [] }
        return names.compactMap { member($0, in: rules.node) }.flatMap { member in
            (member.node.strings ?? []).map {
                APISettings.Setting("\(name).\(rules.name).\(member.name) (line \(member.line))", $0)
            }
        }
    }

    private func isTrue(_ name: String) -> Bool {
        guard let node = member(name)?.node else { return false }
        return node.bool ?? (node.string?.lowercased() == "true")
    }

    private func missing(_ member: String) -> UsageError {
        UsageError(
            "\(name).\(member) is missing", why: "the API then answers each request with an error (IDW10106)",
            next: "write it into \(file)")
    }
}
