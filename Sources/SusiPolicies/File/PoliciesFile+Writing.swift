package import SusiBase

extension PoliciesFile {
    /// Returns the text of a file with these applications; the first is the current one.
    package static func text(of applications: [Application]) -> String {
        let current = applications.count > 1 ? applications.first.map { JSONNode.Value.string($0.name) } : nil
        let all = JSONNode.Value.members(applications.map { ($0.name, $0.written) })
        return JSONText.pretty(
            JSONNode(value: .members([("current", current), ("applications", all)])), width: 120) + "\n"
    }
}

extension Application {
    /// The value that ``ApplicationReader`` reads, without keys that have their default.
    fileprivate var written: JSONNode.Value {
        .members([
            ("kind", .string(kind.rawValue)), ("authority", .string(authority.spelling)),
            ("policyIn", policyPlace == .path ? nil : .string(policyPlace.rawValue)), ("clientId", .string(clientID)),
            ("redirectPorts", .array(redirectPorts.map { JSONNode(value: .number("\($0)")) })),
            ("redirectHost", redirectHost == .name ? nil : .string(redirectHost.rawValue)),
            ("apis", .members(apis.map { ($0.name, $0.written) })),
            ("policies", policies.isEmpty ? nil : .members(policies.map { ($0.name.spelling, $0.written) })),
            ("knownAuthorities", knownAuthorities.isOwn ? nil : .list(knownAuthorities.entries.map(\.text))),
            ("copyOf", copyOf.map { .string($0.spelling) }),
        ])
    }
}

extension API {
    fileprivate var written: JSONNode.Value {
        .members([
            ("baseUrl", .string(baseURL.spelling)), ("scopes", .list(scopes)),
            ("policy", policy.map { .string($0.spelling) }),
        ])
    }
}

extension Policy {
    /// The value that ``ApplicationReader`` reads, without keys that have their default.
    package var written: JSONNode.Value {
        let usual = Policy(name: name, kind: kind)
        return .members([
            ("kind", .string(kind.rawValue)), ("default", isDefault ? .bool(true) : nil),
            ("authority", authority.map { .string($0.spelling) }), ("scopes", scopes.isEmpty ? nil : .list(scopes)),
            ("redirectPath", redirectPath == usual.redirectPath ? nil : .string(redirectPath)),
            ("responseMode", responseMode == usual.responseMode ? nil : .string(responseMode.rawValue)),
            ("idTokenHint", sendsIDTokenHint ? .bool(true) : nil),
            ("offlineAccess", wantsOfflineAccess ? nil : .bool(false)),
            ("trustedAudiences", trustedAudiences.isEmpty ? nil : .list(trustedAudiences)),
        ])
    }
}
