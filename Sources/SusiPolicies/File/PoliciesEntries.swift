package import SusiBase

// The keys of `policies.json`, one row each.

/// The JSON Schema of `policies.json`.
package enum PoliciesSchema {
    /// The schema as text (JSON Schema, draft 2020-12), with keys in alphabetical order.
    package static func text() -> String { SchemaNode.file.schemaText(title: "policies.json of susi") }
}

extension SchemaNode {
    static let file = SchemaNode.object([
        Field("$schema", .text(.any), "schema for editors"),
        Field(
            "current", .text(.name), requiredWith: .severalMembers(of: "applications"),
            "default application; not needed with a single application"),
        Field(
            "applications", .map(of: Application.entries.shape(), name: .name), required: true,
            "applications by name, for example one for each of the local, staging and production tenants"),
        Field(
            "keySource", .choice(KeySource.allCases.map(\.rawValue)),
            "source of a new store's key; only in the user's own file"),
        Field(
            "keyCommand", .list(of: .text(.any), atLeast: 1),
            "command that prints the secret, for the key source “command”; only in the user's own file"),
    ])
}

extension Application {
    static let entries: [Entry<Application>] = [
        .init(
            .init("kind", .choice(AuthorityKind.allCases.map(\.rawValue)), required: true, "kind of tenant"),
            write: { .string($0.kind.rawValue) }),
        .init(
            .init(
                "authority", .text(.address), required: true,
                "address of the tenant, without a policy; for the kind openid the issuer, exactly as the provider spells it"
            ), write: { .string($0.authority.spelling) }),
        .init(
            .init(
                "policyIn", .choice(PolicyPlace.allCases.map(\.rawValue)),
                "place of the policy in addresses: the path (default) or the parameter p; only for the kind b2c"),
            read: { (node, application, reader) throws(PolicyFileError) in
                guard application.kind.traits.hasPolicies else {
                    let kind = application.kind.rawValue
                    throw reader.mistake(node, "addresses of the kind “\(kind)” do not name a policy: leave it out")
                }
                application.policyPlace = node.string.flatMap(PolicyPlace.init) ?? .path
            }, write: { $0.policyPlace == .path ? nil : .string($0.policyPlace.rawValue) }),
        .init(
            .init("clientId", .text(.clientID), required: true, "application (client) ID"),
            write: { .string($0.clientID) }),
        .init(
            .init(
                "redirectPorts", .list(of: .integer(0...65_535), atLeast: 1),
                "loopback ports for the redirect, tried in this order; register http://localhost:PORT for each, or the same with redirectHost"
            ),
            read: { (node, application, _) throws(PolicyFileError) in
                let ports = node.array?.compactMap { $0.lenientInteger.flatMap { UInt16(exactly: $0) } }
                application.redirectPorts = ports ?? application.redirectPorts
            }, write: { .array($0.redirectPorts.map(JSONNode.number)) }),
        .init(
            .init(
                "redirectHost", .choice(RedirectHost.allCases.map(\.rawValue)),
                "host of the redirect address, as it is registered (default: localhost)"),
            read: { (node, application, _) throws(PolicyFileError) in
                application.redirectHost = node.string.flatMap(RedirectHost.init) ?? .name
            }, write: { $0.redirectHost == .name ? nil : .string($0.redirectHost.rawValue) }),
        .init(
            .init(
                "policies", .map(of: Policy.entries.shape(), name: .policyName),
                requiredWith: .oneOf(AuthorityKind.allCases.filter(\.traits.hasPolicies).map(\.rawValue), of: "kind"),
                "policies by name; without this key, kinds other than b2c have one, named default"),
            read: { (node, application, reader) throws(PolicyFileError) in
                application.policies = try Policy.read(node, of: application.kind, reader)
            },
            write: { application in
                let policies = application.policies.map { JSONNode.Member($0.name.spelling, $0.written) }
                return policies.isEmpty ? nil : .object(policies)
            }),
        .init(
            .init(
                "knownAuthorities", .list(of: .text(.authorityEntry), atLeast: 0),
                "authorities that may be contacted: hosts, hosts with a tenant, or whole authorities; without this list only the application's own authority"
            ),
            read: { (node, application, reader) throws(PolicyFileError) in
                application.knownAuthorities = KnownAuthorities(try KnownAuthorities.entries(node, reader))
            }, write: { $0.knownAuthorities.isOwn ? nil : .list($0.knownAuthorities.entries.map(\.text)) }),
        .init(
            .init("apis", .map(of: API.entries.shape(), name: .name), "web APIs by name"),
            read: { (node, application, reader) throws(PolicyFileError) in
                application.apis = try API.read(node, reader)
            },
            write: { application in
                let apis = application.apis.map { JSONNode.Member($0.name, API.entries.written($0)) }
                return apis.isEmpty ? nil : .object(apis)
            }),
        .init(
            .init(
                "copyOf", .text(.address),
                "authority of the tenant whose local copy this one is; susi emulator writes it"
            ),
            read: { (node, application, reader) throws(PolicyFileError) in
                // A mark at another address would be untrue: what is sent there leaves this machine.
                guard application.authority.isLoopback else {
                    throw reader.mistake(node, "the authority is not on this machine: leave it out")
                }
                application.copyOf = try reader.address(node)
            }, write: { $0.copyOf.map { .string($0.spelling) } }),
    ]
}

extension Policy {
    package static let entries: [Entry<Policy>] = [
        .init(
            .init("kind", .choice(PolicyKind.allCases.map(\.rawValue)), required: true, "purpose of the policy"),
            write: { .string($0.kind.rawValue) }),
        .init(
            .init("default", .flag, "whether this is the default policy"),
            read: { (node, policy, reader) throws(PolicyFileError) in
                // A default reset or edit policy would open its page at every sign-in.
                if node.bool == true, policy.kind == .passwordReset || policy.kind == .editProfile {
                    throw reader.mistake(
                        node, "a policy of kind “\(policy.kind.rawValue)” cannot be the default",
                        expected: "a policy that signs in")
                }
                policy.isDefault = node.bool ?? false
            }, write: { $0.isDefault ? true : nil }),
        .init(
            .init("authority", .text(.address), "authority of this policy, if not the application's"),
            read: { (node, policy, reader) throws(PolicyFileError) in policy.authority = try reader.address(node) },
            write: { $0.authority.map { .string($0.spelling) } }),
        .init(
            .init(
                "scopes", .list(of: .text(.scope), atLeast: 1),
                "scopes that a sign-in requests, instead of those of its APIs"),
            read: { (node, policy, _) throws(PolicyFileError) in policy.scopes = node.strings ?? [] },
            write: { $0.scopes.isEmpty ? nil : .list($0.scopes) }),
        .init(
            .init("redirectPath", .text(.path), "path of the redirect address"),
            read: { (node, policy, _) throws(PolicyFileError) in policy.redirectPath = node.string ?? "/" },
            write: { $0.redirectPath == "/" ? nil : .string($0.redirectPath) }),
        .init(
            .init(
                "responseMode", .choice(ResponseMode.allCases.map(\.rawValue)),
                "how the provider returns the response to the redirect address (default: query)"),
            read: { (node, policy, _) throws(PolicyFileError) in
                policy.responseMode = node.string.flatMap(ResponseMode.init) ?? .query
            }, write: { $0.responseMode == .query ? nil : .string($0.responseMode.rawValue) }),
        .init(
            .init(
                "idTokenHint", .flag, "whether requests include the stored id token, for custom policies that need it"),
            read: { (node, policy, _) throws(PolicyFileError) in policy.sendsIDTokenHint = node.bool ?? false },
            write: { $0.sendsIDTokenHint ? true : nil }),
        .init(
            .init(
                "offlineAccess", .flag,
                "whether sign-ins request offline_access, for a refresh token (default: true)"),
            read: { (node, policy, _) throws(PolicyFileError) in policy.wantsOfflineAccess = node.bool ?? true },
            write: { $0.wantsOfflineAccess ? nil : false }),
        .init(
            .init(
                "trustedAudiences", .list(of: .text(.audience), atLeast: 1),
                "audiences that an id token may have beside the client ID"),
            read: { (node, policy, _) throws(PolicyFileError) in policy.trustedAudiences = node.strings ?? [] },
            write: { $0.trustedAudiences.isEmpty ? nil : .list($0.trustedAudiences) }),
    ]

    /// The value in a file, without keys that have their default.
    package var written: JSONNode { Self.entries.written(self) }
}

extension API {
    static let entries: [Entry<API>] = [
        .init(
            .init(
                "baseUrl", .text(.address), required: true, "base address of the API; its token is sent only there"),
            write: { .string($0.baseURL.spelling) }),
        .init(
            .init(
                "scopes", .list(of: .text(.scope), atLeast: 1), required: true,
                "scopes of its token, all of one resource"),
            write: { .list($0.scopes) }),
        .init(
            .init("policy", .text(.policyName), "policy whose token the API needs (default: the default policy)"),
            write: { $0.policy.map { .string($0.spelling) } }),
    ]
}

extension PoliciesFile {
    /// Returns the text of a file with these applications; the first is the current one.
    package static func text(of applications: [Application]) -> String {
        let current = applications.count > 1 ? applications.first?.name : nil
        let all = applications.map { JSONNode.Member($0.name, Application.entries.written($0)) }
        let file: JSONNode = ["current": current.map(JSONNode.string), "applications": .object(all)]
        return JSONText.pretty(file, width: 120) + "\n"
    }
}
