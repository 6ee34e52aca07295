import SusiOAuth
import SusiPolicies

/// Describes the members of one message by type and format. A value is written only if ``ProtocolWords`` lists it.
struct MessageShape {
    /// The names of the application's policies, in lower case.
    let policies: Set<String>
    /// The names of its tenant, in lower case.
    let tenants: Set<String>
    /// The names of members that were replaced, because they may be the tenant's own.
    private(set) var ownNames: [String] = []

    init(of application: Application) {
        policies = Set(application.policies.map { $0.name.spelling.lowercased() })
        tenants = Set(
            application.policies.compactMap { application.authority(for: $0).tenant?.lowercased() }
                .filter { !AuthorityKind.areManyTenants($0) })
    }

    /// Describes the members of an object; names of the tenant's own are replaced.
    mutating func members(of node: JSONNode) -> JSONNode {
        var known: [JSONNode.Member] = []
        for member in node.members {
            known.append(.init(name: name(member.name), node: shape(of: member.node, member.name)))
        }
        return JSONNode(value: .object(known))
    }

    private mutating func name(_ name: String) -> String {
        if ProtocolWords.names.contains(name) { return name }
        ownNames.append(name)
        let number = ownNames.count
        return name.hasPrefix("extension_") ? "extension_{own attribute \(number)}" : "{own claim \(number)}"
    }

    private mutating func shape(of node: JSONNode, _ name: String) -> JSONNode {
        switch node.value {
        case .null: .shape("null")
        case .bool: .shape("boolean", name == "required" || Self.isCapability(name) ? ("value", node) : nil)
        case .number(let text): .shape("number", Self.format(ofNumber: text, name).map { ("format", .text($0)) })
        case .string(let text): string(text, name)
        case .array(let nodes): list(nodes, name)
        case .object: .shape("object", ("members", members(of: node)))
        }
    }

    // What a service can do, in an OpenID configuration. Other members may be claims about a person.
    private static func isCapability(_ name: String) -> Bool {
        name.hasSuffix("_supported") && ProtocolWords.names.contains(name)
    }

    private mutating func list(_ nodes: [JSONNode], _ name: String) -> JSONNode {
        let known = name == "claims_supported" ? ProtocolWords.names : ProtocolWords.listed
        let isKnown = { (node: JSONNode) in
            if name == "error_codes", case .number(let text) = node.value { return CodeForm.isNumber(text) }
            // A response type is several words.
            return node.string?.split(separator: " ").allSatisfy { known.contains(String($0)) } ?? false
        }
        if name == "error_codes" || Self.isCapability(name), !nodes.isEmpty, nodes.allSatisfy(isKnown) {
            return .shape("array", ("values", JSONNode(value: .array(nodes))))
        }
        return .shape("array", nodes.first.map { ("of", shape(of: $0, name)) })
    }

    // MARK: Texts

    private mutating func string(_ text: String, _ name: String) -> JSONNode {
        if ProtocolWords.values[name]?.contains(text) ?? false { return .shape("string", ("value", .text(text))) }
        if ["scope", "scp"].contains(name) { return .shape("string", ("format", .text("scopes"))) }
        if let pattern = pattern(of: text) {
            let isAddress = pattern.contains("://")
            return .shape(
                "string", isAddress ? ("format", .text("address")) : nil, ("pattern", .text(pattern)))
        }
        let format = Self.format(of: text, name)
        let node = format == "base64url" ? DecodedToken.object(text) : nil
        return .shape("string", ("format", .text(format)), node.map { ("members", members(of: $0)) })
    }

    private func pattern(of text: String) -> String? {
        let lower = text.lowercased()
        if policies.contains(lower) { return lower == text ? "{policy in lower case}" : "{policy}" }
        let (id, rest) = (String(lower.prefix(36)), lower.dropFirst(36))
        if id.isGUID, rest.hasPrefix("-"), policies.contains(String(rest.dropFirst())) {
            return "{guid}-{policy in lower case}"
        }
        return lower.hasPrefix("https://") || lower.hasPrefix("http://") ? pattern(ofAddress: text) : nil
    }

    /// Returns an address with everything replaced that may be the tenant's own.
    func pattern(ofAddress text: String) -> String {
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let path = parts.dropFirst(3).map { segment in
            if segment.isEmpty || ProtocolWords.segments.contains(segment) { return segment }
            let lower = segment.lowercased()
            if lower.isGUID { return "{guid}" }
            if policies.contains(lower) { return "{policy}" }
            return tenants.contains(lower) || lower.hasSuffix(".onmicrosoft.com") ? "{tenant}" : "{segment}"
        }
        let scheme = parts[0].lowercased()
        let address = ([scheme, "", host(parts.count > 2 ? parts[2] : "")] + path).joined(separator: "/")
        guard halves.count == 2 else { return address }
        let policy = (FormEncoding.decode(String(halves[1])) ?? []).first { $0.name == "p" }?.value
        return address + (policy.map { policies.contains($0.lowercased()) } ?? false ? "?p={policy}" : "?{query}")
    }

    private func host(_ name: String) -> String {
        let name = name.lowercased()
        if ProtocolWords.hosts.contains(name) { return name }
        guard name.hasSuffix(".ciamlogin.com") else { return "{host}" }
        return name.split(separator: ".").first.map(String.init)?.isGUID ?? false
            ? "{guid}.ciamlogin.com" : "{name}.ciamlogin.com"
    }

    // MARK: Formats

    private static func format(of text: String, _ name: String) -> String {
        if text.lowercased().isGUID { return "guid" }
        switch DecodedToken(text) {
        case .signed: return "jwt"
        case .encrypted: return "jwe"
        case .opaque: break
        }
        if name == "timestamp" { return name }
        if let format = format(ofNumber: text, name) { return "\(format)-string" }
        if ["client_info", "profile_info", "kid", "n", "x5t", "at_hash", "c_hash"].contains(name),
            Base64URL.decode(text) != nil
        {
            return "base64url"
        }
        if Redaction.isSecret(name) || ["state", "nonce", "sid", "session_state"].contains(name) { return "opaque" }
        return text.contains("@") && !text.contains(" ") ? "email" : "text"
    }

    private static func format(ofNumber text: String, _ name: String) -> String? {
        guard let number = Int64(text) else { return nil }
        let isTime = ["exp", "iat", "nbf", "not_before", "expires_on", "auth_time", "updated_at"].contains(name)
        if isTime { return (1_000_000_001..<10_000_000_000).contains(number) ? "epoch" : nil }
        let isSpan = name.hasSuffix("_in") || name.hasSuffix("interval")
        return isSpan && (0..<1_000_000_000).contains(number) ? "seconds" : nil
    }
}

extension JSONNode {
    static func text(_ text: String) -> JSONNode { JSONNode(value: .string(text)) }

    static func object(_ members: (name: String, node: JSONNode)?...) -> JSONNode {
        JSONNode(value: .object(members.compactMap { $0 }.map { Member(name: $0.name, node: $0.node) }))
    }

    fileprivate static func shape(_ type: String, _ members: (name: String, node: JSONNode)?...) -> JSONNode {
        let all = [("type", text(type))] + members.compactMap { $0 }
        return JSONNode(value: .object(all.map { Member(name: $0.0, node: $0.1) }))
    }
}
