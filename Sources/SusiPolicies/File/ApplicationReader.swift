package import SusiBase

/// Turns checked JSON into applications and rejects what the schema cannot: contradictions between keys.
package struct ApplicationReader {
    let file: String

    /// Reads values of a file, which messages name.
    package init(file: String) { self.file = file }

    /// Throws all mistakes that the schema does not find. Returns `nil` if a key is missing or malformed; the schema
    /// check reports that.
    func application(_ name: String, _ node: JSONNode) throws(PolicyFileError) -> Application? {
        let key = ["applications", name]
        var mistakes = MistakeList()
        let kind = AuthorityKind(rawValue: text(node["kind"]))
        let authority =
            mistakes.reading(try self.authority(node["authority"], of: kind, at: key + ["authority"])) ?? nil
        let policies = mistakes.reading(try self.policies(node["policies"], of: kind, at: key + ["policies"]))
        let names = policies?.map(\.name) ?? node["policies"]?.members.map { PolicyName($0.name) } ?? []
        let keepingNone = (policies ?? []).filter { !$0.kind.keepsAccounts }
        let apis = mistakes.reading(
            try self.apis(node["apis"], policies: Set(names), keepingNone: keepingNone, at: key + ["apis"]))
        let listed = mistakes.reading(try entries(node["knownAuthorities"], at: key + ["knownAuthorities"]))
        let place = mistakes.reading(try policyPlace(node["policyIn"], of: kind, at: key + ["policyIn"]))
        let original = mistakes.reading(
            try self.original(node["copyOf"], isLocal: authority?.isLoopback ?? true, at: key + ["copyOf"]))
        try mistakes.finish()
        guard let kind, let authority, let policies, let apis, let listed, let place, let original else { return nil }
        let own = Authority(
            kind: kind, base: authority, policy: policies.first?.name ?? PolicyName("default"), policyPlace: place)
        var application = Application(
            name: name, kind: kind, authority: authority, clientID: text(node["clientId"]),
            redirectPorts: node["redirectPorts"]?.array?.compactMap(port) ?? [0],
            redirectHost: node["redirectHost"]?.string.flatMap(RedirectHost.init) ?? .name, policies: policies,
            knownAuthorities: listed.map { KnownAuthorities($0) } ?? KnownAuthorities(own: own), apis: apis,
            policyPlace: place)
        application.copyOf = original
        return application
    }

    // A mark at another address would be untrue: what is sent there leaves this machine.
    private func original(
        _ node: JSONNode?, isLocal: Bool, at key: [String]
    ) throws(PolicyFileError) -> WebAddress? {
        guard let node else { return nil }
        if !isLocal {
            throw PolicyFileError(
                file: file, line: node.line, key: key, problem: "the authority is not on this machine: leave it out")
        }
        return try address(node, at: key)
    }

    private func policyPlace(
        _ node: JSONNode?, of kind: AuthorityKind?, at key: [String]
    ) throws(PolicyFileError) -> PolicyPlace {
        guard let node else { return .path }
        if let kind, !kind.traits.hasPolicies {
            throw PolicyFileError(
                file: file, line: node.line, key: key,
                problem: "addresses of the kind “\(kind.rawValue)” do not name a policy: leave it out")
        }
        return PolicyPlace(rawValue: text(node)) ?? .path
    }

    /// Reads the policies of a tenant; without a node, the tenant has one named `default`. Throws all mistakes.
    package func policies(
        _ node: JSONNode?, of kind: AuthorityKind?, at key: [String] = []
    ) throws(PolicyFileError) -> [Policy] {
        guard let node else { return [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)] }
        var mistakes = MistakeList()
        var policies: [Policy] = []
        var names: [PolicyName: PolicyName] = [:]
        var first: PolicyName?
        for member in node.members where !mistakes.isFull {
            let key = key + [member.name]
            let read = mistakes.reading(try self.policy(member, of: kind, at: key))
            guard let policy = read else { continue }
            if let twin = names.updateValue(policy.name, forKey: policy.name) {
                mistakes.add(
                    PolicyFileError(
                        file: file, line: member.line, key: key,
                        problem: "it differs from “\(twin)” only in upper and lower case, which the service ignores"))
            }
            if policy.isDefault, let first {
                mistakes.add(
                    PolicyFileError(
                        file: file, line: member.line, key: key + ["default"],
                        problem: "“\(first)” is already the default", expected: "one default policy"))
            }
            if policy.isDefault, first == nil { first = policy.name }
            policies.append(policy)
        }
        if node.members.isEmpty {
            mistakes.add(
                PolicyFileError(
                    file: file, line: node.line, key: key, problem: "no policy", expected: "at least one"))
        }
        try mistakes.finish()
        return policies
    }

    private func policy(
        _ member: JSONNode.Member, of kind: AuthorityKind?, at key: [String]
    ) throws(PolicyFileError) -> Policy {
        let node = member.node
        var mistakes = MistakeList()
        let policyKind = PolicyKind(rawValue: text(node["kind"])) ?? .signUpOrSignIn
        let isDefault = node["default"]?.bool ?? false
        let isPage = policyKind == .passwordReset || policyKind == .editProfile
        // A default reset or edit policy would open its page at every sign-in.
        if isDefault, isPage {
            mistakes.add(
                PolicyFileError(
                    file: file, line: node["default"]?.line, key: key + ["default"],
                    problem: "a policy of kind “\(policyKind.rawValue)” cannot be the default",
                    expected: "a policy that signs in"))
        }
        // In kinds without policies, a sign-in is the only thing that a policy can do.
        if let kind, !kind.traits.hasPolicies, isPage {
            mistakes.add(
                PolicyFileError(
                    file: file, line: node["kind"]?.line, key: key + ["kind"],
                    problem: "a tenant of the kind “\(kind.rawValue)” has no policy of kind “\(policyKind.rawValue)”",
                    expected: "“signUpOrSignIn” or “resourceOwner”"))
        }
        let own = mistakes.reading(try authority(node["authority"], of: kind, at: key + ["authority"])) ?? nil
        try mistakes.finish()
        return Policy(
            name: PolicyName(member.name), kind: policyKind, isDefault: isDefault, authority: own,
            scopes: node["scopes"]?.strings ?? [], redirectPath: node["redirectPath"]?.string ?? "/",
            responseMode: node["responseMode"]?.string.flatMap(ResponseMode.init) ?? .query,
            sendsIDTokenHint: node["idTokenHint"]?.bool ?? false,
            wantsOfflineAccess: node["offlineAccess"]?.bool ?? true,
            trustedAudiences: node["trustedAudiences"]?.strings ?? [])
    }

    private func apis(
        _ node: JSONNode?, policies: Set<PolicyName>, keepingNone: [Policy], at key: [String]
    ) throws(PolicyFileError) -> [API] {
        var mistakes = MistakeList()
        var apis: [API] = []
        for member in node?.members ?? [] where !mistakes.isFull {
            let suggests = mistakes.suggests
            let read = mistakes.reading(
                try api(
                    member, policies: policies, keepingNone: keepingNone, at: key + [member.name], suggests: suggests))
            if let api = read ?? nil { apis.append(api) }
        }
        try mistakes.finish()
        return apis
    }

    // Returns `nil` if the address is missing.
    private func api(
        _ member: JSONNode.Member, policies: Set<PolicyName>, keepingNone: [Policy], at key: [String], suggests: Bool
    ) throws(PolicyFileError) -> API? {
        var mistakes = MistakeList()
        let policy = member.node["policy"]?.string.map { PolicyName($0) }
        if let changing = keepingNone.first(where: { $0.name == policy }) {
            mistakes.add(
                PolicyFileError(
                    file: file, line: member.node["policy"]?.line, key: key + ["policy"],
                    problem: changing.keepsNoAccount, expected: "a policy that signs in"))
        }
        if let policy, !policies.contains(policy) {
            mistakes.add(
                PolicyFileError(
                    file: file, line: member.node["policy"]?.line, key: key + ["policy"],
                    problem: "no policy “\(policy)”",
                    nearMatch: suggests ? NearMatch.of(policy.spelling, in: policies.map(\.spelling).sorted()) : nil))
        }
        let base = mistakes.reading(try address(member.node["baseUrl"], at: key + ["baseUrl"])) ?? nil
        if let base, !base.isSecure {
            mistakes.add(
                PolicyFileError(
                    file: file, line: member.node["baseUrl"]?.line, key: key + ["baseUrl"],
                    problem: "tokens would be sent unencrypted", expected: SchemaNode.Text.address.expected))
        }
        try mistakes.finish()
        return base.map {
            API(name: member.name, baseURL: $0, scopes: member.node["scopes"]?.strings ?? [], policy: policy)
        }
    }

    // Returns `nil` if there is no list.
    private func entries(_ node: JSONNode?, at key: [String]) throws(PolicyFileError) -> [KnownAuthorities.Entry]? {
        guard let node else { return nil }
        var mistakes = MistakeList()
        var entries: [KnownAuthorities.Entry] = []
        for (index, element) in (node.array ?? []).enumerated() where !mistakes.isFull {
            do { entries.append(try KnownAuthorities.Entry(text(element))) } catch {
                mistakes.add(
                    PolicyFileError(
                        file: file, line: element.line, key: key + ["\(index)"], problem: error.reason,
                        expected: SchemaNode.Text.authorityEntry.expected))
            }
        }
        try mistakes.finish()
        return entries
    }

    private func authority(
        _ node: JSONNode?, of kind: AuthorityKind?, at key: [String]
    ) throws(PolicyFileError) -> WebAddress? {
        guard let node, let base = try address(node, at: key) else { return nil }
        if let complaint = kind?.rules.complaint(about: base) {
            throw PolicyFileError(file: file, line: node.line, key: key, problem: complaint)
        }
        return base
    }

    private func address(_ node: JSONNode?, at key: [String]) throws(PolicyFileError) -> WebAddress? {
        guard let node else { return nil }
        do { return try WebAddress(text(node)) } catch {
            throw PolicyFileError(
                file: file, line: node.line, key: key, problem: error.reason,
                expected: SchemaNode.Text.address.expected)
        }
    }

    private func text(_ node: JSONNode?) -> String { node?.string ?? "" }

    private func port(_ node: JSONNode) -> UInt16? { node.lenientInteger.flatMap { UInt16(exactly: $0) } }
}
