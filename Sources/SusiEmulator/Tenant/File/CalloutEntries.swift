import SusiBase
import SusiPolicies

extension PolicySettings {
    /// The key for the developer's code of a group, with one object for each step.
    static func callouts(_ group: Callout.Group) -> Entry<PolicySettings> {
        .group(
            group.rawValue,
            Callout.Step.allCases.filter { $0.group == group }.map { step in
                Entry(
                    step.rawValue, \.callouts[step], .object(Callout.entries, usual: Callout()),
                    "your code that is called \(step.row.meaning)")
            }, "your code by the service's names of the steps that call it")
    }
}

extension Callout {
    fileprivate static let entries: [Entry<Callout>] = [
        .init(
            "url", \.url, .text(.calloutAddress), required: true,
            "its address, on this machine or on a host of “allowedHosts”"),
        .init("username", \.username, .text(.line), "the user name of HTTP Basic"),
        .init("password", \.password, .text(.line), "the password of HTTP Basic"),
        .init("clientCertificate", \.clientCertificate, .file, "a PEM file with a client certificate and its key"),
        .init(
            "inputClaims", \.inputClaims, .names, "the claims of a technical profile's request with their names in it"),
        .init(
            "outputClaims", \.outputClaims, .names,
            "the claims of a technical profile's response with their names in it"),
        .init(
            "appId", \.appID, .text(.clientID),
            "the client ID of an extension's registration, the audience of the bearer token"),
        .init("certificate", \.certificate, .file, "a PEM file with the certificate for which passwords are encrypted"),
        .init(
            "migrationProperty", \.migrationProperty, .text(.attribute),
            "the attribute that is true until a user's password has been moved"),
        .init(
            "timeLimit", \.timeLimit, .duration(),
            "how long your code may take, such as 10m for a debugger; default: the service's limit"),
    ]

    // The problem and the expected value; nil if the code can be called.
    private func problem(_ step: Step, of policy: Policy, in tenant: TenantConfiguration) -> (String, String)? {
        let group = tenant.kind.dialect.callouts(of: policy)
        guard step.group == group else {
            return ("not supported for this policy", group.map { "“\($0.rawValue)”" } ?? "a policy for sign-ins")
        }
        guard tenant.mayCall(url) else { return Self.elsewhere("url") }
        if clientCertificate != nil, Self.address(url)?.scheme != "https" {
            return ("“clientCertificate” needs https", "an https address in “url”")
        }
        if group == .authenticationExtensions, appID == nil { return ("“appId” is missing", "a client ID") }
        guard step == .passwordSubmit, certificate == nil || migrationProperty == nil else { return nil }
        return ("“certificate” or “migrationProperty” is missing", "a PEM file, and the name of an attribute")
    }

    /// The problem of a key that names another machine, and the expected value.
    static func elsewhere(_ key: String) -> (String, String) {
        ("the host of “\(key)” is another machine", "an address of this machine, or the host in “allowedHosts”")
    }

    /// The mistakes in the policies of a tenant.
    static func mistakes(in tenant: TenantConfiguration, _ node: JSONNode, _ reader: FileReader) -> [PolicyFileError] {
        tenant.policies.flatMap { policy -> [PolicyFileError] in
            let written = node["policies"]?.members.first { PolicyName($0.name) == policy.name }
            guard let written else { return [] }
            let settings = tenant.settings(of: policy.name)
            let problems = Step.allCases.map { step in
                ([step.group.rawValue, step.rawValue], settings.callouts[step]?.problem(step, of: policy, in: tenant))
            }
            return (problems + [(["invitations"], settings.invitations?.problem(in: tenant))]).compactMap {
                keys, problem in
                problem.map { problem in
                    let place = keys.reduce(written.node) { $0[$1] ?? $0 }
                    let mistake = reader.mistake(place, problem.0, expected: problem.1)
                    return keys.reversed().reduce(mistake) { $0.under($1) }.under(written.name).under("policies")
                }
            }
        }
    }

    /// The address without its query; nil if it is none.
    static func address(_ text: String) -> WebAddress? {
        text.contains("#") ? nil : try? WebAddress(ignoringQuery: text)
    }
}

extension EntryValue where Value == [String: String] {
    fileprivate static var names: Self {
        Self(
            schema: .map(of: .text(.name), name: .name),
            read: { (node, _) throws(PolicyFileError) in
                Dictionary(node.members.compactMap { member in member.node.string.map { (member.name, $0) } }) { $1 }
            }, write: { JSONNode(.object($0.mapValues(JSON.string))) })
    }
}

extension SchemaNode.Text {
    static let calloutAddress = Self(
        "an http or https address, with a query if it needs one", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[!\"$-~]+$"
    ) { Callout.address($0) != nil }
}
