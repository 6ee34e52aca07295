/// Turns checked JSON into applications, and refuses what a shape cannot see: contradictions between keys.
package struct ApplicationReader {
    let file: String

    /// Reads values of a file, which messages name.
    package init(file: String) { self.file = file }

    func application(_ name: String, _ node: JSONNode) throws(PolicyFileError) -> Application {
        let key = ["applications", name]
        let kind = AuthorityKind(rawValue: text(node["kind"])) ?? .b2c
        let authority = try authority(node["authority"], kind, key + ["authority"])
        let policies = try policies(node["policies"], kind, key + ["policies"])
        let apis = try apis(node["apis"], policies, key + ["apis"])
        return Application(
            name: name, kind: kind, authority: authority, clientID: text(node["clientId"]),
            redirectPorts: node["redirectPorts"]?.array?.compactMap(port) ?? [0], policies: policies,
            knownAuthorities: KnownAuthorities(try entries(node["knownAuthorities"], key + ["knownAuthorities"])),
            apis: apis, policyPlace: try policyPlace(node["policyIn"], kind, key + ["policyIn"]),
            deviceMode: DeviceMode(rawValue: text(node["deviceMode"])) ?? .private)
    }

    private func policyPlace(
        _ node: JSONNode?, _ kind: AuthorityKind, _ key: [String]
    ) throws(PolicyFileError) -> PolicyPlace {
        guard let node else { return .path }
        guard kind.hasPolicies else {
            throw PolicyFileError(
                file: file, line: node.line, key: key,
                problem: "addresses of the kind “\(kind.rawValue)” name no policy: leave it out")
        }
        return PolicyPlace(rawValue: text(node)) ?? .path
    }

    /// The policies of a tenant of this kind; where it may have none, the one that it then has.
    package func policies(
        _ node: JSONNode?, _ kind: AuthorityKind, _ key: [String] = []
    ) throws(PolicyFileError) -> [Policy] {
        if node == nil, !kind.hasPolicies { return [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)] }
        var policies: [Policy] = []
        var names: Set<PolicyName> = []
        for member in node?.members ?? [] {
            let policy = try policy(member, kind, key + [member.name])
            if !names.insert(policy.name).inserted, let twin = policies.first(where: { $0.name == policy.name }) {
                throw PolicyFileError(
                    file: file, line: member.line, key: key + [member.name],
                    problem: "it differs from “\(twin.name)” only by case, which the service does not tell apart")
            }
            if policy.isDefault, let other = policies.first(where: \.isDefault) {
                throw PolicyFileError(
                    file: file, line: member.line, key: key + [member.name, "default"],
                    problem: "“\(other.name)” is the default already", expected: "one default policy")
            }
            policies.append(policy)
        }
        guard !policies.isEmpty else {
            throw PolicyFileError(
                file: file, line: node?.line, key: key, problem: "there is no policy", expected: "at least one")
        }
        return policies
    }

    private func policy(
        _ member: JSONNode.Member, _ kind: AuthorityKind, _ key: [String]
    ) throws(PolicyFileError) -> Policy {
        let node = member.node
        let policyKind = PolicyKind(rawValue: text(node["kind"])) ?? .signUpOrSignIn
        let isDefault = node["default"]?.bool ?? false
        // A default reset or edit policy would open its page at every sign-in.
        if isDefault, policyKind == .passwordReset || policyKind == .editProfile {
            throw PolicyFileError(
                file: file, line: node["default"]?.line, key: key + ["default"],
                problem: "a policy of kind “\(policyKind.rawValue)” cannot be the default",
                expected: "a policy that signs in")
        }
        // Without policies at the tenant nothing would be run but a sign-in.
        if !kind.hasPolicies, policyKind == .passwordReset || policyKind == .editProfile {
            throw PolicyFileError(
                file: file, line: node["kind"]?.line, key: key + ["kind"],
                problem: "a tenant of the kind “\(kind.rawValue)” has no policy of kind “\(policyKind.rawValue)”",
                expected: "“signUpOrSignIn” or “resourceOwner”")
        }
        return Policy(
            name: PolicyName(member.name), kind: policyKind, isDefault: isDefault,
            authority: node["authority"] == nil ? nil : try authority(node["authority"], kind, key + ["authority"]),
            scopes: node["scopes"]?.strings ?? [], redirectPath: node["redirectPath"]?.string ?? "/",
            responseMode: node["responseMode"]?.string.flatMap(ResponseMode.init) ?? .query,
            sendsIDTokenHint: node["idTokenHint"]?.bool ?? false)
    }

    private func apis(_ node: JSONNode?, _ policies: [Policy], _ key: [String]) throws(PolicyFileError) -> [API] {
        var apis: [API] = []
        let names = Set(policies.map(\.name))
        for member in node?.members ?? [] {
            let key = key + [member.name]
            let policy = member.node["policy"].map { PolicyName(text($0)) }
            if let policy, !names.contains(policy) {
                throw PolicyFileError(
                    file: file, line: member.node["policy"]?.line, key: key + ["policy"],
                    problem: "there is no policy “\(policy)”",
                    nearMatch: NearMatch.of(policy.spelling, in: policies.map(\.name.spelling)))
            }
            let base = try address(member.node["baseUrl"], key + ["baseUrl"])
            guard base.isSecure else {
                throw PolicyFileError(
                    file: file, line: member.node["baseUrl"]?.line, key: key + ["baseUrl"],
                    problem: "a token would travel unencrypted", expected: Shape.Text.address.expected)
            }
            apis.append(
                API(name: member.name, baseURL: base, scopes: member.node["scopes"]?.strings ?? [], policy: policy))
        }
        return apis
    }

    private func entries(_ node: JSONNode?, _ key: [String]) throws(PolicyFileError) -> [KnownAuthorities.Entry] {
        var entries: [KnownAuthorities.Entry] = []
        for (index, element) in (node?.array ?? []).enumerated() {
            do { entries.append(try KnownAuthorities.Entry(text(element))) } catch {
                throw PolicyFileError(
                    file: file, line: element.line, key: key + ["\(index)"], problem: error.reason,
                    expected: Shape.Text.authorityEntry.expected)
            }
        }
        return entries
    }

    private func authority(
        _ node: JSONNode?, _ kind: AuthorityKind, _ key: [String]
    ) throws(PolicyFileError) -> WebAddress {
        let base = try address(node, key)
        if let complaint = kind.rules.complaint(about: base) {
            throw PolicyFileError(file: file, line: node?.line, key: key, problem: complaint)
        }
        return base
    }

    private func address(_ node: JSONNode?, _ key: [String]) throws(PolicyFileError) -> WebAddress {
        do { return try WebAddress(text(node)) } catch {
            throw PolicyFileError(
                file: file, line: node?.line, key: key, problem: error.reason,
                expected: Shape.Text.address.expected)
        }
    }

    private func text(_ node: JSONNode?) -> String { node?.string ?? "" }

    private func port(_ node: JSONNode) -> UInt16? { node.lenientInteger.flatMap { UInt16(exactly: $0) } }
}
