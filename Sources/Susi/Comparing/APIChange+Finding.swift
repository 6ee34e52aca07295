import SusiPolicies

extension APIChange {
    /// Returns the changes between the tokens of two accounts, in the order of their subjects.
    static func all(from first: ComparedAccount, to second: ComparedAccount) -> [APIChange] {
        let pairs = [ComparedToken.Kind.access, .id].compactMap { ClaimPair($0, first, second) }
        let issuer = pairs.change(of: .issuer)
        // Two people of one issuer have different identifiers and attributes.
        let areOthers = issuer == nil && first.account.account.person != second.account.account.person
        return Subject.allCases.flatMap { subject -> [APIChange] in
            let change: APIChange? =
                switch subject {
                case .issuer: issuer
                // A key of the same ID signed both, or there is no signature to verify.
                case .keys: pairs.isEmpty || pairs.contains(where: \.hasSameKey) ? nil : keys(first, second)
                case .algorithm: pairs.first?.algorithm
                // The audience of an ID token is the application, and an ID token has no scopes.
                case .audience, .scopes: pairs.filter { $0.kind == .access }.change(of: subject)
                case .version, .tenant, .policy, .client: pairs.change(of: subject)
                case .objectID, .subject, .email, .userName: areOthers ? nil : pairs.change(of: subject)
                case .attribute: nil
                }
            return subject == .attribute && !areOthers ? attributes(pairs) : [change].compactMap(\.self)
        }
    }

    // Without both stored configurations, the addresses of the configurations are compared, which name the keys.
    private static func keys(_ first: ComparedAccount, _ second: ComparedAccount) -> APIChange? {
        let isKnown = first.keys != nil && second.keys != nil
        let address = { (account: ComparedAccount) in
            (isKnown ? account.keys : nil)?.description ?? "jwks_uri in \(account.configuration)"
        }
        return address(first) == address(second) ? nil : APIChange(.keys, .value, nil, address(first), address(second))
    }

    private static func attributes(_ pairs: [ClaimPair]) -> [APIChange] {
        Set(pairs.flatMap(\.attributes)).sorted().compactMap { name in
            pairs.first { $0.attributes.contains(name) }?.changeOfAttribute(name)
        }
    }
}

extension [ClaimPair] {
    /// Returns how the claims of a subject differ, in the first tokens that have one.
    fileprivate func change(of subject: APIChange.Subject) -> APIChange? {
        first { $0.hasClaim(of: subject) }?.change(of: subject)
    }
}

/// The headers and claims of two tokens of the same kind.
private struct ClaimPair {
    let kind: ComparedToken.Kind
    let kinds: (first: AuthorityKind, second: AuthorityKind)
    let headers: (first: JSONNode, second: JSONNode)
    let claims: (first: JSONNode, second: JSONNode)

    /// Makes a pair; returns `nil` unless both tokens can be read.
    init?(_ kind: ComparedToken.Kind, _ first: ComparedAccount, _ second: ComparedAccount) {
        guard case .signed(let header, let claims) = first.token(kind).content,
            case .signed(let otherHeader, let otherClaims) = second.token(kind).content
        else { return nil }
        self.kind = kind
        kinds = (first.application.kind, second.application.kind)
        headers = (header, otherHeader)
        self.claims = (claims, otherClaims)
    }

    var algorithm: APIChange? {
        let (first, second) = (headers.first["alg"]?.string, headers.second["alg"]?.string)
        return first == second ? nil : APIChange(.algorithm, .value, kind, first, second)
    }

    var hasSameKey: Bool {
        let (first, second) = (headers.first["kid"]?.string, headers.second["kid"]?.string)
        return first != nil && first == second
    }

    /// Whether one of the tokens has a claim of a subject.
    func hasClaim(of subject: APIChange.Subject) -> Bool {
        let (first, second) = names(of: subject)
        return first != nil || second != nil
    }

    func change(of subject: APIChange.Subject) -> APIChange? {
        let (first, second) = names(of: subject)
        return change(of: subject, first, second)
    }

    // A token may have several claims of a subject; programs read the first one.
    private func names(of subject: APIChange.Subject) -> (first: String?, second: String?) {
        let name = { (claims: JSONNode, kind: AuthorityKind) in
            Self.names(of: subject, at: kind).first { claims[$0] != nil }
        }
        return (name(claims.first, kinds.first), name(claims.second, kinds.second))
    }

    /// The claims of a subject, the more usual one first.
    private static func names(of subject: APIChange.Subject, at kind: AuthorityKind) -> [String] {
        switch subject {
        case .issuer: ["iss"]
        case .audience: ["aud"]
        case .version: ["ver"]
        case .tenant: ["tid"]
        // Elsewhere, `acr` is the strength of the sign-in.
        case .policy: kind.traits.hasPolicies ? ["tfp", "acr"] : []
        case .client: ["azp", "appid", "client_id"]
        case .scopes: ["scp", "scope"]
        case .objectID: ["oid"]
        case .subject: ["sub"]
        case .email: ["emails", "email", "mail"]
        case .userName: ["preferred_username", "upn", "unique_name"]
        case .keys, .algorithm, .attribute: []
        }
    }

    /// The attributes of both tokens, by their names without a prefix.
    var attributes: Set<String> {
        Set((claims.first.members + claims.second.members).compactMap { Self.attribute($0.name) })
    }

    func changeOfAttribute(_ attribute: String) -> APIChange? {
        let name = { (claims: JSONNode) in claims.members.first { Self.attribute($0.name) == attribute }?.name }
        return change(of: .attribute, name(claims.first), name(claims.second))
    }

    private func change(of subject: APIChange.Subject, _ first: String?, _ second: String?) -> APIChange? {
        switch (first, second) {
        case (let first?, let second?) where first != second: changeOfName(of: subject, first, second)
        case (let first?, _?): changeOfValue(of: subject, first, claims.first[first], claims.second[first])
        case (let first?, nil): APIChange(subject, .removed, kind, first, nil)
        case (nil, let second?): APIChange(subject, .added, kind, nil, second)
        case (nil, nil): nil
        }
    }

    // The type of the value is part of it, if that is another one too.
    private func changeOfName(of subject: APIChange.Subject, _ first: String, _ second: String) -> APIChange? {
        let types = (claims.first[first]?.kind, claims.second[second]?.kind)
        let described = { (name: String, type: String?) in types.0 == types.1 ? name : "\(name), \(type ?? "")" }
        return APIChange(subject, .name, kind, described(first, types.0), described(second, types.1))
    }

    private func changeOfValue(
        of subject: APIChange.Subject, _ name: String, _ first: JSONNode?, _ second: JSONNode?
    ) -> APIChange? {
        guard let first, let second, !ClaimComparison.areSame(first, second, as: name) else { return nil }
        guard first.kind == second.kind else {
            return APIChange(subject, .type, kind, "\(name), \(first.kind)", "\(name), \(second.kind)")
        }
        return APIChange(subject, .value, kind, first.shownText, second.shownText)
    }

    /// Returns the name of an attribute without the prefix that depends on the kind of tenant; `nil` for other claims.
    ///
    /// Azure AD B2C issues `extension_NAME`. Microsoft's identity platform issues `extn.NAME` for the directory extension
    /// `extension_APPID_NAME`, where APPID is the client id without dashes, or a name that the administrator chose.
    private static func attribute(_ claim: String) -> String? {
        guard ClaimComparison.group(of: claim) == .what, !permissions.contains(claim) else { return nil }
        for prefix in ["extension_", "extn."] where claim.hasPrefix(prefix) {
            let name = claim.dropFirst(prefix.count)
            let owner = name.prefix { $0 != "_" }
            let hasOwner = owner.count == 32 && owner.allSatisfy(\.isHexDigit) && name.count > 33
            return String(hasOwner ? name.dropFirst(33) : name)
        }
        return claim
    }

    private static let permissions: Set = ["groups", "hasgroups", "roles", "scope", "scp", "wids"]
}

extension JSONNode {
    fileprivate var shownText: String { strings?.joined(separator: " ") ?? JSONText.compact(self) }
}
