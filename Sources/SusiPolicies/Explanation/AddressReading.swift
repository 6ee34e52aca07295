/// What an address of an authority says by itself: read from its text, without contacting anybody.
///
/// It takes what people have at hand: an authority, an endpoint as a browser shows it, a configuration, an issuer.
public struct AddressReading: Hashable, Sendable {
    /// What the address is of.
    public enum Role: String, CaseIterable, Sendable {
        case authority, configuration, authorize, token, logout, deviceCode, keys, userinfo, issuer

        /// The role in a person's words.
        public var label: String {
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

    /// How a B2C address is written.
    public enum Form: String, Sendable {
        case path, tfp, query
    }

    /// The address as it was written.
    public let text: String
    /// What it is of.
    public let role: Role
    /// The kind that host or form tell; nil when they could be of any.
    public let kind: AuthorityKind?
    /// How the policy is named; nil where no address names one.
    public let form: Form?
    /// The tenant; nil when it names none.
    public let tenant: String?
    /// The policy; nil when it names none.
    public let policy: PolicyName?
    /// The application (client) id that a request in the address names.
    public let clientID: String?
    /// The authority's base: without policy and without what the role adds.
    public let base: WebAddress
    /// The segments of the path without what the role adds.
    let rest: [String]

    /// Reads an address. A fragment is passed over; what no authority may contain is refused.
    public init(_ text: String) throws(WebAddress.Invalid) {
        let place = try Endpoint(String(text.prefix { $0 != "#" }))
        let fields = Self.fields(place.query ?? "")
        let (role, segments) = Self.role(place.address.segments)
        let kind = Self.kind(place.address, role, segments, hasPolicy: fields["p"] != nil)
        self.text = text
        self.role = role
        self.kind = kind
        rest = segments
        clientID = fields["client_id"]
        let hasPolicies = kind?.hasPolicies ?? false
        let isTfp = hasPolicies && segments.first == "tfp"
        let path = isTfp ? Array(segments.dropFirst()) : segments
        form = hasPolicies ? (isTfp ? .tfp : fields["p"] != nil ? .query : .path) : nil
        policy = hasPolicies ? (fields["p"] ?? (path.count > 1 ? path[1] : nil)).map { PolicyName($0) } : nil
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

    // What stands at the end tells the role; the rest is the authority's.
    private static func role(_ segments: [String]) -> (role: Role, rest: [String]) {
        for (role, suffix) in suffixes where segments.suffix(suffix.count).map({ $0.lowercased() }) == suffix {
            return (role, Array(segments.dropLast(suffix.count)))
        }
        return (.authority, segments)
    }

    // The service's own hosts tell the kind; on a domain of the tenant's own the form may.
    private static func kind(
        _ address: WebAddress, _ role: Role, _ segments: [String], hasPolicy: Bool
    ) -> AuthorityKind? {
        if let kind = AuthorityKind.ofServiceHost(address) { return kind }
        let isPolicy = segments.count == 2 && segments[1].lowercased().hasPrefix("b2c_1")
        return hasPolicy || segments.first == "tfp" || isPolicy ? .b2c : nil
    }

    // Only what is looked for: names of a policy and of an application need no unescaping.
    private static func fields(_ query: String) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { fields[parts[0].lowercased()] = String(parts[1]) }
        }
        return fields
    }
}

extension AddressReading {
    /// The same address read as one of a given kind, for hosts that tell none.
    package func asAuthority(_ kind: AuthorityKind, policy: PolicyName, place: PolicyPlace) -> Authority {
        let kept = rest.prefix(kind.hasPolicies && rest.first == "tfp" ? 2 : 1)
        let base = kind.authorityIsIssuer ? base : base.replacing(segments: Array(kept))
        return Authority(kind: kind, base: base, policy: policy, policyPlace: place)
    }

    /// The tenant's address without a policy, as an authority of that kind has it in policies.json.
    package func authority(of kind: AuthorityKind) -> WebAddress {
        if kind.authorityIsIssuer { return base }
        let base = asAuthority(kind, policy: PolicyName("default"), place: .path).base
        // Another way to write the same authority.
        guard kind.hasPolicies, base.segments.first == "tfp" else { return base }
        return base.replacing(segments: Array(base.segments.dropFirst()))
    }

    /// The policy of an address of that kind: as the address says it, or what stands in its place on a host that does not
    /// tell the kind.
    package func policy(_ kind: AuthorityKind) -> PolicyName? {
        if let policy { return policy }
        guard self.kind == nil, kind.hasPolicies, rest.count > 1 else { return nil }
        return PolicyName(rest[1])
    }
}
