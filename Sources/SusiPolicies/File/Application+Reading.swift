package import SusiBase

// Checked JSON becomes applications. What the schema cannot reject, contradictions between keys, is rejected here.

extension Application {
    /// Reads an application. Throws all mistakes that the schema does not find. Returns `nil` if a key is missing or malformed; the
    /// schema check reports that.
    static func read(_ name: String, _ node: JSONNode, _ reader: FileReader) throws(PolicyFileError) -> Application? {
        var mistakes = MistakeList()
        let kind = node["kind"]?.string.flatMap { AuthorityKind(rawValue: $0) }
        let authority = mistakes.reading(try reader.authority(node["authority"], of: kind)) ?? nil
        // Without them, the mistakes of the other keys are found all the same.
        var application = Application(
            name: name, kind: kind ?? .b2c, authority: authority ?? .usualCopy,
            clientID: node["clientId"]?.string ?? "",
            redirectPorts: [0], policies: [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)],
            knownAuthorities: KnownAuthorities([]), apis: [])
        _ = mistakes.trying { () throws(PolicyFileError) in
            try entries.read(node, into: &application, reader)
        }
        application.findPolicies(of: node, reader, &mistakes)
        try mistakes.finish()
        guard kind != nil, authority != nil else { return nil }
        if node["knownAuthorities"] == nil {
            application.knownAuthorities = KnownAuthorities(own: application.ownAuthority)
        }
        return application
    }

    private var ownAuthority: Authority {
        Authority(
            kind: kind, base: authority, policy: policies.first?.name ?? PolicyName("default"), policyPlace: policyPlace
        )
    }

    // Adds the APIs whose policy is not there or keeps no account.
    private func findPolicies(of node: JSONNode, _ reader: FileReader, _ mistakes: inout MistakeList) {
        // Those that have mistakes are there, too.
        let names = node["policies"]?.members.map { PolicyName($0.name) } ?? policies.map(\.name)
        for member in node["apis"]?.members ?? [] where !mistakes.isFull {
            guard let named = member.node["policy"], let policy = named.string.map({ PolicyName($0) }) else { continue }
            var mistake: PolicyFileError?
            if let changing = self.policy(policy), !changing.kind.keepsAccounts {
                mistake = reader.mistake(named, changing.keepsNoAccount, expected: "a policy that signs in")
            } else if !names.contains(policy) {
                let near = mistakes.suggests ? NearMatch.of(policy.spelling, in: names.map(\.spelling).sorted()) : nil
                mistake = reader.mistake(named, "no policy “\(policy)”", nearMatch: near)
            }
            if let mistake { mistakes.add(mistake.under("policy").under(member.name).under("apis")) }
        }
    }
}

extension Policy {
    /// Reads the policies of a tenant. Throws all mistakes.
    package static func read(
        _ node: JSONNode, of kind: AuthorityKind, _ reader: FileReader
    ) throws(PolicyFileError) -> [Policy] {
        var mistakes = MistakeList()
        var policies: [Policy] = []
        for member in node.members where !mistakes.isFull {
            _ = mistakes.trying { () throws(PolicyFileError) in
                do throws(PolicyFileError) {
                    let policy = try read(member, of: kind, reader)
                    if let twin = policies.first(where: { $0.name == policy.name }) {
                        throw reader.mistake(
                            member.node,
                            "it differs from “\(twin.name)” only in upper and lower case, which the service ignores")
                    }
                    policies.append(policy)
                    if policy.isDefault, let first = policies.first(where: \.isDefault), first.name != policy.name {
                        throw reader.mistake(
                            member.node, "“\(first.name)” is already the default", expected: "one default policy"
                        ).under("default")
                    }
                } catch { throw error.under(member.name) }
            }
        }
        if node.members.isEmpty { mistakes.add(reader.mistake(node, "no policy", expected: "at least one")) }
        try mistakes.finish()
        return policies
    }

    private static func read(
        _ member: JSONNode.Member, of kind: AuthorityKind, _ reader: FileReader
    ) throws(PolicyFileError) -> Policy {
        let node = member.node
        var mistakes = MistakeList()
        var policy = Policy(
            name: PolicyName(member.name),
            kind: node["kind"]?.string.flatMap { PolicyKind(rawValue: $0) } ?? .signUpOrSignIn)
        _ = mistakes.trying { () throws(PolicyFileError) in try entries.read(node, into: &policy, reader) }
        // In kinds without policies, a sign-in is the only thing that a policy can do.
        if !kind.traits.hasPolicies, !policy.kind.keepsAccounts {
            mistakes.add(
                reader.mistake(
                    node["kind"] ?? node,
                    "a tenant of the kind “\(kind.rawValue)” has no policy of kind “\(policy.kind.rawValue)”",
                    expected: "“signUpOrSignIn” or “resourceOwner”"
                ).under("kind"))
        }
        if let own = node["authority"], let base = policy.authority, let complaint = kind.rules.complaint(about: base) {
            mistakes.add(reader.mistake(own, complaint).under("authority"))
        }
        try mistakes.finish()
        return policy
    }
}

extension API {
    /// Reads the APIs of an application, without one whose address is missing. Throws all mistakes.
    static func read(_ node: JSONNode, _ reader: FileReader) throws(PolicyFileError) -> [API] {
        var mistakes = MistakeList()
        var apis: [API] = []
        for member in node.members where !mistakes.isFull {
            _ = mistakes.trying { () throws(PolicyFileError) in
                do throws(PolicyFileError) {
                    guard let node = member.node["baseUrl"] else { return }
                    let base = try reader.address(node)
                    guard base.isSecure else {
                        throw reader.mistake(
                            node, "tokens would be sent unencrypted", expected: SchemaNode.Text.address.expected
                        ).under("baseUrl")
                    }
                    apis.append(
                        API(
                            name: member.name, baseURL: base, scopes: member.node["scopes"]?.strings ?? [],
                            policy: member.node["policy"]?.string.map { PolicyName($0) }))
                } catch { throw error.under(member.name) }
            }
        }
        try mistakes.finish()
        return apis
    }
}

extension KnownAuthorities {
    /// Reads the entries of a list. Throws all mistakes.
    static func entries(_ node: JSONNode, _ reader: FileReader) throws(PolicyFileError) -> [Entry] {
        var mistakes = MistakeList()
        var entries: [Entry] = []
        for (index, element) in (node.array ?? []).enumerated() where !mistakes.isFull {
            do { entries.append(try Entry(element.string ?? "")) } catch {
                mistakes.add(
                    reader.mistake(element, error.reason, expected: SchemaNode.Text.authorityEntry.expected)
                        .under("\(index)"))
            }
        }
        try mistakes.finish()
        return entries
    }
}

extension FileReader {
    func address(_ node: JSONNode) throws(PolicyFileError) -> WebAddress {
        do { return try WebAddress(node.string ?? "") } catch {
            throw mistake(node, error.reason, expected: SchemaNode.Text.address.expected)
        }
    }

    /// Reads the address of a tenant of a kind; `nil` without a value.
    fileprivate func authority(
        _ node: JSONNode?, of kind: AuthorityKind?
    ) throws(PolicyFileError) -> WebAddress? {
        guard let node else { return nil }
        do throws(PolicyFileError) {
            let base = try address(node)
            if let complaint = kind?.rules.complaint(about: base) { throw mistake(node, complaint) }
            return base
        } catch { throw error.under("authority") }
    }
}
