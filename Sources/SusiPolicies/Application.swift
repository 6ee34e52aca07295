/// A web API that an application may call.
package struct API: Hashable, Sendable {
    /// The name that commands use.
    package let name: String
    /// The base address; a token for the API is sent only there.
    package internal(set) var baseURL: WebAddress
    /// The scopes of its token, all of one resource.
    package let scopes: [String]
    /// The policy that it belongs to; `nil` for the default one.
    package let policy: PolicyName?

    package init(name: String, baseURL: WebAddress, scopes: [String], policy: PolicyName? = nil) {
        self.name = name
        self.baseURL = baseURL
        self.scopes = scopes
        self.policy = policy
    }
}

/// The scopes of OpenID Connect itself (OpenID Connect Core 5.4 and 11). They belong to no API.
package enum OpenIDScopes {
    /// The scopes that every sign-in requests beside those of an API.
    package static let requested = ["openid", "profile", "offline_access"]
    /// Every scope that names no API.
    package static let all = requested + ["email"]
}

/// The host of the redirect address. A provider that compares whole addresses accepts only the registered one (RFC 8252
/// section 7.3).
package enum RedirectHost: String, CaseIterable, Sendable {
    case name = "localhost"
    case ipv4 = "127.0.0.1"
    case ipv6 = "[::1]"
}

/// An application of `policies.json`: a registration in a tenant with its policies and APIs.
package struct Application: Hashable, Sendable {
    /// The application's name in the file; `-A` selects it.
    package let name: String
    package let kind: AuthorityKind
    /// The tenant's address without a policy.
    package internal(set) var authority: WebAddress
    package internal(set) var policyPlace: PolicyPlace
    /// The application's (client) ID; a GUID of a kind whose service assigns them is in lower case.
    package let clientID: String
    /// Loopback ports for the redirect, tried in this order; 0 is any free one.
    package internal(set) var redirectPorts: [UInt16]
    package internal(set) var redirectHost: RedirectHost
    /// The policies, in the file's order.
    package var policies: [Policy]
    package internal(set) var knownAuthorities: KnownAuthorities
    /// The APIs, in the file's order.
    package internal(set) var apis: [API]
    /// The authority of the tenant in the cloud whose local copy this one is; `nil` for a tenant of its own.
    package internal(set) var copyOf: WebAddress?
    /// The tenant in place of those of the authorities; `nil` for the application as the file describes it.
    package internal(set) var tenant: TenantName?

    package init(
        name: String, kind: AuthorityKind, authority: WebAddress, clientID: String, redirectPorts: [UInt16],
        redirectHost: RedirectHost = .name, policies: [Policy], knownAuthorities: KnownAuthorities, apis: [API],
        policyPlace: PolicyPlace = .path
    ) {
        self.name = name
        self.kind = kind
        self.authority = authority
        self.clientID = kind.canonical(clientID: clientID)
        self.redirectPorts = redirectPorts
        self.redirectHost = redirectHost
        self.policies = policies
        self.knownAuthorities = knownAuthorities
        self.apis = apis
        self.policyPlace = policyPlace
    }

    /// The tenant's address without a policy: that of ``tenant`` if there is one.
    package var base: WebAddress { tenant.map { authority.replacing(segments: [$0.description]) } ?? authority }

    /// The default policy: the one marked as default, else the only one that signs in.
    package var defaultPolicy: Policy? {
        if let marked = policies.first(where: \.isDefault) { return marked }
        let signIns = policies.filter { $0.kind == .signUpOrSignIn }
        return signIns.count == 1 ? signIns.first : nil
    }

    package func isDefault(_ policy: Policy) -> Bool { policy.name == defaultPolicy?.name }

    /// The policy of that name, ignoring case.
    package func policy(_ name: PolicyName) -> Policy? { policies.first { $0.name == name } }

    /// The policies of one kind, in the file's order.
    package func policies(of kind: PolicyKind) -> [Policy] { policies.filter { $0.kind == kind } }

    /// Whether a sign-in by password may be possible: in B2C, a policy of its own is needed.
    package var acceptsPasswords: Bool { !kind.traits.hasPolicies || !policies(of: .resourceOwner).isEmpty }

    /// The API of that name; case counts.
    package func api(_ name: String) -> API? { apis.first { $0.name == name } }

    /// The APIs that belong to a policy, in the file's order.
    package func apis(of policy: Policy) -> [API] {
        apis.filter { api in api.policy.map { $0 == policy.name } ?? isDefault(policy) }
    }

    /// The redirect addresses to register: one of each path for each of ``redirectPorts`` but 0.
    package func redirectAddresses(paths: [String]) -> [String] {
        redirectPorts.filter { $0 != 0 }.flatMap { port in paths.map { "http://\(redirectHost.rawValue):\(port)\($0)" }
        }
    }

    /// The redirect addresses to register at the provider, one of each path; without a port if susi picks a free one.
    package var addressesToRegister: [String] {
        let paths = Set(policies.map(\.redirectPath)).sorted()
        let listed = redirectAddresses(paths: paths)
        return listed.isEmpty ? paths.map { "http://\(redirectHost.rawValue)\($0 == "/" ? "" : $0)" } : listed
    }

    /// The authority of one policy, at ``tenant`` if there is one.
    package func authority(for policy: Policy) -> Authority {
        let home = homeAuthority(for: policy)
        return tenant.map(home.at) ?? home
    }

    /// The authority that the file gives one policy, whatever ``tenant`` is.
    package func homeAuthority(for policy: Policy) -> Authority {
        Authority(kind: kind, base: policy.authority ?? authority, policy: policy.name, policyPlace: policyPlace)
    }
}

extension Application {
    /// A key of the file that determines where requests are sent.
    package struct Destination: Hashable, Sendable {
        /// The path of the key below the application, with dots.
        package let key: String
        /// Scheme, host and port.
        package let origin: String
        package let isLoopback: Bool

        init(_ key: String, _ address: WebAddress) {
            (self.key, origin, isLoopback) = (key, address.origin, address.isLoopback)
        }
    }

    /// Whether all addresses of the application are on this machine.
    package var isLocal: Bool {
        authority.isLoopback && policies.allSatisfy { $0.authority?.isLoopback ?? true }
            && apis.allSatisfy { $0.baseURL.isLoopback }
            && knownAuthorities.entries.allSatisfy { $0.address.isLoopback }
    }

    /// All keys that name a host, in the order of the file.
    package var destinations: [Destination] {
        let bases = policies.compactMap { policy in
            policy.authority.map { Destination("policies.\(policy.name).authority", $0) }
        }
        let known = knownAuthorities.entries.filter { !$0.isOwn }.map { Destination("knownAuthorities", $0.address) }
        let calls = apis.map { Destination("apis.\($0.name).baseUrl", $0.baseURL) }
        return [Destination("authority", authority)] + bases + known + calls
    }
}
