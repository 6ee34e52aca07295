/// The facts in the text of an authority's address, read without contacting a server.
///
/// It accepts an authority, an endpoint as the browser shows it, a configuration and an issuer.
package struct AddressReading: Hashable, Sendable {
    package enum Role: String, CaseIterable, Sendable {
        case authority, configuration, authorize, token, logout, deviceCode, keys, userinfo, issuer

        /// The role as part of a sentence.
        package var label: String {
            switch self {
            case .authority: "an authority"
            case .configuration: "an OpenID configuration"
            case .authorize: "an authorization endpoint"
            case .token: "a token endpoint"
            case .logout: "a sign-out endpoint"
            case .deviceCode: "a device code endpoint"
            case .keys: "signing keys"
            case .userinfo: "a userinfo endpoint"
            case .issuer: "an issuer"
            }
        }
    }

    /// The form of a B2C address.
    package enum Form: String, Sendable {
        case path, tfp, query
    }

    package let text: String
    package let role: Role
    /// The kind, if host or form determine it.
    package let kind: AuthorityKind?
    /// The position of the policy; `nil` for kinds without policies.
    package let form: Form?
    package let tenant: String?
    package let policy: PolicyName?
    /// The application (client) ID that a request in the address names.
    package let clientID: String?
    /// The authority's base, without the policy and the suffix of the role.
    package let base: WebAddress
    /// The segments of the path without the suffix of the role.
    package let rest: [String]

    /// Parses an address. A fragment is ignored; characters that an authority may not contain are an error.
    package init(_ text: String) throws(InvalidAddress) { try self.init(text, seesOldAddresses: false) }

    /// Parses an address. With `seesOldAddresses`, a policy makes an address of the workforce service one of B2C, which
    /// was there before 2021.
    package init(_ text: String, seesOldAddresses: Bool) throws(InvalidAddress) {
        let place = try Endpoint(String(text.prefix { $0 != "#" }))
        let fields = try Self.fields(place.query ?? "", of: text)
        let (role, named) = Self.role(place.address.segments)
        let kind = AuthorityKind.of(
            place.address, segments: named, policy: fields["p"], seesOldAddresses: seesOldAddresses)
        self.text = text
        self.role = role
        self.kind = kind
        let hasPolicies = kind?.traits.hasPolicies ?? false
        // `/te/` is another way to write the same authority, in addresses that B2C shows identity providers.
        let segments = hasPolicies && named.count > 1 && named[0] == "te" ? Array(named.dropFirst()) : named
        rest = segments
        clientID = fields["client_id"]
        let isTfp = hasPolicies && segments.first == "tfp"
        let path = isTfp ? Array(segments.dropFirst()) : segments
        form = hasPolicies ? (isTfp ? .tfp : fields["p"] != nil ? .query : .path) : nil
        let policies = [fields["p"], path.count > 1 ? path[1] : nil].compactMap(\.self).map { PolicyName($0) }
        if hasPolicies, let other = policies.dropFirst().first, other != policies[0] {
            throw InvalidAddress(text: text, reason: "it names two policies, \(other) and \(policies[0])")
        }
        policy = hasPolicies ? policies.first : nil
        let base: WebAddress
        if kind != nil {
            base = place.address.replacing(segments: (isTfp ? ["tfp"] : []) + path.prefix(1))
        } else {
            // An issuer keeps its spelling.
            base = role == .authority || role == .issuer ? place.address : place.address.replacing(segments: segments)
        }
        self.base = base
        tenant = kind.flatMap { $0.rules.tenant(of: base) }
    }

    private static let suffixes: [(role: Role, segments: [String])] = [
        (.configuration, ["v2.0", ".well-known", "openid-configuration"]),
        (.configuration, [".well-known", "openid-configuration"]), (.authorize, ["oauth2", "v2.0", "authorize"]),
        (.token, ["oauth2", "v2.0", "token"]), (.logout, ["oauth2", "v2.0", "logout"]),
        (.deviceCode, ["oauth2", "v2.0", "devicecode"]), (.keys, ["discovery", "v2.0", "keys"]),
        (.userinfo, ["openid", "v2.0", "userinfo"]), (.authorize, ["oauth2", "authorize"]),
        (.token, ["oauth2", "token"]), (.issuer, ["v2.0"]),
    ]

    // The suffix determines the role; the rest belongs to the authority.
    private static func role(_ segments: [String]) -> (role: Role, rest: [String]) {
        for (role, suffix) in suffixes where segments.suffix(suffix.count).map({ $0.lowercased() }) == suffix {
            return (role, Array(segments.dropLast(suffix.count)))
        }
        return (.authority, segments)
    }

    // Names of policies and client ids need no unescaping.
    private static func fields(_ query: String, of text: String) throws(InvalidAddress) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let (name, value) = (parts[0].lowercased(), String(parts[1]))
            if ["p", "client_id"].contains(name), let other = fields[name], other.lowercased() != value.lowercased() {
                throw InvalidAddress(text: text, reason: "it has two values of \(name), \(other) and \(value)")
            }
            fields[name] = value
        }
        return fields
    }
}

extension AddressReading {
    /// Returns the address as an authority of a given kind, for hosts that do not determine the kind.
    package func asAuthority(_ kind: AuthorityKind, policy: PolicyName, place: PolicyPlace) -> Authority {
        let kept = rest.prefix(kind.traits.hasPolicies && rest.first == "tfp" ? 2 : 1)
        let base = kind.traits.authorityIsIssuer ? base : base.replacing(segments: Array(kept))
        return Authority(kind: kind, base: base, policy: policy, policyPlace: place)
    }

    /// The tenant's address without a policy, as policies.json has it.
    package func authority(of kind: AuthorityKind) -> WebAddress {
        let base = asAuthority(kind, policy: PolicyName("default"), place: .path).base
        // `/tfp/` is another way to write the same authority.
        guard kind.traits.hasPolicies, base.segments.first == "tfp" else { return base }
        return base.replacing(segments: Array(base.segments.dropFirst()))
    }

    /// The policy of an address of that kind: the one in the address, or the segment after the tenant on a host that
    /// does not determine the kind.
    package func policy(_ kind: AuthorityKind) -> PolicyName? {
        if let policy { return policy }
        guard self.kind == nil, kind.traits.hasPolicies, rest.count > 1 else { return nil }
        return PolicyName(rest[1])
    }
}
